//! The fix of `undeclared-variable`: the value goes out of its file. Terraform ignores it anyway.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::removal::remove;
use diagnostics::{
    Cause, Diagnostic, Diagnostics, Edit, Fix, Safety, Sources, Span, lints, suggestion,
};
use module::{
    Module,
    inputs::{GivenValue, InputSource, Layer},
};

/// The values in files for variables that a module does not declare, by the place of each name.
pub struct Undeclared<'m> {
    module: &'m Module,
    values: HashMap<Span, (SmolStr, Arc<GivenValue>)>,
    /// The declared variables that the files give.
    given: HashSet<SmolStr>,
}

impl<'m> Undeclared<'m> {
    pub fn of(module: &'m Module, layers: &[Layer]) -> Undeclared<'m> {
        let (mut values, mut given) = (HashMap::default(), HashSet::default());
        for layer in layers.iter().filter(|it| matches!(it.origin, InputSource::File(_))) {
            for (name, entry) in &layer.entries {
                if module.variables.contains_key(name.as_str()) {
                    given.insert(name.clone());
                } else {
                    values.insert(entry.name_span, (name.clone(), Arc::clone(&entry.given)));
                }
            }
        }
        Undeclared { module, values, given }
    }

    /// Adds the fix to findings that have none. `takes_all`: also to those with a rename that is a guess, and for
    /// what a finding only counts.
    pub fn fix(&self, found: &mut Diagnostics, sources: &Sources, takes_all: bool) {
        let undeclared = found.iter_mut().filter(|it| it.rule == lints::UNDECLARED_VARIABLE);
        for it in undeclared {
            let Some(span) = it.span() else { continue };
            if matches!(it.cause, Some(Cause::More(_))) && takes_all {
                let of_file = self.values.iter().filter(|(name, _)| name.file == span.file);
                let others = of_file.filter(|(_, (name, _))| !self.is_likely_typo(name));
                let edits = others.map(|(at, (_, it))| edit(*at, it.span().end, sources));
                it.fix = Some(removal(edits.collect()));
            } else if let Some((name, given)) = self.values.get(&span)
                && (it.fix.is_none() || takes_all && !self.is_likely_typo(name))
            {
                it.fix = Some(removal(vec![edit(span, given.span().end, sources)]));
            }
        }
    }

    /// Makes renames safe: nobody runs an example, so they change nothing that is deployed. Two values do not get the
    /// same name.
    pub fn trust_renames(&self, found: &mut Diagnostics) {
        let mut targets: HashMap<String, usize> = HashMap::default();
        let is_rename = |it: &Fix| it.safety == Safety::Suggestion;
        let target =
            |fix: &Fix| fix.edits.first().map(|it| it.replacement.trim_matches('"').to_owned());
        let undeclared = |it: &&mut Diagnostic| it.rule == lints::UNDECLARED_VARIABLE;
        for it in found.iter_mut().filter(undeclared).filter_map(|it| it.fix.as_ref()) {
            if let Some(name) = target(it).filter(|_| is_rename(it)) {
                *targets.entry(name).or_default() += 1;
            }
        }
        for it in found.iter_mut().filter(undeclared) {
            let is_typo = it.variable.as_deref().is_some_and(|it| self.is_likely_typo(it));
            let Some(fix) = it.fix.as_mut().filter(|it| is_typo && is_rename(it)) else { continue };
            let Some(name) = target(fix) else { continue };
            if targets.get(&name) == Some(&1) && !self.given.contains(name.as_str()) {
                fix.safety = Safety::Safe;
            }
        }
    }

    /// Whether the name is so near to that of a declared variable without a value that its author surely meant that
    /// one: removing the value would lose it.
    fn is_likely_typo(&self, name: &str) -> bool {
        let names = self.module.variables.keys().map(SmolStr::as_str);
        let open = names.filter(|it| !self.given.contains(*it));
        let near = suggestion(name, open);
        near.is_some_and(|it| {
            name.chars().count() >= LONG || strsim::levenshtein(name, it) < 2 && name.len() > SHORT
        })
    }
}

/// Names of so many characters have no second name two edits away by chance.
const LONG: usize = 6;
/// To a name of so few bytes most names are near.
const SHORT: usize = 3;

fn removal(edits: Vec<Edit>) -> Fix {
    let description = "Remove the value; Terraform ignores it".to_owned();
    Fix { description, edits, safety: Safety::Safe }
}

fn edit(name: Span, end: u32, sources: &Sources) -> Edit {
    let bytes = &sources.file(name.file).bytes;
    let end = with_comment(bytes, end as usize);
    let removes = name.start..u32::try_from(end).unwrap_or(u32::MAX);
    let (range, replacement) = remove(bytes, name.start as usize..end);
    let span = Span::new(name.file, range.start, range.end);
    Edit { span, replacement, removes: Some(removes) }
}

/// The end of a comment after the value that ends with its line, else the value's own end. Such a comment is about
/// the value; one above it may be about more.
fn with_comment(bytes: &[u8], end: usize) -> usize {
    let rest = bytes.get(end..).unwrap_or_default();
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let text = line.trim_ascii();
    let is_whole_comment = text.starts_with(b"#")
        || text.starts_with(b"//")
        || text.starts_with(b"/*")
            && memchr::memmem::find(text, b"*/").is_some_and(|at| at + 2 == text.len());
    // A heredoc ends with its last line.
    let is_next_line = bytes.get(..end).is_some_and(|it| it.ends_with(b"\n"));
    if is_whole_comment && !is_next_line { end + line.trim_ascii_end().len() } else { end }
}
