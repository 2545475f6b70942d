//! `default-fails-validation`: the default of a variable, or of an optional attribute at any depth,
//! breaks the variable's own rules, whatever the other variables are. Terraform reports it only when
//! somebody uses the default. A rule that a default breaks only together with other defaults is
//! `conditionally-required`.

use super::{ModuleContext, Tried, conditionally_required, optional_attribute::OptionalAttribute};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use module::Variable;
use tf_value::Value;
use verdict::{Others, Probe, Trial};

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let setting = context.setting;
    let host = setting.host();
    let probe = |others| Probe::new(context.module, setting, &host, others);
    let (together, alone) = (probe(Others::Defaults), probe(Others::Unknown));
    let mut tester = Tester { context, together, alone };
    let mut found = Vec::new();
    for Tried { variable, index, attributes } in &context.validations {
        let blamed = match tester.default(variable, *index) {
            Some(it) => vec![it],
            None => tester.optional(variable, *index, attributes),
        };
        // A rule that fails for every value is not the default's fault.
        if !blamed.is_empty() && !tester.together.always_crashes(variable, *index) {
            found.extend(blamed);
        }
    }
    found.extend(tester.together.into_exceeded());
    found.extend(tester.alone.into_exceeded());
    found
}

struct Tester<'a> {
    context: &'a ModuleContext<'a>,
    /// Tries rules with the defaults of the other variables.
    together: Probe<'a>,
    /// Tries rules with unknown values for the other variables.
    alone: Probe<'a>,
}

impl Tester<'_> {
    fn default(&mut self, variable: &Variable, index: usize) -> Option<Diagnostic> {
        let value = variable.default.clone()?;
        let failure = failure(self.together.rule(variable, index, value.clone()))?;
        if self::failure(self.alone.rule(variable, index, value)).is_none() {
            let (context, name) = (self.context, &variable.name);
            return Some(conditionally_required::found(context, variable, index, name, &failure));
        }
        let summary =
            format!("The default of \"{}\" breaks the variable's own rule", variable.name);
        let span = variable.default_expr.as_ref().map_or(variable.span, |it| it.span);
        let diagnostic =
            Diagnostic::new(&lints::DEFAULT_FAILS_VALIDATION, summary).detail(failure.message());
        Some(finish(diagnostic.at(Role::Value, span), failure, variable, index))
    }

    /// Reports optional attributes whose default breaks the rule wherever it is filled in; among nested
    /// ones only the innermost is to blame.
    fn optional(
        &mut self,
        variable: &Variable,
        index: usize,
        attributes: &[OptionalAttribute],
    ) -> Diagnostics {
        let mut blamed: Vec<(&OptionalAttribute, Diagnostic)> = Vec::new();
        for attribute in attributes.iter().rev() {
            if blamed.iter().any(|(inner, _)| attribute.contains(inner)) {
                continue;
            }
            let failure = failure_of(&mut self.together, variable, index, attribute);
            let Some(failure) = failure else { continue };
            let what = format!("{}{attribute}", variable.name);
            if failure_of(&mut self.alone, variable, index, attribute).is_none() {
                let context = self.context;
                let it = conditionally_required::found(context, variable, index, &what, &failure);
                blamed.push((attribute, it));
                continue;
            }
            let summary =
                format!("The default of \"{what}\" breaks a rule of \"{}\"", variable.name);
            let span = variable.type_span.unwrap_or(variable.span);
            let diagnostic = Diagnostic::new(&lints::DEFAULT_FAILS_VALIDATION, summary)
                .detail(failure.message());
            let text = format!("{attribute} is optional here");
            let diagnostic = diagnostic.at_with(Role::Value, span, text);
            blamed.push((attribute, finish(diagnostic, failure, variable, index)));
        }
        blamed.into_iter().rev().map(|it| it.1).collect()
    }
}

/// The failure that the default alone causes: it occurs in collections of one element and of two, but
/// not where the attribute is unknown.
fn failure_of(
    probe: &mut Probe<'_>,
    variable: &Variable,
    index: usize,
    attribute: &OptionalAttribute,
) -> Option<Diagnostic> {
    let default = attribute.default.as_ref()?;
    let mut first = None;
    for count in [1, 2] {
        let value = attribute.sample(default, count)?;
        let found = failure(probe.rule(variable, index, value))?;
        let unknown = Value::unknown(attribute.ty.clone());
        let without = attribute.sample(&unknown, count)?;
        if probe.rule(variable, index, without) != Trial::Passes {
            return None;
        }
        first.get_or_insert(found);
    }
    first
}

fn failure(trial: Trial) -> Option<Diagnostic> {
    match trial {
        // An exhausted budget is reported elsewhere.
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
