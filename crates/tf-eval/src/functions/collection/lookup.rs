//! `lookup`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, always_converts, text,
};
use release::Release;
use tf_value::{Type, Value, convert, quoted};

pub const LOOKUP: Function = Function::pure(
    "lookup",
    "Returns the value of a key in a map or an object, or the default, converted \
        to the element type of a map.",
    &[
        Param::new("inputMap", Ty::Any).unknown().marked(),
        Param::new("key", Ty::String).unknown().marked(),
    ],
    ReturnType::Of(return_type),
    lookup,
)
.variadic(Param::new("default", Ty::Any).null().unknown().dynamic().marked())
.refuses(Refuses::By(unless_there));

/// Refuses nothing for a known key of an object, or for a map with a default that always converts.
fn unless_there(_: Release, args: &[Value], ty: &Type) -> Refuses {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else { return Refuses::SomeValues };
    let is_certain = match (map.ty(), rest.first()) {
        (Type::Object(_), _) if key.is_known() => true,
        (Type::Map(_), Some(default)) => always_converts(default.ty(), ty),
        _ => false,
    };
    if is_certain { Refuses::Nothing } else { Refuses::SomeValues }
}

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else { return Ok(Type::Dynamic) };
    if rest.len() > 1 {
        let given = args.len();
        return Err(Failure::call(format!("lookup() takes two or three arguments, got {given}")));
    }
    match (map.ty(), rest.first()) {
        (Type::Object(_), _) if !key.is_known() => Ok(Type::Dynamic),
        (Type::Object(object), default) => {
            let found = object.attributes.get(text(key)).or(default.map(Value::ty));
            found.cloned().ok_or_else(|| {
                let key = quoted(text(key));
                Failure::argument(0, format!("the given object has no attribute {key}"))
            })
        }
        (Type::Map(element), default) => {
            if default.is_some_and(|it| convert(it, element).is_err()) {
                let message = "the default value must have the same type as the map elements";
                return Err(Failure::argument(2, message));
            }
            Ok((**element).clone())
        }
        _ => Err(Failure::argument(0, "lookup() requires a map as the first argument")),
    }
}

/// The marks of the default count only when it is the result.
fn lookup(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([map, key], rest) = args.split_at(args.len().min(2)) else {
        return Ok(Value::null(ty.clone()));
    };
    let marks = map.marks() | key.marks();
    if !map.is_known() || !key.is_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(marks));
    }
    let found = map.as_mapping().and_then(|it| it.get(text(key)));
    let result = match (found, rest.first()) {
        (Some(it), _) => it.clone(),
        (None, Some(default)) => {
            convert(default, ty).map_err(|it| Failure::argument(2, it.to_string()))?
        }
        (None, None) => {
            let key = quoted(text(key));
            return Err(Failure::call(format!("lookup failed to find key {key}")));
        }
    };
    Ok(result.with_marks(marks))
}
