//! Tests of the `inputs` layer.

mod backend_config;
mod collect;
mod encrypted;
mod recorded;
