//! The most findings of a kind in a file: a reader cannot go through a hundred thousand, and a hostile file could have
//! millions.

use std::collections::HashMap;

use super::{Cause, Diagnostic, Diagnostics, Level, LintId, Sources};

/// The number of findings of a rule in a file that are reported one by one.
pub const MOST_OF_A_KIND: usize = 1000;

/// Keeps that many diagnostics of each rule in each file, and adds one that counts the others.
pub fn at_most_of_a_kind(diagnostics: Diagnostics, sources: &Sources) -> Diagnostics {
    // One more needs no other that counts it.
    if diagnostics.len() <= MOST_OF_A_KIND + 1 {
        return diagnostics;
    }
    let mut numbers: HashMap<(LintId, Option<&str>), usize> = HashMap::new();
    let file = |it: &Diagnostic| it.span().map(|at| sources.file(at.file).path.as_str());
    for it in &diagnostics {
        *numbers.entry((it.rule.clone(), file(it))).or_default() += 1;
    }
    numbers.retain(|_, number| *number > MOST_OF_A_KIND + 1);
    let mut kept: HashMap<(LintId, Option<&str>), usize> = HashMap::new();
    let mut rest: HashMap<(LintId, Option<&str>), Rest> = HashMap::new();
    let mut out = Diagnostics::new();
    for it in diagnostics {
        let kind = (it.rule.clone(), file(&it));
        let is_counted = numbers.contains_key(&kind);
        let number = kept.entry(kind.clone()).or_default();
        if is_counted && *number >= MOST_OF_A_KIND {
            rest.entry(kind).or_insert_with(|| Rest::new(out.len())).add(it);
        } else {
            *number += 1;
            out.push(it);
        }
    }
    let mut rest: Vec<Rest> = rest.into_values().collect();
    rest.sort_by_key(|it| it.at);
    out.extend(rest.into_iter().filter_map(Rest::diagnostic));
    out
}

/// Diagnostics of a kind that are only counted.
struct Rest {
    /// The number of diagnostics that are kept before the first of them.
    at: usize,
    first: Option<Diagnostic>,
    number: usize,
    level: Level,
}

impl Rest {
    fn new(at: usize) -> Rest {
        Rest { at, first: None, number: 0, level: Level::Note }
    }

    fn add(&mut self, it: Diagnostic) {
        self.number += match it.cause {
            Some(Cause::More(number)) => number,
            _ => 1,
        };
        self.level = self.level.max(it.level());
        self.first.get_or_insert(it);
    }

    fn diagnostic(self) -> Option<Diagnostic> {
        let first = self.first?;
        let role = first.labels.first().map(|it| it.role);
        let more = more(self.number, &first.rule, self.level);
        Some(match (role, first.span()) {
            (Some(role), Some(span)) => more.at(role, span),
            _ => more,
        })
    }
}

/// The diagnostic that counts so many others of a rule; `level` is the highest of theirs.
pub fn more(number: usize, rule: &LintId, level: Level) -> Diagnostic {
    let summary = format!("{number} more findings of {rule} in this file");
    let detail = format!("Only the first {MOST_OF_A_KIND} are listed.");
    Diagnostic::of(rule.clone(), level, summary).detail(detail).cause(Cause::More(number))
}
