//! Tests of the `inputs` layer.
