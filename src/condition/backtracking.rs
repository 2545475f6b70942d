//! Patterns as every reader of a schema can bear them.

use super::{Constraint, context::Context};
use crate::re2::{Backtracking, backtracking};

/// The same set, its patterns written so that an engine that backtracks reads them in linear time.
/// Those for which there is none are added to `slow`, each once.
pub fn linear(constraint: &mut Constraint, slow: &mut Vec<String>, context: &Context<'_>) {
    match constraint {
        Constraint::Matches(pattern) => replace(pattern, slow, context),
        Constraint::ValuesMatching(pattern, inner) => {
            replace(pattern, slow, context);
            linear(inner, slow, context);
        }
        Constraint::All(parts) | Constraint::Either(parts) | Constraint::ExactlyOne(parts) => {
            parts.iter_mut().for_each(|it| linear(it, slow, context));
        }
        Constraint::Not(inner)
        | Constraint::Member { values: inner, .. }
        | Constraint::Place { values: inner, .. }
        | Constraint::Items(inner)
        | Constraint::SomeItem(inner)
        | Constraint::Values(inner)
        | Constraint::Keys(inner)
        | Constraint::ValuesBeside(_, inner) => linear(inner, slow, context),
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

fn replace(pattern: &mut String, slow: &mut Vec<String>, context: &Context<'_>) {
    let mut work = 0;
    let verdict = backtracking(pattern, &mut work);
    context.pay(work);
    match verdict {
        Backtracking::Linear => (),
        Backtracking::Rewritten(other) => *pattern = other,
        Backtracking::Unbounded if slow.contains(pattern) => (),
        Backtracking::Unbounded => slow.push(pattern.clone()),
    }
}
