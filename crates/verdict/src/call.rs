//! Calls of modules: how many instances, which arguments, what value each.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{
    members::Members,
    repetition::{self, Expansion},
};
use diagnostics::{Diagnostic, Diagnostics, Role, lints, suggestion};
use module::{
    BodyArgument, ModuleCall, Values, Variable, can_name_variable,
    inputs::{GivenValue, Input, InputSource},
};
use tf_eval::{Instance, RootReference, evaluate_in_detail, references};
use tf_value::{Type, Value};

/// Errors in the names of a call, which no value changes: required variables that the call leaves out,
/// and arguments that name no variable.
pub(super) fn check_names(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        for call in member.module.calls.values() {
            let Some(called) = members.called(index, &call.name) else { continue };
            let variables = &members.get(called).module.variables;
            let is_wanted = |it: &&Variable| it.is_required() && can_name_variable(&it.name);
            let required = variables.values().filter(is_wanted);
            let is_given = |name: &SmolStr| match &call.overridden {
                Some(before) => before.contains(name),
                None => call.arguments.contains_key(name),
            };
            let missing = required.filter(|it| !is_given(&it.name));
            found.extend(missing.map(|variable| {
                let mut problem = missing_argument(call, variable);
                // The declaration is in the called module's files.
                let declaration = problem.labels.pop();
                let mut problem = members.own(index, problem);
                problem.labels.extend(declaration.map(|mut label| {
                    label.span = label.span.shifted(members.get(called).shift);
                    label
                }));
                problem.address = members.get(called).address.into();
                problem
            }));
            // Terraform drops what it does not know.
            if call.overridden.is_some() {
                continue;
            }
            found.extend(call.unknown_blocks.iter().map(|block| {
                let problem =
                    Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, "Unsupported block type");
                let detail =
                    format!("Blocks of type {:?} are not expected in a module call.", block.name);
                members.own(index, problem.detail(detail).at(Role::Declaration, block.span))
            }));
            let unknown = call.arguments.iter().filter(|(name, _)| !variables.contains_key(*name));
            for (name, argument) in unknown {
                let near = suggestion(name, variables.keys().map(SmolStr::as_str));
                let hint = near.map(|it| format!(" Did you mean \"{it}\"?")).unwrap_or_default();
                let problem = Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, "Unsupported argument");
                let detail = format!(
                    "The module called by {:?} has no variable \"{name}\".{hint}",
                    call.name
                );
                let problem = problem
                    .detail(detail)
                    .at(Role::Declaration, argument.name.span)
                    .variable(name.clone());
                let problem = members.own(index, problem);
                let address = members.get(called).address.into();
                found.push(Diagnostic { address, ..problem });
            }
        }
    }
    found
}

fn missing_argument(call: &ModuleCall, variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    let detail = format!(
        "The called module requires the variable \"{name}\", which has no \
        default."
    );
    Diagnostic::new(&lints::MISSING_ARGUMENT, format!("Missing required argument \"{name}\""))
        .detail(detail)
        .at(Role::Declaration, call.span)
        .at_with(Role::Declaration, variable.span, "declared here")
        .variable(name.clone())
}

/// The instances of a called module.
pub(super) fn expand(
    call: &ModuleCall,
    values: &Values<'_>,
    is_static: bool,
) -> (Option<Expansion>, Diagnostics) {
    let (expansion, mut found) = repetition::expand(&call.repetition, &values.scope(), is_static);
    if is_static {
        found.extend(super::body::dependencies(&call.depends_on, &values.scope()));
    }
    (expansion, found)
}

/// Errors in the arguments of a module that is not here: no variable takes them, so each is evaluated where the call
/// ends.
pub(super) fn arguments_of_absent(
    call: &ModuleCall,
    expansion: &Expansion,
    values: &Values<'_>,
    is_static: bool,
) -> Diagnostics {
    let mut found = Vec::new();
    for instance in expansion.instances(is_static) {
        let data = values.in_instance(&instance);
        let scope = values.scope_of(&data);
        for argument in call.arguments.values() {
            let evaluation = evaluate_in_detail(&argument.expr, &scope);
            for it in evaluation.diagnostics {
                if !found.contains(&it) {
                    found.push(it);
                }
            }
        }
    }
    found
}

/// Errors in arguments that no variable of the called module judges.
pub(super) fn other_arguments(
    call: &ModuleCall,
    is_judged: impl Fn(&SmolStr) -> bool,
    values: &Values<'_>,
) -> Diagnostics {
    let unknown = call.arguments.iter().filter(|(name, _)| !is_judged(name));
    let instance = any_instance();
    let data = values.in_instance(&instance);
    let scope = values.scope_of(&data);
    unknown.flat_map(|(_, it)| evaluate_in_detail(&it.expr, &scope).diagnostics).collect()
}

/// The instance names that arguments may refer to in the static pass: there Terraform ignores whether
/// the call has `count` or `for_each`.
pub(super) fn any_instance() -> Instance {
    let count = Some(Value::unknown(Type::Number));
    let each = Some((Value::unknown(Type::String), Value::unknown(Type::Dynamic)));
    Instance { count, each, ..Instance::default() }
}

/// The value of an argument, and what it depends on that only a plan knows. Errors have their places
/// in the caller's files.
pub(super) fn argument(
    argument: &BodyArgument,
    variable: &Variable,
    values: &Values<'_>,
    instance: &Instance,
) -> Result<(Input, Vec<String>), Diagnostics> {
    let data = values.in_instance(instance);
    // The static pass ignores whether `each` and `count` have a meaning here.
    let is_of_instance = |it: &RootReference<'_>| matches!(it.name, "each" | "count");
    let has_instance = references(&argument.expr).iter().any(is_of_instance);
    let data = if has_instance { data.checking() } else { data };
    let evaluation = evaluate_in_detail(&argument.expr, &values.scope_of(&data));
    if !evaluation.diagnostics.is_empty() {
        return Err(evaluation.diagnostics);
    }
    let value = evaluation.value;
    if value.deep_marks().is_ephemeral() && !variable.is_ephemeral() {
        let problem = Diagnostic::new(&lints::FAILED_EVALUATION, "Ephemeral value not allowed");
        let detail = format!("The variable \"{}\" is not declared as ephemeral.", variable.name);
        return Err(vec![problem.detail(detail).at(Role::Declaration, argument.expr.span)]);
    }
    let given = GivenValue::Argument(Arc::clone(&argument.expr)).into();
    let name_span = argument.name.span;
    Ok((Input { value, origin: InputSource::Call, name_span, given }, evaluation.undecided))
}
