//! `var.x > 5`, `10 >= var.x`: a number between limits.

use super::equality::is_double;
use crate::{
    condition::symbolic::{leaf::Leaf, operators::complement},
    sets::{Limit, NumberRange, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::{Number, Type};

/// `subject OP limit`, the operator being one of order.
pub fn compared(op: BinaryOp, limit: &Number, ty: &Type, span: Span) -> Leaf {
    if *ty != Type::Number {
        return Leaf::unknown(Reason::ConversionToNumber, span);
    }
    let region = |op| region(op, limit, span);
    Leaf::of_values(region(op), region(complement(op)))
}

fn region(op: BinaryOp, limit: &Number, span: Span) -> Region {
    let is_upper = matches!(op, BinaryOp::Less | BinaryOp::LessOrEqual);
    let inclusive = matches!(op, BinaryOp::LessOrEqual | BinaryOp::GreaterOrEqual);
    if is_double(limit) {
        return Region::new(false, bounded(is_upper, limit.clone(), inclusive));
    }
    let values =
        outward(limit, is_upper).map_or(ValueSet::Anything, |it| bounded(is_upper, it, true));
    Region::new(false, values).losing(Reason::RoundedNumber, span)
}

fn bounded(is_upper: bool, value: Number, inclusive: bool) -> ValueSet {
    let limit = Some(Limit { value, inclusive });
    ValueSet::Range(if is_upper {
        NumberRange { lower: None, upper: limit }
    } else {
        NumberRange { lower: limit, upper: None }
    })
}

/// The nearest double that does not cut anything off.
fn outward(limit: &Number, is_upper: bool) -> Option<Number> {
    let double = limit.to_f64();
    if !double.is_finite() {
        return None;
    }
    let order = Number::from_f64(double).compare(limit);
    let double = match (is_upper, order) {
        (true, std::cmp::Ordering::Less) => double.next_up(),
        (false, std::cmp::Ordering::Greater) => double.next_down(),
        _ => double,
    };
    double.is_finite().then(|| Number::from_f64(double))
}
