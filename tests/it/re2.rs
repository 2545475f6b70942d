//! Tests of the `re2` layer.
