//! `default-fails-validation`: a default, of a variable or of an optional attribute at any depth,
//! breaks the variable's own rules. Terraform says so only when somebody uses it.

use super::{ModuleContext, Tried, places::Place};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role},
    module::Variable,
    value::Value,
    verdict::{Probe, Trial},
};

const RULE: &str = "default-fails-validation";

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let setting = context.setting;
    let host = setting.host();
    let probe = Probe::new(context.module, context.judge, setting, &host);
    let Some(mut probe) = probe else { return Vec::new() };
    let mut found = Vec::new();
    for Tried { variable, index, places } in &context.validations {
        let blamed = match default(&mut probe, variable, *index) {
            Some(it) => vec![it],
            None => optional(&mut probe, variable, *index, places),
        };
        // A rule that never works is no fault of a default.
        if !blamed.is_empty() && !probe.always_crashes(variable, *index) {
            found.extend(blamed);
        }
    }
    found.extend(probe.into_exceeded());
    found
}

fn default(probe: &mut Probe<'_>, variable: &Variable, index: usize) -> Option<Diagnostic> {
    let value = variable.default.clone()?;
    let failure = failure(probe.rule(variable, index, value))?;
    let summary = format!("The default of \"{}\" breaks the variable's own rule", variable.name);
    let span = variable.default_expr.as_ref().map_or(variable.span, |it| it.span);
    let diagnostic = Diagnostic::error(RULE, summary).detail(failure.message());
    Some(finish(diagnostic.at(Role::Value, span), failure, variable, index))
}

/// Optional attributes whose default breaks the rule wherever it is filled in; of nested ones only
/// the innermost is to blame.
fn optional(
    probe: &mut Probe<'_>,
    variable: &Variable,
    index: usize,
    places: &[Place],
) -> Diagnostics {
    let mut blamed: Vec<(&Place, Diagnostic)> = Vec::new();
    for place in places.iter().rev() {
        if blamed.iter().any(|(inner, _)| place.contains(inner)) {
            continue;
        }
        let Some(failure) = failure_of(probe, variable, index, place) else { continue };
        let summary = format!(
            "The default of \"{}{place}\" breaks a rule of \"{}\"",
            variable.name, variable.name
        );
        let span = variable.type_span.unwrap_or(variable.span);
        let diagnostic = Diagnostic::error(RULE, summary).detail(failure.message());
        let diagnostic = diagnostic.at_with(Role::Value, span, format!("{place} is optional here"));
        blamed.push((place, finish(diagnostic, failure, variable, index)));
    }
    blamed.into_iter().rev().map(|it| it.1).collect()
}

/// The failure that the default alone causes: in collections of one element and of two, and not
/// where the attribute is unknown.
fn failure_of(
    probe: &mut Probe<'_>,
    variable: &Variable,
    index: usize,
    place: &Place,
) -> Option<Diagnostic> {
    let default = place.default.as_ref()?;
    let constraint = &variable.constraint;
    let mut first = None;
    for count in [1, 2] {
        let value = place.sample(constraint, default, count)?;
        let found = failure(probe.rule(variable, index, value))?;
        let unknown = Value::unknown(place.ty.clone());
        let without = place.sample(constraint, &unknown, count)?;
        if probe.rule(variable, index, without) != Trial::Passes {
            return None;
        }
        first.get_or_insert(found);
    }
    first
}

fn failure(trial: Trial) -> Option<Diagnostic> {
    match trial {
        // That the work is used up is told apart.
        Trial::Passes | Trial::Exceeds(_) => None,
        Trial::Fails(it) => Some(*it),
        Trial::Crashes(problems) => problems.into_iter().next(),
    }
}

fn finish(
    diagnostic: Diagnostic,
    failure: Diagnostic,
    variable: &Variable,
    index: usize,
) -> Diagnostic {
    let mut diagnostic = diagnostic.variable(variable.name.clone()).validation(index);
    diagnostic.labels.extend(failure.labels.into_iter().filter(|it| it.role == Role::Rule));
    diagnostic
}
