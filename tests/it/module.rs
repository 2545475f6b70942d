//! Tests of the `module` layer.

mod blocks;
mod declarations;
mod files;
mod load;
mod overrides;
mod values;

use std::path::Path;

use diagnostics::Diagnostics;
use module::{LoadOptions, Module};
use release::Release;
use system::MemorySystem;

/// Loads files of a directory as Terraform 1.11.
fn load(files: &[(&str, &str)]) -> (Module, Diagnostics) {
    load_with(files, &LoadOptions { release: Release::V1_11, ..LoadOptions::default() })
}

fn load_with(files: &[(&str, &str)], options: &LoadOptions) -> (Module, Diagnostics) {
    let add = |system: MemorySystem, (name, text): &(&str, &str)| {
        system.file(Path::new("/m").join(name), text)
    };
    let system = files.iter().fold(MemorySystem::new().directory("/m"), add);
    module::load(&system, Path::new("/m"), options).unwrap()
}

/// `SUMMARY @ FILE:LINE,COLUMN`, sorted.
fn summaries(module: &Module, diagnostics: &Diagnostics) -> Vec<String> {
    let line = |it: &diagnostics::Diagnostic| match it.span() {
        Some(span) => {
            let place = module.sources.display(span);
            format!("{} @ {}", it.summary, place.trim_start_matches("/m/"))
        }
        None => it.summary.clone(),
    };
    let mut lines: Vec<String> = diagnostics.iter().map(line).collect();
    lines.sort();
    lines
}

/// Checks what is wrong with a file, against Terraform 1.11.4's own summaries and places.
#[track_caller]
fn rejected(name: &str, text: &str, expected: &[&str]) {
    let (module, diagnostics) = load(&[(name, text)]);
    let mut expected: Vec<&str> = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(summaries(&module, &diagnostics), expected);
}
