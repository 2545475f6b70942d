//! Tests of the `inputs` layer.

mod collect;
mod encrypted;
mod recorded;
