//! Questions about the value at one place, as the regions where the answer is yes, no, null, a failure.
//!
//! In goes an operator, a constant and the type at the place; out comes a [`Leaf`](super::Leaf).

use crate::{
    condition::{
        patterns::NUMERIC,
        symbolic::{
            truth::{Leaf, complement},
            views::{View, numbers},
        },
    },
    sets::{Kind, Length, Limit, Measure, NumberRange, Reason, Region, ValueSet, contains},
};
use diagnostics::Span;
use hcl::BinaryOp;
use module::Variable;
use tf_value::{Number, ObjectType, Type, Value, ValueContent};

// `var.x == "a"`, `null != var.x`: the value is, or is not, a constant.

/// `subject == constant`. Terraform's `==` never converts: values of two types differ. A null on
/// either side is not an error.
pub fn equals(constant: &Value, ty: &Type, span: Span) -> Leaf {
    let one = ValueSet::OneOf(vec![constant.clone()]);
    if constant.is_null() {
        let rest = Region::new(false, ValueSet::Anything);
        return Leaf::total(Region::new(true, one), rest);
    }
    match comparison(constant, ty) {
        Comparison::Exact => {
            let when_false = Region::new(true, one.clone().negated());
            Leaf::total(Region::new(false, one), when_false)
        }
        Comparison::Rounded => {
            let when_true = Region::new(false, one).losing(Reason::RoundedNumber, span);
            Leaf::total(when_true, Region::unknown(Reason::RoundedNumber, span))
        }
        Comparison::Never => {
            // The constant as written refuses as much as `not` would, and reads better; it must
            // only be of a kind that no value of the type has.
            let kept = is_foreign(constant, ty);
            let values = if kept { one } else { ValueSet::Nothing };
            Leaf::total(Region::new(false, values), Region::everything())
        }
        Comparison::Unclear => {
            let region = Region::unknown(Reason::WholeCollections, span);
            Leaf::total(region.clone(), region)
        }
    }
}

/// `element == constant` where the element may have been converted to the type of its neighbours: in `map(any)`
/// the 2 of `{ a = 2, b = "x" }` is `"2"`.
pub fn equals_if_kept(constant: &Value, span: Span) -> Leaf {
    let when_true = match constant.ty() {
        // No conversion gives a number or a bool here.
        Type::Number | Type::Bool => Region::new(false, ValueSet::OneOf(vec![constant.clone()]))
            .losing(Reason::ConvertedElements, span),
        _ => Region::unknown(Reason::ConvertedElements, span),
    };
    Leaf::total(when_true, Region::unknown(Reason::ConvertedElements, span))
}

enum Comparison {
    /// Equal exactly when the JSON is equal.
    Exact,
    /// As `Exact`, but a validator with doubles also takes neighbouring numbers for equal.
    Rounded,
    /// Never equal, because the types differ.
    Never,
    Unclear,
}

fn comparison(constant: &Value, ty: &Type) -> Comparison {
    if !is_plain(constant) {
        return Comparison::Unclear;
    }
    // A value of type `any` has the type that was written, an object or a tuple, or one to which a caller
    // converted it.
    if *ty == Type::Dynamic && has_collection(constant.ty()) {
        return Comparison::Unclear;
    }
    if *ty != Type::Dynamic && constant.ty() != ty {
        return if ty.has_dynamic() || has_optional(ty) {
            Comparison::Unclear
        } else {
            Comparison::Never
        };
    }
    if is_representable(constant) { Comparison::Exact } else { Comparison::Rounded }
}

/// Whether the value is of another JSON kind than every value of the (primitive) type.
fn is_foreign(constant: &Value, ty: &Type) -> bool {
    ty.is_primitive() && constant.ty() != ty
}

/// Whether JSON equality is Terraform's: no sets, whose order does not count, and no nulls inside.
fn is_plain(value: &Value) -> bool {
    if matches!(value.ty(), Type::Set(_)) {
        return false;
    }
    let inside = |it: &Value| !it.is_null() && is_plain(it);
    match value.content() {
        ValueContent::Unknown(_) => false,
        ValueContent::Sequence(elements) => elements.iter().all(inside),
        ValueContent::Mapping(elements) => elements.values().all(inside),
        _ => true,
    }
}

/// Whether a part of the values is a map, a list or a set: `{ a = 1 } == tomap({ a = 1 })` is false.
fn has_collection(ty: &Type) -> bool {
    match ty {
        Type::Object(object) => object.attributes.values().any(has_collection),
        Type::Tuple(elements) => elements.iter().any(has_collection),
        _ => ty.is_collection(),
    }
}

