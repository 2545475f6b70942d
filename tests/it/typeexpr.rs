//! Tests of the `typeexpr` layer.
