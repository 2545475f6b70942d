//! `condition ? then : otherwise`

use super::{
    boolean,
    common::{self, Common},
    context::Context,
    symbolic::Cases,
    terms,
};
use crate::{diagnostic::Span, sets::Extent, syntax::Expr};

pub fn of<'m>(
    condition: &'m Expr,
    then: &'m Expr,
    otherwise: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let decision = boolean::truth(condition, context);
    let (then, otherwise) = branches([then, otherwise], condition.span, context);
    let mut out = Cases { list: Vec::new(), error: decision.error.or(decision.null) };
    out.add(&decision.when_true, then);
    out.add(&decision.when_false, otherwise);
    out
}

/// Whether the branches of a conditional may have a type in common. A bool among them may be converted to
/// a string, but as a condition it is converted back.
pub fn have_common_type<'m>(branches: [&'m Expr; 2], span: Span, context: &Context<'m>) -> bool {
    let branches = branches.map(|it| terms::cases(it, context));
    let [then, otherwise] = &branches;
    branches.iter().any(common::is_untyped_null)
        || !matches!(common::common(&[then, otherwise], span, context), Common::None)
}

/// The branches of a conditional as values of one type. Both are evaluated; one that fails has no type,
/// and leaves the other as it is.
fn branches<'m>(
    [then, otherwise]: [&'m Expr; 2],
    span: Span,
    context: &Context<'m>,
) -> (Cases<'m>, Cases<'m>) {
    const REASON: &str = "a conditional with branches of two types";
    let (then, otherwise) = (terms::cases(then, context), terms::cases(otherwise, context));
    if [&then, &otherwise].into_iter().any(common::is_untyped_null) {
        return (then, otherwise);
    }
    let never_fails = || [&then, &otherwise].into_iter().all(|it| it.failing(context).is_nothing());
    let unclear = |it: &Cases<'m>| {
        let mut it = common::unclear(it, REASON, span);
        it.error = it.error.or(Extent::unknown(REASON, span));
        it
    };
    match common::common(&[&then, &otherwise], span, context) {
        Common::Of { values, kept } if kept || never_fails() => {
            let [then, otherwise] = values.try_into().unwrap_or([then, otherwise]);
            (then, otherwise)
        }
        Common::None if never_fails() => (Cases::failure(), Cases::failure()),
        _ => (unclear(&then), unclear(&otherwise)),
    }
}
