//! `length(var.x) > 2`: how long a string, collection or object is.

use super::{complement, sides};
use crate::{
    condition::{
        Constraint, Length, Measure, Region, Truth,
        context::{Context, call},
    },
    module::Variable,
    syntax::{BinaryOp, Expr},
    value::{Number, ObjectType, Type},
};

pub fn recognise(expr: &Expr, context: Context<'_>) -> Option<Truth> {
    let is_length = |it: &Expr| call::<1>(it, "length").is_some_and(|[it]| context.is_subject(it));
    let (_, op, other) = sides(expr, is_length)?;
    let constant = context.constant(other);
    let Some(number) = constant.as_ref().and_then(|it| it.as_number()) else {
        return Some(Truth::unknown("a length compared with no constant number", other.span));
    };
    Some(match context.ty() {
        Type::String => truth(Measure::Characters, op, number),
        Type::List(_) | Type::Set(_) => truth(Measure::Items, op, number),
        Type::Map(_) => truth(Measure::Properties, op, number),
        Type::Tuple(elements) => {
            let size = elements.len();
            fixed(Measure::Items, (op, number), size, (size, size), expr)
        }
        Type::Object(object) => {
            let sizes = written_sizes(object, context.variable);
            fixed(Measure::Properties, (op, number), object.attributes.len(), sizes, expr)
        }
        _ => Truth::unknown("the length of a value of any type", expr.span),
    })
}

fn truth(measure: Measure, op: BinaryOp, number: &Number) -> Truth {
    let region = |op| Region::new(false, constraint(measure, op, number));
    Truth { when_true: region(op), when_false: region(complement(op)) }
}

fn constraint(measure: Measure, op: BinaryOp, number: &Number) -> Constraint {
    let (min, max) = match op {
        BinaryOp::Less => (None, Some(above(number, true) - 1)),
        BinaryOp::LessOrEqual => (None, Some(above(number, false) - 1)),
        BinaryOp::Greater => (Some(above(number, false)), None),
        BinaryOp::GreaterOrEqual => (Some(above(number, true)), None),
        BinaryOp::Equal if number.is_integer() => {
            (Some(above(number, true)), Some(above(number, true)))
        }
        BinaryOp::Equal => return Constraint::Nothing,
        _ => {
            let sides = [BinaryOp::Less, BinaryOp::Greater];
            return Constraint::either(sides.map(|it| constraint(measure, it, number)));
        }
    };
    let (Ok(max), false) = (max.map(u64::try_from).transpose(), max.is_some_and(|it| it < 0))
    else {
        return Constraint::Nothing;
    };
    let min = min.and_then(|it| u64::try_from(it).ok());
    if min.is_none() && max.is_none() {
        return Constraint::Anything;
    }
    Constraint::Length(measure, Length { min, max })
}

/// The smallest integer above the number, or equal to it when `inclusive`; no length is far out.
fn above(number: &Number, inclusive: bool) -> i64 {
    const FAR: f64 = 9e15;
    let double = number.to_f64().clamp(-FAR, FAR);
    let exclusive_step = i64::from(!inclusive && number.is_integer());
    #[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
    let ceiling = double.ceil() as i64;
    ceiling + exclusive_step
}

/// The length of an object or tuple type is a constant. Bounds are kept where they refuse nothing:
/// they tell a reader what the author meant, as the tools before us do.
fn fixed(
    measure: Measure,
    (op, number): (BinaryOp, &Number),
    size: usize,
    written: (usize, usize),
    expr: &Expr,
) -> Truth {
    let values = constraint(measure, op, number);
    if !admits(&values, size) {
        let reason = "a length that is a constant of the type, and never as the condition asks";
        return Truth {
            when_true: Region::unknown(reason, expr.span),
            when_false: Region::new(false, Constraint::Anything),
        };
    }
    let harmless = admits(&values, written.0) && admits(&values, written.1);
    let values = if harmless { values } else { Constraint::Anything };
    Truth { when_true: Region::new(false, values), when_false: Region::nothing() }
}

fn admits(constraint: &Constraint, size: usize) -> bool {
    let count = size as u64;
    match constraint {
        Constraint::Anything => true,
        Constraint::Length(_, it) => {
            it.min.is_none_or(|min| min <= count) && it.max.is_none_or(|max| count <= max)
        }
        Constraint::Either(parts) => parts.iter().any(|it| admits(it, size)),
        _ => false,
    }
}

/// The fewest and the most members with which an object of the type is written: optional ones may
/// be absent, and a default may have some that the type lacks.
fn written_sizes(object: &ObjectType, variable: &Variable) -> (usize, usize) {
    let most = object.attributes.len();
    let least = most - object.optional.len();
    let default = match variable.default_expr.as_ref().map(|it| &it.kind) {
        Some(crate::syntax::ExprKind::Object(items)) => items.len(),
        _ => most,
    };
    (least.min(default), most.max(default))
}
