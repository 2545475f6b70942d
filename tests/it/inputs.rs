//! Tests of the `inputs` layer.

mod backend_config;
mod collect;
mod encrypted;
mod recorded;

use system::MemorySystem;
use terraschema::Exit;

use crate::cli::terraschema;

/// A module in `/m` whose schema is fresh.
fn fresh(module: &str) -> MemorySystem {
    let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
    assert_eq!(terraschema(&system, "check --fix").0, Exit::Clean);
    system
}
