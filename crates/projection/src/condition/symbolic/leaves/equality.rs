//! `var.x == "a"`, `null != var.x`: the value is, or is not, a constant.

use crate::{
    condition::symbolic::leaf::Leaf,
    sets::{Reason, Region, ValueSet},
};
use diagnostics::Span;
use tf_value::{Number, Type, Value, ValueContent};

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
