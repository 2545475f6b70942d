//! `length(x) + length(y) OP number`.

use super::length_and_number;
use crate::{
    condition::{
        outcomes,
        relation::Comparison,
        symbolic::{Cases, Term, Truth},
    },
    sets::{Extent, Reason},
};
use hcl::BinaryOp;
use tf_value::Number;

/// `length(a) + length(b) OP number`: no length is negative.
pub fn truth<'m>(comparison: Comparison<'_, 'm>, parts: &[Term<'m>], number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    if op == BinaryOp::NotEqual {
        let equal = Comparison { op: BinaryOp::Equal, ..comparison };
        return truth(equal, parts, number).not();
    }
    let each = |op, number: &Number| -> Vec<Truth> {
        let of = |it: &Term<'m>| match it {
            Term::Count(inner) => {
                length_and_number::of_length(Comparison { op, ..comparison }, inner, number)
            }
            _ => Truth::unknown(Reason::SumOfLengths, span),
        };
        parts.iter().map(of).collect()
    };
    let all = |them: Vec<Truth>| Extent::all(them.into_iter().map(|it| it.when_true));
    let any = |them: Vec<Truth>| Extent::any(them.into_iter().map(|it| it.when_true));
    let there =
        Extent::all(parts.iter().map(|it| outcomes::defined(&Cases::one(it.clone()), context)));
    let error =
        Extent::any(parts.iter().map(|it| outcomes::failing(&Cases::one(it.clone()), context)));
    let zero = Number::from_i64(0);
    let is = |wanted| number.to_i64() == Some(wanted);
    let none = all(each(BinaryOp::Equal, &zero));
    let some = there.clone().and(any(each(BinaryOp::Greater, &zero)));
    let most = |op| all(each(op, number)).losing(Reason::SumOfLengths, span);
    let open = there.losing(Reason::SumOfLengths, span);
    let (when_true, when_false) = match op {
        BinaryOp::Equal | BinaryOp::LessOrEqual if is(0) => (none, some),
        BinaryOp::Less if is(1) => (none, some),
        BinaryOp::Greater if is(0) => (some, none),
        BinaryOp::GreaterOrEqual if is(1) => (some, none),
        BinaryOp::LessOrEqual | BinaryOp::Less => (most(op), open),
        BinaryOp::Greater => (open, most(BinaryOp::LessOrEqual)),
        BinaryOp::GreaterOrEqual => (open, most(BinaryOp::Less)),
        _ => (most(BinaryOp::LessOrEqual), open),
    };
    Truth { when_true, when_false, error, ..Truth::never() }
}
