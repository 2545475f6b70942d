//! Tests of the `eval` layer.
