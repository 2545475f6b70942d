//! Tests of the `functions` layer.
