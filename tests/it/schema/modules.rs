//! Modules from texts, for tests that need no files.

use std::path::Path;

use terraschema::{
    module::{self, Module, Options},
    system::MemorySystem,
};

/// The module of one `.tf` file, which Terraform must take.
pub fn module(text: &str) -> Module {
    let system = MemorySystem::new().file("module/variables.tf", text);
    let loaded = module::load(&system, Path::new("module"), &Options::default());
    let (module, diagnostics) = loaded.unwrap();
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    module
}
