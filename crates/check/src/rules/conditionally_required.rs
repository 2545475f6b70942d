//! `conditionally-required`: a rule of a variable is broken as long as other variables have their
//! defaults. Modules express "required if" like this, so the finding says so.

use std::collections::HashSet;

use super::{ModuleContext, named};
use diagnostics::{Diagnostic, Role, lints};
use hcl::Expr;
use module::{Module, Variable};
use tf_eval::{ReferenceStep, references};

/// The number of other variables that a finding names.
const MOST_NAMED: usize = 5;

/// The finding about `what`, the variable or an optional attribute of it. `failure` is the plan's
/// diagnostic with nothing but defaults.
pub(super) fn found(
    context: &ModuleContext<'_>,
    variable: &Variable,
    index: usize,
    what: &str,
    failure: &Diagnostic,
) -> Diagnostic {
    let condition = variable.validations.get(index).map(|it| &it.condition);
    let others = condition.map(|it| others(context.module, variable, it)).unwrap_or_default();
    let have =
        if others.len() == 1 { "has its default value" } else { "have their default values" };
    let between = if others.len() > MOST_NAMED { ", " } else { " and " };
    let others = match named(&others, MOST_NAMED, between) {
        none if none.is_empty() => "other variables".to_owned(),
        names => names,
    };
    let summary = format!("\"{what}\" is required while {others} {have}");
    let help = format!("callers of the module: set \"{what}\", or change {others}");
    let diagnostic = Diagnostic::new(&lints::CONDITIONALLY_REQUIRED, summary)
        .detail(failure.message())
        .help(help);
    let span = variable.default_expr.as_ref().map_or(variable.span, |it| it.span);
    let mut diagnostic = diagnostic.at(Role::Declaration, span);
    diagnostic.labels.extend(failure.labels.iter().filter(|it| it.role == Role::Rule).cloned());
    diagnostic.variable(variable.name.clone()).validation(index)
}

/// The other variables with defaults that a condition reads, itself or through locals.
fn others<'m>(module: &'m Module, variable: &Variable, condition: &'m Expr) -> Vec<&'m str> {
    let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![condition]);
    while let Some(expr) = open.pop() {
        for root in references(expr) {
            let Some(ReferenceStep::Attribute(name)) = root.first else { continue };
            if !seen.insert((root.name, name)) {
                continue;
            }
            match root.name {
                "local" => open.extend(module.locals.get(name).map(|it| &it.expr)),
                "var" if name != variable.name => {
                    let other = module.variables.get(name).filter(|it| it.default.is_some());
                    found.extend(other.map(|it| it.name.as_str()));
                }
                _ => (),
            }
        }
    }
    found
}
