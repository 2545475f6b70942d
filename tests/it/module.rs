//! Tests of the `module` layer.