fn has_optional(ty: &Type) -> bool {
    match ty {
        Type::Object(object) => {
            !object.optional.is_empty() || object.attributes.values().any(has_optional)
        }
        Type::Tuple(elements) => elements.iter().any(has_optional),
        _ => ty.element().is_some_and(has_optional),
    }
}

fn is_representable(value: &Value) -> bool {
    match value.content() {
        ValueContent::Number(it) => is_double(it),
        ValueContent::Sequence(elements) => elements.iter().all(is_representable),
        ValueContent::Mapping(elements) => elements.values().all(is_representable),
        _ => true,
    }
}

/// Whether the number survives a reader that holds numbers in doubles.
pub fn is_double(number: &Number) -> bool {
    let double = number.to_f64();
    double.is_finite() && Number::from_f64(double).to_decimal() == number.to_literal()
}

// `length(var.x) > 2`: how long a string, collection or object is.

/// `length(subject) OP number`; the variable is given when the subject is its whole value.
pub fn compared_length(
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
            fixed(Measure::Items, op, number, size, (size, size))
        }
        Type::Object(object) => {
            let sizes = written_sizes(object, variable);
            fixed(Measure::Properties, op, number, object.attributes.len(), sizes)
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
    op: BinaryOp,
    number: &Number,
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

// `var.x > 5`, `10 >= var.x`: a number between limits.

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

// Questions about strings and numbers, asked of values that are converted to one first.

/// True where the value, as a string, is in the constraint; an error for a value that is not a primitive.
pub fn as_string(values: ValueSet, ty: &Type, span: Span) -> Leaf {
    let loss = |it: Region| it.losing(Reason::NumberText, span);
    let region = |it| Region::new(false, it);
    match ty {
        Type::String => Leaf::exactly(values),
        Type::Bool => {
            let [yes, no] = bools(&values);
            Leaf::of_values(region(yes), region(no))
        }
        Type::Number => {
            let every = || loss(region(ValueSet::Anything));
            numbers(&values).map_or_else(|| Leaf::of_values(every(), every()), Leaf::exactly)
        }
        Type::Dynamic => {
            let [yes, no] = bools(&values);
            let of = |kind, it| ValueSet::all([ValueSet::Kind(kind), it]);
            let numbers = numbers(&values);
            let by_kind = |text, bool, number| {
                let parts = [of(Kind::String, text), of(Kind::Number, number), bool];
                let it = region(ValueSet::either(parts));
                if numbers.is_none() { loss(it) } else { it }
            };
            let either = numbers.clone().unwrap_or(ValueSet::Anything);
            let neither = numbers.clone().map_or(ValueSet::Anything, ValueSet::negated);
            let when_true = by_kind(values.clone(), yes, either);
            let when_false = by_kind(values.negated(), no, neither);
            Leaf { error: Region::new(true, collections()), ..Leaf::total(when_true, when_false) }
        }
        _ => Leaf::unknown(Reason::CollectionAsString, span),
    }
}

/// `subject OP limit` for a value of any type, strings being read as numbers.
pub fn ordered(op: BinaryOp, limit: &Number, span: Span) -> Leaf {
    let numbers = compared(op, limit, &Type::Number, span);
    let of = |kind, it| ValueSet::all([ValueSet::Kind(kind), it]);
    let with_strings = |region: Region| {
        let read = View::Number.preimage(&region.values);
        let read = read.map_or_else(|| View::Number.domain(), |it| it.values);
        let values = ValueSet::either([of(Kind::Number, region.values), of(Kind::String, read)]);
        Region { values, ..region }.losing(View::Number.loss(), span)
    };
    let unread = of(Kind::String, ValueSet::Matches(NUMERIC.to_owned()).negated());
    let unread = [unread, ValueSet::Kind(Kind::Boolean), collections()];
    Leaf {
        when_true: with_strings(numbers.when_true),
        when_false: with_strings(numbers.when_false),
        null: Region::nothing(),
        error: Region::new(true, ValueSet::either(unread)),
    }
}

fn collections() -> ValueSet {
    ValueSet::either([Kind::Array, Kind::Object].map(ValueSet::Kind))
}

/// The booleans whose text is in the constraint, and those whose text is not.
fn bools(values: &ValueSet) -> [ValueSet; 2] {
    let is_in = |it: bool| contains(values, &Value::string(if it { "true" } else { "false" }));
    [Some(true), Some(false)].map(|wanted| {
        // If that is unknown for a bool, it is in both.
        let kept =
            [true, false].into_iter().filter(|it| is_in(*it).is_none_or(|is| Some(is) == wanted));
        let kept: Vec<Value> = kept.map(Value::bool).collect();
        if kept.is_empty() { ValueSet::Nothing } else { ValueSet::OneOf(kept) }
    })
}
