//! The values files that `input` blocks name, as sets.

use std::{
    collections::{HashMap, HashSet},
    io,
    ops::Range,
    path::PathBuf,
    sync::Arc,
};

use super::{
    inputs::{InputSet, SET, is_automatic},
    subject::{Absent, CheckedModule},
};
use config::{Expanded, NamedInputs};
use diagnostics::{Diagnostic, Diagnostics, Level, LevelReason, Role, Span, lints};
use system::paths;

/// The units of work of a file that a set names.
const NAMED: u64 = 10;

/// The sets of the module's `input` blocks, and diagnostics for entries that match no file.
///
/// A file that an `each` matches is a set of its own, unless a block of the module has it among its `files`, which
/// says how it is used, or Terraform reads it automatically anyway. Sets that are the same are judged once.
pub(super) fn sets(subject: &mut CheckedModule<'_>) -> io::Result<(Vec<InputSet>, Diagnostics)> {
    let (mut sets, mut found) = (Vec::new(), Diagnostics::new());
    let all = subject.settings.inputs.clone();
    let mut known = Expanded::default();
    let dir = paths::clean(&subject.system().current_dir()?.join(subject.dir));
    let patterns = all.iter().map(|it| it.files.len()).sum();
    let (mut used, mut wordings) = (HashMap::new(), HashSet::new());
    for named in &all {
        if wordings.contains(&named.wording()) {
            continue;
        }
        let mut expanded = named.expand(&subject.system, &mut known)?;
        let mut is_own = |file: &PathBuf| {
            let is_used = *used.entry(file.clone()).or_insert_with(|| {
                known.compare(patterns);
                all.iter().any(|it| it.uses(file))
            });
            !is_used && !is_automatic(&dir, file)
        };
        let is_own: Vec<bool> = expanded.each.iter().map(&mut is_own).collect();
        // Files that are not read for a set may still be named by it.
        let files = expanded.files.len() * expanded.each.len().max(1) + expanded.each.len();
        let work =
            SET * expanded.each.len().max(1) as u64 + known.take_work() + NAMED * files as u64;
        if !subject.meter.charge(work) {
            break;
        }
        if expanded.unmatched.is_empty() {
            wordings.insert(named.wording());
        }
        found.extend(unmatched(named, &expanded.unmatched, subject));
        // Where nothing else is matched, the automatic files are what the block is about.
        if is_own.contains(&true) {
            let mut is_own = is_own.into_iter();
            expanded.each.retain(|_| is_own.next().unwrap_or_default());
        }
        let missing = (!named.partial).then_some(Level::Error);
        let mut add = |files: Vec<PathBuf>| -> io::Result<()> {
            let files = seen_from(subject, files)?;
            let is_excluded = |it: &PathBuf| {
                subject.request.exclude.as_ref().is_some_and(|globs| globs.covers(it))
            };
            // They are used together, so that the others alone would be judged wrongly.
            if files.iter().any(is_excluded) {
                subject.left_out.extend(files.iter().map(|it| paths::display(it)));
                return Ok(());
            }
            sets.push(InputSet {
                files,
                missing,
                named: Some(Arc::clone(named)),
                is_example: false,
            });
            Ok(())
        };
        if named.each.is_empty() {
            if !expanded.files.is_empty() {
                add(expanded.files)?;
            }
        } else {
            for file in expanded.each {
                add([expanded.files.clone(), vec![file]].concat())?;
            }
        }
    }
    let mut seen = HashSet::new();
    sets.retain(|set: &InputSet| {
        let given = set.named.as_ref().map(|it| it.given.to_string());
        seen.insert((set.files.clone(), set.missing, given))
    });
    Ok((sets, found))
}

/// Diagnostics for the patterns of a block that match no file: errors where nothing is left to judge. A path without a
/// file is reported where the file is read.
fn unmatched(
    named: &NamedInputs,
    entries: &[usize],
    subject: &mut CheckedModule<'_>,
) -> Diagnostics {
    let (files, count) = (named.files.len(), named.files.len() + named.each.len());
    let has_none = |mut of: Range<usize>| !of.is_empty() && of.all(|it| entries.contains(&it));
    let sources = subject.module.sources_mut();
    let mut problem = |summary: String| {
        let known = sources.find(&named.file.path);
        let file =
            known.unwrap_or_else(|| sources.add(named.file.path.clone(), named.file.bytes.clone()));
        Diagnostic::new(&lints::UNREADABLE_INPUT, summary)
            .at(Role::Declaration, Span { file, ..named.span })
    };
    if has_none(0..count) || has_none(files..count) {
        return vec![problem(format!("The input \"{}\" matches no file", named.name))];
    }
    let entry = |at: &usize| {
        let (list, pattern) = match at.checked_sub(files) {
            Some(at) => ("each", &named.each[at]),
            None => ("files", &named.files[*at]),
        };
        let (name, pattern) = (&named.name, pattern.text());
        let summary = format!("\"{pattern}\" in {list} of the input \"{name}\" matches no file");
        problem(summary).because(LevelReason::OthersHaveEffect)
    };
    entries.iter().map(entry).collect()
}

/// Notes the values files at the module's place that no block names, so that nothing judges them.
pub(super) fn note_unnamed(subject: &mut CheckedModule<'_>, values: &[PathBuf]) -> io::Result<()> {
    let current = subject.system().current_dir()?;
    let is_unnamed = |it: &&PathBuf| {
        let file = paths::clean(&current.join(it));
        !is_automatic(subject.dir, it)
            && !subject.settings.inputs.iter().any(|set| set.names(&file))
    };
    let reason = "no `input` block of its module lists it";
    let absent = |it: &PathBuf| Absent { file: paths::display(it), reason: reason.to_owned() };
    let found: Vec<Absent> = values.iter().filter(is_unnamed).map(absent).collect();
    subject.absent.extend(found);
    Ok(())
}

/// Absolute paths in the form in which the module's directory is written.
fn seen_from(subject: &CheckedModule<'_>, files: Vec<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let current = subject.system().current_dir()?;
    let is_inside = !subject.dir.has_root() && !subject.dir.starts_with("..");
    let shorten = |it: PathBuf| if is_inside { paths::relative(&current, &it) } else { it };
    Ok(files.into_iter().map(shorten).collect())
}
