//! Tests of the `condition` layer.
