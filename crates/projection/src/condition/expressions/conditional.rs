//! `condition ? then : otherwise`

use crate::{
    condition::{
        common_type::{self, Common},
        context::Context,
        outcomes,
        symbolic::{Cases, Truth, as_condition, operators::is_comparison},
        types,
    },
    sets::{Extent, Reason},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use tf_eval::functions::{self, ReturnType, Ty};
use tf_value::Type;

pub fn cases<'m>(
    condition: &'m Expr,
    then: &'m Expr,
    otherwise: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let decision = super::truth(condition, context);
    let (then, otherwise) = branches([then, otherwise], condition.span, context);
    let mut out = Cases { list: Vec::new(), error: decision.error.or(decision.null) };
    out.add(&decision.when_true, then);
    out.add(&decision.when_false, otherwise);
    out
}

/// Reads the conditional as a condition.
pub fn truth<'m>(
    [condition, then, otherwise]: [&'m Expr; 3],
    expr: &'m Expr,
    context: &Context<'m>,
) -> Truth {
    let decision = super::truth(condition, context);
    if [then, otherwise].into_iter().all(|it| is_bool(it, context))
        || have_common_type([then, otherwise], expr.span, context)
    {
        return decision.choose(super::truth(then, context), super::truth(otherwise, context));
    }
    as_condition::of_cases(&super::cases(expr, context), expr.span)
}

/// Whether the expression is a bool whenever it evaluates.
fn is_bool<'m>(expr: &'m Expr, context: &Context<'m>) -> bool {
    match &expr.bare().kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Conditional { then, otherwise, .. } => {
            is_bool(then, context) && is_bool(otherwise, context)
        }
        ExprKind::Call { name, .. } => {
            let found = functions::lookup(&name.name);
            found.is_some_and(|it| matches!(it.returns, ReturnType::Fixed(Ty::Bool)))
                || types::of_cases(&super::cases(expr, context), context) == Some(Type::Bool)
        }
        _ => types::of_cases(&super::cases(expr, context), context) == Some(Type::Bool),
    }
}

/// Whether the branches of a conditional may have a type in common. A bool among them may be converted to
/// a string, but as a condition it is converted back.
fn have_common_type<'m>(branches: [&'m Expr; 2], span: Span, context: &Context<'m>) -> bool {
    let branches = branches.map(|it| super::cases(it, context));
    let [then, otherwise] = &branches;
    branches.iter().any(common_type::is_untyped_null)
        || !matches!(common_type::common(&[then, otherwise], span, context), Common::None)
}

/// Converts the branches of a conditional to one type. Both are evaluated; a branch that fails has no type and
/// does not change the other one.
fn branches<'m>(
    [then, otherwise]: [&'m Expr; 2],
    span: Span,
    context: &Context<'m>,
) -> (Cases<'m>, Cases<'m>) {
    let (then, otherwise) = (super::cases(then, context), super::cases(otherwise, context));
    let both = [&then, &otherwise];
    if both.into_iter().any(common_type::is_untyped_null) {
        return (then, otherwise);
    }
    let never_fails = || both.into_iter().all(|it| outcomes::failing(it, context).is_nothing());
    let unclear = |it: &Cases<'m>| common_type::unclear(it, &Reason::BranchesOfTwoTypes, span);
    let may_fail =
        |it: &Cases<'m>| common_type::may_fail(unclear(it), &Reason::BranchesOfTwoTypes, span);
    let unconverted = |it: &Cases<'m>| {
        let it = unclear(it);
        Cases { error: it.error.or(Extent::unknown(Reason::BranchesOfTwoTypes, span)), ..it }
    };
    match common_type::common(&both, span, context) {
        Common::Of { values, kept, .. } if kept || never_fails() => {
            let [then, otherwise] = values.try_into().unwrap_or([then, otherwise]);
            (then, otherwise)
        }
        // Where one fails the other is not converted.
        Common::Of { always: true, .. } => (unconverted(&then), unconverted(&otherwise)),
        Common::None if never_fails() => (Cases::failure(), Cases::failure()),
        // They may have no type in common, or a value may not convert to it.
        _ => (may_fail(&then), may_fail(&otherwise)),
    }
}
