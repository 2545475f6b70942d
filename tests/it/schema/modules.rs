//! Modules from texts, for tests that need no files.

use std::path::Path;

use terraschema::{
    module::{self, Module, Options},
    release::Release,
    system::MemorySystem,
};

/// The module of one `.tf` file, which Terraform must take.
pub fn module(text: &str) -> Module {
    module_of(text, Release::NEWEST)
}

/// Read as that release.
pub fn module_of(text: &str, release: Release) -> Module {
    let system = MemorySystem::new().file("module/variables.tf", text);
    let options = Options { release, ..Options::default() };
    let loaded = module::load(&system, Path::new("module"), &options);
    let (module, diagnostics) = loaded.unwrap();
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    module
}
