//! Tests of the `condition` layer.

mod spec;
