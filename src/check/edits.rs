//! Fixes that are edits of files: `--fix-inputs` takes attributes that Terraform drops anyway out of
//! values files, `--fix-required-version` raises `required_version` in source files.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use crate::{
    diagnostic::{Finding, FindingFix, Rule, Safety, rules},
    inputs::is_values_file,
    module::is_module_file,
    release::Product,
    report::Report,
    system::System,
};

/// What is fixed, and in which files.
pub(super) struct Edits {
    rule: &'static Rule,
    /// What users ask for by name may be more than safe.
    safety: Safety,
    /// Whether a file of this name is edited.
    is_edited: fn(&str) -> bool,
}

/// Attributes that Terraform drops.
pub(super) const INPUTS: Edits =
    Edits { rule: &rules::UNKNOWN_ATTRIBUTE, safety: Safety::Safe, is_edited: is_values_file };

/// Constraints that let in what lacks a feature.
pub(super) const REQUIRED_VERSION: Edits = Edits {
    rule: &rules::REQUIRED_VERSION_TOO_LOW,
    safety: Safety::Suggestion,
    is_edited: |file| is_module_file(file, Product::OpenTofu),
};

/// Rounds of fixing: what overlaps waits for the next.
const MAX_ROUNDS: usize = 100;

/// Fixes until there is nothing left to fix; `check` tells what there is. Gives the files that were
/// written. Errors: a file cannot be written; those before it are.
pub(super) fn fix(
    what: &Edits,
    system: &dyn System,
    mut check: impl FnMut() -> io::Result<Report>,
) -> io::Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let written = apply(what, &check()?.findings, system)?;
        if written.is_empty() {
            break;
        }
        all.extend(written);
    }
    Ok(all)
}

/// Gives the files that were written.
fn apply(what: &Edits, findings: &[Finding], system: &dyn System) -> io::Result<Vec<String>> {
    let mut files: BTreeMap<&str, Vec<&(String, u32, u32, String)>> = BTreeMap::new();
    let fixes = findings.iter().filter(|it| it.rule == *what.rule).filter_map(|it| it.fix.as_ref());
    for FindingFix { edits, .. } in fixes.filter(|it| it.safety == what.safety) {
        // Edits are of files that this run has parsed; the name says it once more.
        for edit in edits.iter().filter(|it| (what.is_edited)(name(&it.0))) {
            files.entry(&edit.0).or_default().push(edit);
        }
    }
    for (file, edits) in &mut files {
        let path = Path::new(file);
        let bytes = system.read(path)?;
        edits.sort();
        edits.dedup();
        system.write_atomic(path, &edited(&bytes, edits))?;
    }
    Ok(files.into_keys().map(str::to_owned).collect())
}

fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The bytes after all edits; of two that overlap the first counts.
fn edited(bytes: &[u8], edits: &[&(String, u32, u32, String)]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for (_, start, end, replacement) in edits {
        let (start, end) = (*start as usize, *end as usize);
        if start >= at {
            out.extend_from_slice(bytes.get(at..start).unwrap_or_default());
            out.extend_from_slice(replacement.as_bytes());
            at = end;
        }
    }
    out.extend_from_slice(bytes.get(at..).unwrap_or_default());
    out
}
