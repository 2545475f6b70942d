//! `length`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, grapheme_count,
};
use tf_value::{Number, Refinements, Type, Value, ops};

pub const LENGTH: Function = Function::pure(
    "length",
    "Returns the number of elements of a collection, attributes of an object, or \
        characters (grapheme clusters) of a string.",
    &[Param::new("value", Ty::Any).unknown().dynamic().marked()],
    ReturnType::Of(return_type),
    length,
)
.refuses(Refuses::Nothing);

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Number | Type::Bool) => {
            let message = "argument must be a string, a collection type, or a structural type";
            Err(Failure::call(message))
        }
        _ => Ok(Type::Number),
    }
}

fn length(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::null(ty.clone())) };
    let length = match (value.ty(), value.as_str()) {
        (Type::String, Some(text)) => count(grapheme_count(text)),
        (Type::String, None) => unknown_count(value),
        _ => ops::length(value).unwrap_or_else(|| Value::unknown_not_null(Type::Number)),
    };
    Ok(length.with_marks(value.marks()))
}

fn count(it: usize) -> Value {
    Value::number(Number::from_u64(it as u64))
}

/// The length of an unknown text is at least the number of clusters in its known prefix.
fn unknown_count(text: &Value) -> Value {
    let prefix = text.refinements().map_or(0, |it| grapheme_count(&it.prefix));
    let lower = Number::from_u64(prefix as u64);
    let refinements =
        Refinements { not_null: true, lower: Some((lower, true)), ..Refinements::default() };
    Value::unknown(Type::Number).refined(refinements)
}
