//! Values for deprecated variables, and uses of deprecated outputs.

use super::super::subject::CheckedModule;
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use hcl::{Expr, ExprKind};
use module::{ModuleCall, Variable};
use stack::guarded;
use verdict::{expressions_in_use, in_hole};

/// The warning about a value for a deprecated variable; `value`: the place of its name.
pub fn value(variable: &Variable, value: Span, declared: Span) -> Option<Diagnostic> {
    let advice = variable.deprecated.as_deref()?;
    let found = Diagnostic::new(&lints::DEPRECATED_VARIABLE, "Deprecated variable got a value")
        .detail(sentence(advice))
        .at(Role::Value, value)
        .at_with(Role::Declaration, declared, "declared here")
        .variable(variable.name.clone());
    Some(found)
}

/// The warnings about the calls of a module. As in Terraform, `null` is not a value, and what a deprecated output is
/// made of does not count.
pub fn of_calls(subject: &CheckedModule<'_>) -> Diagnostics {
    let mut found = Diagnostics::new();
    let holes = &subject.module.distrusted().holes;
    let mut in_use = None;
    for (call, called, shift) in subject.module.called() {
        if in_hole(holes, call.span).is_some() {
            continue;
        }
        let address = format!("module.{}", call.name);
        for (name, argument) in &call.arguments {
            let Some(variable) = called.module.variables.get(name) else { continue };
            if !matches!(argument.expr.bare().kind, ExprKind::Null) {
                let declared = variable.span.shifted(shift);
                let warning = value(variable, argument.name.span, declared);
                found.extend(warning.map(|it| Diagnostic { address: (&*address).into(), ..it }));
            }
        }
        let deprecated = called.module.outputs.values().filter(|it| it.deprecated.is_some());
        for output in deprecated {
            let expressions = in_use.get_or_insert_with(|| expressions_in_use(&subject.module));
            let mut uses = Vec::new();
            expressions.iter().for_each(|it| find(it, call, &output.name, false, &mut uses));
            found.extend(uses.into_iter().map(|at| {
                Diagnostic::new(&lints::DEPRECATED_OUTPUT, "Deprecated output used")
                    .detail(sentence(output.deprecated.as_deref().unwrap_or_default()))
                    .at(Role::Rule, at)
                    .at_with(Role::Declaration, output.span.shifted(shift), "declared here")
            }));
        }
    }
    found
}

/// The advice of a module's author as a sentence of its own.
fn sentence(advice: &str) -> String {
    let advice = advice.trim();
    let end = if advice.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("The module's author says: {advice}{end}")
}

/// Adds the places that read an output of a call. `is_item`: whether `SplatItem` is an instance of it.
fn find(expr: &Expr, call: &ModuleCall, output: &str, is_item: bool, uses: &mut Vec<Span>) {
    if let ExprKind::GetAttr { base, name } = &expr.kind
        && name.name == output
        && is_instance(base, call, is_item)
    {
        uses.push(name.span);
    }
    if let ExprKind::Index { base, key, .. } = &expr.kind
        && matches!(&key.bare().kind, ExprKind::String(it) if it == output)
        && call.repetition.expr().is_none()
        && is_call(base, call)
    {
        uses.push(key.span);
    }
    guarded(|| match &expr.kind {
        ExprKind::Splat { source, each, .. } => {
            find(source, call, output, is_item, uses);
            find(each, call, output, is_call(source, call), uses);
        }
        _ => expr.for_each_child(&mut |it| find(it, call, output, is_item, uses)),
    });
}

/// `module.NAME`, or `module.NAME[KEY]`.
fn is_instance(expr: &Expr, call: &ModuleCall, is_item: bool) -> bool {
    match &expr.bare().kind {
        ExprKind::Index { base, .. } => is_call(base, call),
        ExprKind::SplatItem => is_item,
        _ => is_call(expr, call),
    }
}

fn is_call(expr: &Expr, call: &ModuleCall) -> bool {
    matches!(&expr.bare().kind, ExprKind::GetAttr { base, name }
        if name.name == call.name.as_str() && matches!(&base.kind, ExprKind::Variable(it) if it == "module"))
}
