//! Keys of an import's target that are expressions, of which Terraform knows `each` alone.

use crate::{
    diagnostic::{Diagnostic, Role, rules},
    eval::{Scope, Trace, evaluate_in_detail, references},
    module::Import,
    release::Product,
    stack::guarded,
    syntax::{
        Expr, ExprKind,
        analysis::{Key, OpenStep, open_traversal},
    },
    value::{Type, Value},
};

/// The error in a key of an import, which is for one element if the import has `for_each`.
pub(super) fn check(import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    let (_, steps) = open_traversal(&import.to);
    steps.into_iter().find_map(|it| match it {
        OpenStep::Key(key) => unfit(key, import, scope),
        OpenStep::Attribute(_) => None,
    })
}

fn unfit(key: &Expr, import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    if Key::new(key).is_some() {
        return None;
    }
    let refuse = |summary: &str, detail: &str| {
        let problem = Diagnostic::new(&rules::UNDECLARED_REFERENCE, summary);
        Some(problem.detail(detail.to_owned()).at(Role::Rule, key.span))
    };
    // OpenTofu evaluates keys as it does any expression.
    if scope.release.product() == Product::Terraform {
        if import.for_each.is_none() {
            return refuse("Invalid expression", "Without for_each a key is constant.");
        }
        if references(key).iter().any(|it| it.name != "each") {
            return refuse("Unknown variable", "A key can refer to each.key and each.value only.");
        }
        if calls(key) {
            return refuse("Function calls not allowed", "A key cannot call a function.");
        }
    }
    let evaluation = evaluate_in_detail(key, scope, Trace::Off);
    if let Some(problem) = evaluation.diagnostics.into_iter().next() {
        return Some(problem);
    }
    if is_key(&evaluation.value.unmark().0) {
        return None;
    }
    refuse("Invalid address", "The key of an instance is a text or a whole number.")
}

/// Whether a value can be a key, as far as it is known.
fn is_key(value: &Value) -> bool {
    match value.ty() {
        _ if !value.is_known() => true,
        _ if value.is_null() => false,
        Type::String => true,
        Type::Number => value.as_number().is_some_and(|it| it.to_i64().is_some()),
        _ => false,
    }
}

fn calls(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Call { .. });
    if !found && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| found |= calls(it)));
    }
    found
}
