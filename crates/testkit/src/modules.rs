//! Modules from texts, for tests that need no files.

use std::path::Path;

use diagnostics::Diagnostic;
use module::{LoadOptions, Module};
use release::Release;
use system::MemorySystem;

/// The module of one `.tf` file, which the newest Terraform that it admits must take.
pub fn module(text: &str) -> Module {
    let admitted = load(text, Release::NEWEST).0.releases();
    module_of(text, admitted.last().copied().unwrap_or(Release::NEWEST))
}

/// Read as that release.
pub fn module_of(text: &str, release: Release) -> Module {
    let (module, diagnostics) = load(text, release);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    module
}

/// Whether the newest Terraform has nothing to say about a module.
pub fn is_module(text: &str) -> bool {
    load(text, Release::NEWEST).1.is_empty()
}

fn load(text: &str, release: Release) -> (Module, Vec<Diagnostic>) {
    let system = MemorySystem::new().file("module/variables.tf", text);
    let options = LoadOptions { release, ..LoadOptions::default() };
    module::load(&system, Path::new("module"), &options).unwrap()
}
