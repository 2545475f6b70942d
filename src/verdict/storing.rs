//! Given values that a plan has no room for.

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, rules},
    inputs::Collected,
    module::Module,
    value::json::type_depth,
};

/// How deep the notation of a value's type may nest. The outermost pair of brackets or braces does
/// not count, so that 5,001 levels of tuples or objects are the most.
const MAX_DEPTH: usize = 10_000 + 2;

/// A plan keeps every value as it was given, before conversion, except those of ephemeral
/// variables. Terraform names the variable only in its words.
pub(super) fn check(module: &Module, collected: &Collected) -> Diagnostics {
    let kept = collected.iter().filter(|(name, input)| {
        let is_kept = module.variables.get(*name).is_some_and(|it| !it.is_ephemeral());
        is_kept && type_depth(input.value.ty()) > MAX_DEPTH
    });
    let problem = |name: &str| {
        let summary = "Failed to prepare variable value for plan";
        let detail = format!("The value for \"{name}\" is nested deeper than a plan can hold.");
        Diagnostic::new(&rules::INVALID_INPUT_SYNTAX, summary).detail(detail)
    };
    kept.map(|(name, input)| problem(name).at(Role::Value, input.span())).collect()
}
