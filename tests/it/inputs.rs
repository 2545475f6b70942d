//! Tests of the `inputs` layer.

mod collect;
mod recorded;
