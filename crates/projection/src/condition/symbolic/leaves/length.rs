//! `length(var.x) > 2`: how long a string, collection or object is.

use crate::{
    condition::symbolic::{leaf::Leaf, operators::complement},
    sets::{Kind, Length, Measure, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::BinaryOp;
use module::Variable;
use tf_value::{Number, ObjectType, Type};

/// `length(subject) OP number`; the variable is given when the subject is its whole value.
pub fn compared(
    op: BinaryOp,
    number: &Number,
    ty: &Type,
    variable: Option<&Variable>,
    span: Span,
) -> Leaf {
    match ty {
        Type::String => counted(Measure::Characters, op, number),
        Type::List(_) | Type::Set(_) => counted(Measure::Items, op, number),
        Type::Map(_) => counted(Measure::Properties, op, number),
        Type::Tuple(elements) => {
            let size = elements.len();
            fixed(Measure::Items, (op, number), size, (size, size))
        }
        Type::Object(object) => {
            let sizes = written_sizes(object, variable);
            fixed(Measure::Properties, (op, number), object.attributes.len(), sizes)
        }
        Type::Dynamic => of_any(op, number),
        _ => Leaf::unknown(Reason::LengthOfType, span),
    }
}

fn counted(measure: Measure, op: BinaryOp, number: &Number) -> Leaf {
    let region = |op| Region::new(false, constraint(measure, op, number));
    Leaf::of_values(region(op), region(complement(op)))
}

/// Characters, elements or attributes, by what the value is; numbers and Booleans have no length.
fn of_any(op: BinaryOp, number: &Number) -> Leaf {
    let region = |op| {
        let none = op == BinaryOp::Equal && number.is_zero();
        let op = if none { BinaryOp::LessOrEqual } else { op };
        let sized = [
            (Kind::String, Measure::Characters),
            (Kind::Array, Measure::Items),
            (Kind::Object, Measure::Properties),
        ];
        let each = sized.map(|(kind, measure)| {
            ValueSet::all([ValueSet::Kind(kind), constraint(measure, op, number)])
        });
        Region::new(false, ValueSet::either(each))
    };
    let scalar = ValueSet::either([Kind::Boolean, Kind::Number].map(ValueSet::Kind));
    let error = Region::new(true, scalar);
    Leaf { error, ..Leaf::total(region(op), region(complement(op))) }
}

fn constraint(measure: Measure, op: BinaryOp, number: &Number) -> ValueSet {
    let (min, max) = match op {
        BinaryOp::Less => (None, Some(above(number, true) - 1)),
        BinaryOp::LessOrEqual => (None, Some(above(number, false) - 1)),
        BinaryOp::Greater => (Some(above(number, false)), None),
        BinaryOp::GreaterOrEqual => (Some(above(number, true)), None),
        BinaryOp::Equal if number.is_integer() => {
            (Some(above(number, true)), Some(above(number, true)))
        }
        BinaryOp::Equal => return ValueSet::Nothing,
        _ => {
            let sides = [BinaryOp::Less, BinaryOp::Greater];
            return ValueSet::either(sides.map(|it| constraint(measure, it, number)));
        }
    };
    let (Ok(max), false) = (max.map(u64::try_from).transpose(), max.is_some_and(|it| it < 0))
    else {
        return ValueSet::Nothing;
    };
    let min = min.and_then(|it| u64::try_from(it).ok());
    if min.is_none() && max.is_none() {
        return ValueSet::Anything;
    }
    ValueSet::Length(measure, Length { min, max })
}

/// The smallest integer above the number, or equal to it when `inclusive`. Huge numbers are cut off, since no
/// length reaches them.
fn above(number: &Number, inclusive: bool) -> i64 {
    const FAR: f64 = 9e15;
    let double = number.to_f64().clamp(-FAR, FAR);
    let exclusive_step = i64::from(!inclusive && number.is_integer());
    #[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
    let ceiling = double.ceil() as i64;
    ceiling + exclusive_step
}

/// The length of an object or tuple type is a constant. Bounds are kept even where they refuse
/// nothing: they show a reader what the author meant. Earlier tools keep them, too.
fn fixed(
    measure: Measure,
    (op, number): (BinaryOp, &Number),
    size: usize,
    written: (usize, usize),
) -> Leaf {
    let values = constraint(measure, op, number);
    if !admits(&values, size) {
        return Leaf::of_values(Region::nothing(), Region::new(false, ValueSet::Anything));
    }
    let harmless = admits(&values, written.0) && admits(&values, written.1);
    let values = if harmless { values } else { ValueSet::Anything };
    Leaf::of_values(Region::new(false, values), Region::nothing())
}

fn admits(constraint: &ValueSet, size: usize) -> bool {
    let count = size as u64;
    match constraint {
        ValueSet::Anything => true,
        ValueSet::Length(_, it) => {
            it.min.is_none_or(|min| min <= count) && it.max.is_none_or(|max| count <= max)
        }
        ValueSet::Either(parts) => parts.iter().any(|it| admits(it, size)),
        _ => false,
    }
}

/// The fewest and the most members with which an object of the type is written: optional ones may
/// be absent, and a default may have some that the type lacks.
fn written_sizes(object: &ObjectType, variable: Option<&Variable>) -> (usize, usize) {
    let most = object.attributes.len();
    let least = most - object.optional.len();
    let default = variable.and_then(|it| it.default_expr.as_ref());
    let default = match default.map(|it| &it.kind) {
        Some(hcl::ExprKind::Object(items)) => items.len(),
        _ => most,
    };
    (least.min(default), most.max(default))
}
