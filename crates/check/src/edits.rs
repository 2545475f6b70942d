//! Fixes that edit files: `--fix-inputs` removes what Terraform drops or ignores from values files,
//! `--fix-required-version` raises `required_version` in source files.
//!
//! All edits of a file are planned from one run's findings. The edits of neighbours may overlap at the
//! separator between them. Then only the first is made as planned, and the second is planned again on the
//! text that the first leaves. For example: `q` and `r` are removed from `{"a": 1, "q": 2, "r": 3}`. The
//! edit of `q` is `"q": 2, ` and that of `r` was `, "r": 3`, whose comma went with `q`. On `{"a": 1,
//! "r": 3}` it is `, "r": 3` again.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    ops::Range,
    path::Path,
};

use super::{readmes::is_readme, rules::removal::remove};
use diagnostics::{FileEdit, Finding, FindingFix, Fingerprint, Lint, Safety, lints};
use module::{
    inputs::{example::is_example_file, is_values_file},
    is_module_file,
};
use release::Product;
use system::{ExpectedContent, Refusal, System};

/// One kind of fix, and the files that it edits.
pub(super) struct Edits {
    rule: &'static Lint,
    /// The safety of the fixes to make: a fix that users ask for by name may be a suggestion.
    safety: Safety,
    /// Whether the fix edits a file of this name.
    is_edited: fn(&str) -> bool,
}

/// Removes attributes that Terraform drops.
pub(super) const INPUTS: Edits =
    Edits { rule: &lints::UNKNOWN_ATTRIBUTE, safety: Safety::Safe, is_edited: is_values_file };

/// Removes values of variables that the module does not declare.
pub(super) const UNDECLARED: Edits =
    Edits { rule: &lints::UNDECLARED_VARIABLE, safety: Safety::Safe, is_edited: is_values_file };

/// Removes values and attributes that the module does not declare from examples, or renames them.
pub(super) const EXAMPLES: Edits = Edits {
    rule: &lints::STALE_EXAMPLE,
    safety: Safety::Safe,
    is_edited: |file| is_example_file(file) || is_readme(file),
};

/// Raises constraints that admit a version without a used feature.
pub(super) const REQUIRED_VERSION: Edits = Edits {
    rule: &lints::REQUIRED_VERSION_TOO_LOW,
    safety: Safety::Suggestion,
    is_edited: |file| is_module_file(file, Product::OpenTofu),
};

/// What became of the files with edits.
#[derive(Default)]
pub(super) struct Fixed {
    /// The files that were written.
    pub written: BTreeSet<String>,
    /// The files that somebody else has written since they were parsed; they are kept as they are.
    pub changed: BTreeSet<String>,
    /// Why other files could not be written.
    pub failures: Vec<String>,
}

/// Makes the edits that the findings suggest. The places of edits are those of the text that was parsed: a
/// file with any other text is left alone.
pub(super) fn fix(what: &[&Edits], findings: &[Finding], system: &dyn System) -> Fixed {
    let mut files: BTreeMap<&str, Vec<FileEdit>> = BTreeMap::new();
    for edit in what.iter().flat_map(|it| wanted(it, findings)) {
        files.entry(&edit.file).or_default().push(edit.clone());
    }
    let is_missing = |file: &str| system.kind(Path::new(file)).is_err();
    let mut fixed = Fixed::default();
    for (file, edits) in files {
        match rewritten(Path::new(file), edits, system) {
            Ok(()) => {
                fixed.written.insert(file.to_owned());
            }
            Err(error) if matches!(Refusal::of(&error), Some(Refusal::Changed { .. })) => {
                fixed.changed.insert(file.to_owned());
            }
            // Terragrunt writes it later, or somebody has deleted it.
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_missing(file) => (),
            Err(error) => fixed.failures.push(format!("{file} is not written: {error}")),
        }
    }
    fixed
}

fn rewritten(path: &Path, edits: Vec<FileEdit>, system: &dyn System) -> io::Result<()> {
    let bytes = system.read(path)?;
    let parsed = Fingerprint::of(&bytes);
    if edits.iter().any(|it| it.text != Some(parsed)) {
        return Err(Refusal::Changed { path: path.to_owned() }.into());
    }
    let new = edited(bytes.clone(), edits);
    system.replace(path, ExpectedContent::Bytes(&bytes), &new)
}

