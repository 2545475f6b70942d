//! `--fix-inputs`: takes attributes that Terraform drops anyway out of values files.

use std::{collections::BTreeMap, io, path::Path};

use crate::{
    diagnostic::{Finding, FindingFix, Safety},
    inputs::is_values_file,
    report::Report,
    system::System,
};

/// The rule whose fixes change nothing that Terraform sees.
const RULE: &str = "unknown-attribute";

/// Rounds of fixing: what overlaps waits for the next.
const MAX_ROUNDS: usize = 100;

/// Fixes until there is nothing left to fix; `check` tells what there is. Errors: a values file
/// cannot be written; those before it are.
pub(super) fn fix(
    system: &dyn System,
    mut check: impl FnMut() -> io::Result<Report>,
) -> io::Result<()> {
    for _ in 0..MAX_ROUNDS {
        if !apply(&check()?.findings, system)? {
            break;
        }
    }
    Ok(())
}

/// Whether anything was written.
fn apply(findings: &[Finding], system: &dyn System) -> io::Result<bool> {
    let mut files: BTreeMap<&str, Vec<&(String, u32, u32, String)>> = BTreeMap::new();
    let fixes = findings.iter().filter(|it| it.rule == RULE).filter_map(|it| it.fix.as_ref());
    for FindingFix { edits, .. } in fixes.filter(|it| it.safety == Safety::Safe) {
        for edit in edits {
            files.entry(&edit.0).or_default().push(edit);
        }
    }
    for (file, edits) in &mut files {
        let path = Path::new(file);
        // Edits are of values files that this run has parsed; the name says it once more.
        if !is_values_file(file) {
            continue;
        }
        let bytes = system.read(path)?;
        edits.sort_by_key(|it| (it.1, it.2));
        system.write_atomic(path, &edited(&bytes, edits))?;
    }
    Ok(!files.is_empty())
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
