//! Tests of the `schema` layer.

mod json;