fn wanted<'f>(what: &Edits, findings: &'f [Finding]) -> impl Iterator<Item = &'f FileEdit> {
    let fixes = findings.iter().filter(|it| it.rule == *what.rule).filter_map(|it| it.fix.as_ref());
    let edits =
        fixes.filter(|it| it.safety == what.safety).flat_map(|FindingFix { edits, .. }| edits);
    // All edits are of files that this run parsed; the check of the name makes sure.
    edits.filter(|it| (what.is_edited)(name(&it.file)))
}

fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The limit for rounds. Each round makes at least half of the edits that are left, unless they overlap
/// on purpose.
const MAX_ROUNDS: usize = 100;

/// The bytes after all edits. If two overlap, the first is made as planned, and the second is planned
/// again.
fn edited(mut bytes: Vec<u8>, mut edits: Vec<FileEdit>) -> Vec<u8> {
    for _ in 0..MAX_ROUNDS {
        if edits.is_empty() {
            break;
        }
        edits.sort_by(|a, b| key(a).cmp(&key(b)));
        edits.dedup();
        let (now, later) = disjoint(edits);
        bytes = replaced(&bytes, &now);
        let made = Made::new(&now);
        edits = later.into_iter().filter_map(|it| planned_anew(it, &made, &bytes)).collect();
    }
    bytes
}

fn key(it: &FileEdit) -> (u32, u32, &str) {
    (it.start, it.end, &it.replacement)
}

/// Splits the edits into those that overlap no earlier one, and the others.
fn disjoint(sorted: Vec<FileEdit>) -> (Vec<FileEdit>, Vec<FileEdit>) {
    let mut at = 0;
    sorted.into_iter().partition(|it| {
        let is_free = it.start >= at;
        at = if is_free { it.end } else { at };
        is_free
    })
}

fn replaced(bytes: &[u8], edits: &[FileEdit]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for FileEdit { start, end, replacement, .. } in edits {
        out.extend_from_slice(bytes.get(at..*start as usize).unwrap_or_default());
        out.extend_from_slice(replacement.as_bytes());
        at = *end as usize;
    }
    out.extend_from_slice(bytes.get(at..).unwrap_or_default());
    out
}

/// The edit that removes the same item from the text after `before`; `None` where another edit removed
/// the item.
fn planned_anew(edit: FileEdit, before: &Made, bytes: &[u8]) -> Option<FileEdit> {
    let item = edit.removes?;
    if before.covers(&item) {
        return None;
    }
    let item = before.moved(item.start)?..before.moved(item.end)?;
    let (range, replacement) = remove(bytes, item.start as usize..item.end as usize);
    let (start, end) = (range.start.try_into().ok()?, range.end.try_into().ok()?);
    Some(FileEdit { start, end, replacement, removes: Some(item), ..edit })
}

/// Edits that were made, sorted and disjoint, each with the total growth of the file up to it.
struct Made(Vec<(Range<u32>, i64)>);

impl Made {
    fn new(edits: &[FileEdit]) -> Made {
        let mut longer = 0;
        let made = edits.iter().map(|it| {
            longer +=
                it.replacement.len().try_into().unwrap_or(i64::MAX) - i64::from(it.end - it.start);
            (it.start..it.end, longer)
        });
        Made(made.collect())
    }

    fn covers(&self, item: &Range<u32>) -> bool {
        let count = self.0.partition_point(|it| it.0.start <= item.start);
        self.0.get(..count).and_then(<[_]>::last).is_some_and(|it| item.end <= it.0.end)
    }

    /// The position of an offset after the edits.
    fn moved(&self, offset: u32) -> Option<u32> {
        let count = self.0.partition_point(|it| it.0.end <= offset);
        let longer = self.0.get(..count).and_then(<[_]>::last).map_or(0, |it| it.1);
        (i64::from(offset) + longer).try_into().ok()
    }
}
