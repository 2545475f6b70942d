//! Given values that a plan cannot store.

use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use module::{Module, inputs::Collected};
use tf_value::json::type_depth;

/// The limit for the nesting of a value's type in its notation. The outermost pair of brackets or braces
/// does not count, so at most 5,001 levels of tuples or objects are accepted.
const MAX_DEPTH: usize = 10_000 + 2;

/// Errors for values that nest too deep: a plan stores every value as it was given, before conversion,
/// except those of ephemeral variables. Terraform's words name only the variable, and so do these.
pub(super) fn check(module: &Module, collected: &Collected) -> Diagnostics {
    let kept = collected.iter().filter(|(name, input)| {
        let is_kept = module.variables.get(*name).is_some_and(|it| !it.is_ephemeral());
        is_kept && type_depth(input.value.ty()) > MAX_DEPTH
    });
    let problem = |name: &str| {
        let summary = "Failed to prepare variable value for plan";
        let detail = format!("The value for \"{name}\" is nested too deeply for a plan.");
        Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, summary).detail(detail)
    };
    kept.map(|(name, input)| problem(name).at(Role::Value, input.span())).collect()
}
