//! Patterns as every reader of a schema can bear them.

use super::Constraint;
use crate::{
    eval::Meter,
    re2::{Backtracking, backtracking},
};

/// The same set, its patterns written so that an engine that backtracks reads them in linear time.
/// Those for which there is none are added to `slow`, each once.
pub fn linear(constraint: &mut Constraint, slow: &mut Vec<String>, meter: &Meter) {
    match constraint {
        Constraint::Matches(pattern) => replace(pattern, slow, meter),
        Constraint::ValuesMatching(pattern, inner) => {
            replace(pattern, slow, meter);
            linear(inner, slow, meter);
        }
        Constraint::All(parts) | Constraint::Either(parts) | Constraint::ExactlyOne(parts) => {
            parts.iter_mut().for_each(|it| linear(it, slow, meter));
        }
        Constraint::Not(inner)
        | Constraint::Member { values: inner, .. }
        | Constraint::Place { values: inner, .. }
        | Constraint::Items(inner)
        | Constraint::SomeItem(inner)
        | Constraint::Count(_, inner)
        | Constraint::Values(inner)
        | Constraint::Keys(inner)
        | Constraint::ValuesBeside(_, inner) => linear(inner, slow, meter),
        Constraint::Anything
        | Constraint::Nothing
        | Constraint::Kind(_)
        | Constraint::OneOf(_)
        | Constraint::Range(_)
        | Constraint::Length(..)
        | Constraint::MultipleOf(_)
        | Constraint::Unique => (),
    }
}

fn replace(pattern: &mut String, slow: &mut Vec<String>, meter: &Meter) {
    let mut work = 0;
    let verdict = backtracking(pattern, &mut work);
    // Where the work is too much, the meter says so to whoever made it.
    let _ = meter.spend(work);
    match verdict {
        Backtracking::Linear => (),
        Backtracking::Rewritten(other) => *pattern = other,
        Backtracking::Unbounded if slow.contains(pattern) => (),
        Backtracking::Unbounded => slow.push(pattern.clone()),
    }
}

impl Constraint {
    /// Adds every pattern in it.
    pub fn collect_patterns<'c>(&'c self, out: &mut Vec<&'c str>) {
        match self {
            Constraint::Matches(pattern) => out.push(pattern),
            Constraint::ValuesMatching(pattern, inner) => {
                out.push(pattern);
                inner.collect_patterns(out);
            }
            Constraint::Not(inner)
            | Constraint::Member { values: inner, .. }
            | Constraint::Place { values: inner, .. }
            | Constraint::Items(inner)
            | Constraint::SomeItem(inner)
            | Constraint::Count(_, inner)
            | Constraint::Values(inner)
            | Constraint::Keys(inner)
            | Constraint::ValuesBeside(_, inner) => inner.collect_patterns(out),
            Constraint::All(parts) | Constraint::Either(parts) | Constraint::ExactlyOne(parts) => {
                parts.iter().for_each(|it| it.collect_patterns(out));
            }
            _ => (),
        }
    }
}
