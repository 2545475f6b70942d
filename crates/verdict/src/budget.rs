//! Findings about an exhausted budget: one for each rule, one for the module.

use std::collections::HashSet;

use smol_str::SmolStr;

use diagnostics::{Bound, Cause, Diagnostic, Diagnostics, Role, Span, lints};
use tf_eval::Meter;

/// The advice that ends a message about an exhausted budget.
pub const MORE_WORK: &str = "raise the limit with --max-work";

/// Merges the findings about exhausted budgets: one for each rule that is too large, and one for the
/// module. Returns whether everything was judged.
pub fn report_budgets(diagnostics: Diagnostics, meter: &Meter) -> (Diagnostics, bool) {
    let is_exceeded = |it: &Diagnostic| it.rule == lints::BUDGET_EXCEEDED;
    let is_whole = !meter.is_exhausted() && !diagnostics.iter().any(is_exceeded);
    if is_whole {
        return (diagnostics, true);
    }
    let (mut reported, mut at) = (HashSet::new(), None);
    let mut kept = Diagnostics::new();
    for it in diagnostics {
        if !is_exceeded(&it) {
            kept.push(it);
        } else if it.cause == Some(Cause::Budget(Bound::Module)) {
            at = at.or_else(|| it.span());
        } else if reported.insert(subject(&it)) {
            kept.push(it.help(MORE_WORK));
        }
    }
    kept.extend(meter.is_exhausted().then(|| of_module(at)));
    (kept, false)
}

/// The rule that was too large, or else the span of the expression.
fn subject(it: &Diagnostic) -> (Option<SmolStr>, Option<usize>, Option<Span>) {
    let rule = it.labels.iter().find(|it| it.role == Role::Rule);
    let expression = rule.map(|it| it.span).or_else(|| it.span());
    (it.variable.clone(), it.validation, expression.filter(|_| it.validation.is_none()))
}

fn of_module(at: Option<Span>) -> Diagnostic {
    let summary = "The module exceeds the work limit, so a part of it was not checked";
    let found = Diagnostic::new(&lints::BUDGET_EXCEEDED, summary).help(MORE_WORK);
    match at {
        Some(span) => found.at(Role::Rule, span),
        None => found,
    }
}
