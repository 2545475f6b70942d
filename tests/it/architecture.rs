//! Tests of the `architecture` layer.
