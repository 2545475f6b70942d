//! Variables whose own default has a null element, so that the schema lets elements be null: `map(string)` with
//! the default `{ name = null }`.
//!
//! A rule that reads an element by its key, such as `var.x.name == null`, is translated with its null. A rule about all
//! elements at once is not translated: the translations of functions do not consider null elements, and
//! `!can(join(",", var.x))` would hold for no list of strings.

use smol_str::SmolStr;

use crate::sets::{ConstraintRoot, Extent};
use hcl::{Expr, ExprKind};
use module::{Module, Variable};
use stack::guarded;
use tf_value::Type;

/// Whether a rule is about all elements of such a variable at once, so that its translation would be wrong.
pub fn are_met(
    module: &Module,
    variable: &Variable,
    conditions: &[&Expr],
    extent: &Extent,
) -> bool {
    let is_met = |it: &Variable| {
        it.has_null_elements()
            && !(is_flat(&it.constraint.ty)
                && conditions.iter().all(|condition| is_read_by_key(condition, &it.name)))
    };
    let is_root_met = |root: &ConstraintRoot| match root {
        ConstraintRoot::Variable(name) => module.variables.get(name).is_some_and(is_met),
        _ => false,
    };
    is_met(variable)
        || extent.formula.roots().iter().any(is_root_met)
        || extent.is_nothing() && module.variables.values().any(is_met)
}

/// A collection or tuple whose elements have nothing inside.
fn is_flat(ty: &Type) -> bool {
    match ty {
        Type::Tuple(elements) => elements.iter().all(Type::is_primitive),
        ty => ty.element().is_some_and(Type::is_primitive),
    }
}

/// Whether an expression reads the variable by keys alone: `var.x.a` and `var.x["a"]`, not `length(var.x)`.
/// A local may hide the variable.
fn is_read_by_key(expr: &Expr, variable: &SmolStr) -> bool {
    let is_variable = |expr: &Expr| match &expr.kind {
        ExprKind::GetAttr { base, name } => {
            matches!(&base.kind, ExprKind::Variable(root) if root == "var")
                && name.name == *variable
        }
        _ => false,
    };
    guarded(|| match &expr.kind {
        ExprKind::Variable(root) => root != "local",
        ExprKind::GetAttr { base, .. } if is_variable(base) => true,
        ExprKind::Index { base, key, .. } if is_variable(base) => {
            matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_))
        }
        _ if is_variable(expr) => false,
        _ => {
            let mut is_read = true;
            expr.for_each_child(&mut |it| is_read &= is_read_by_key(it, variable));
            is_read
        }
    })
}
