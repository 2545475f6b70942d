//! Tests of the `check` layer.
