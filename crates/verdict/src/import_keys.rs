//! Keys of an import's target that are expressions. In Terraform they can refer only to `each`.

use std::cell::Cell;

use diagnostics::{Diagnostic, Role, lints};
use hcl::{
    Expr, ExprKind,
    analysis::{ConstantIndex, OpenStep, as_keyword, closed_traversal, open_traversal},
};
use module::{Address, AddressForm, Import};
use release::Product;
use stack::guarded;
use tf_eval::{ReferenceStep, RootReference, Scope, evaluate_in_detail, references};
use tf_value::{Type, Value};

/// The error in a key of an import, which is for one element if the import has `for_each`.
pub(super) fn check(import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    let (_, steps) = open_traversal(&import.to);
    steps.into_iter().find_map(|it| match it {
        OpenStep::Key(key) => unfit(key, import, scope),
        OpenStep::Attribute(_) => None,
    })
}

/// The names in the address that an import is to, without keys.
pub(super) fn names(to: &Expr) -> Vec<&str> {
    let (root, steps) = open_traversal(to);
    let names = steps.into_iter().filter_map(|it| match it {
        OpenStep::Attribute(it) => Some(it.name.as_str()),
        OpenStep::Key(_) => None,
    });
    as_keyword(root).into_iter().chain(names).collect()
}

/// The address that an import is to, with the values of its keys; `None` where a key is unknown or not valid as
/// a key. The flag says whether the keys must not be printed.
pub(super) fn address(import: &Import, scope: &Scope<'_>) -> Option<(Address, bool)> {
    let is_hidden = Cell::new(false);
    let key = |key: &Expr| {
        ConstantIndex::new(key).or_else(|| {
            let value = evaluate_in_detail(key, scope).value;
            let (value, marks) = value.unmark_deep();
            is_hidden.set(is_hidden.get() || marks.is_hidden());
            let number =
                || Some(ConstantIndex::Number(value.as_number()?.to_i64()?.to_string().into()));
            value.as_str().map(|it| ConstantIndex::String(it.into())).or_else(number)
        })
    };
    let to = closed_traversal(&import.to, key)?;
    Some((Address::new(&to, AddressForm::of(scope.release))?, is_hidden.get()))
}

fn unfit(key: &Expr, import: &Import, scope: &Scope<'_>) -> Option<Diagnostic> {
    if ConstantIndex::new(key).is_some() {
        return None;
    }
    let refuse = |summary: &str, detail: &str| {
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
        Some(problem.detail(detail.to_owned()).at(Role::Rule, key.span))
    };
    // OpenTofu evaluates keys as it does any expression.
    if scope.release.product() == Product::Terraform {
        if import.for_each.is_none() {
            return refuse("Invalid expression", "Without for_each, the key must be a constant.");
        }
        if references(key).iter().any(|it| it.name != "each") {
            return refuse("Unknown variable", "A key can refer only to each.key and each.value.");
        }
        let names_part = |it: &RootReference<'_>| {
            let part = it.steps().first().copied();
            matches!(part, Some(ReferenceStep::Attribute("key" | "value")))
        };
        if !references(key).iter().all(names_part) {
            return refuse(
                "Unsupported attribute",
                "The only attributes are each.key and \
                each.value.",
            );
        }
        if calls(key) {
            return refuse("Function calls not allowed", "A key cannot call a function.");
        }
    }
    let evaluation = evaluate_in_detail(key, scope);
    if let Some(problem) = evaluation.diagnostics.into_iter().next() {
        return Some(problem);
    }
    let (value, marks) = evaluation.value.unmark_deep();
    if marks.is_sensitive() && scope.release.product() == Product::Terraform {
        return refuse("Invalid index expression", "The key of an instance must not be sensitive.");
    }
    if is_key(&value) {
        return None;
    }
    refuse("Invalid address", "The key of an instance must be a string or a whole number.")
}

/// Whether a value can be a key; an unknown one can.
fn is_key(value: &Value) -> bool {
    match value.ty() {
        _ if !value.is_known() => true,
        _ if value.is_null() => false,
        Type::String => true,
        Type::Number => value.as_number().is_some_and(|it| it.to_u64().is_some()),
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
