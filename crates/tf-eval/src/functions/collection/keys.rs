//! `keys`, `values`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use tf_value::{Type, Value};

pub const KEYS: Function = Function::pure(
    "keys",
    "Returns the keys of a map or the attribute names of an object, sorted.",
    &[Param::new("inputMap", Ty::Any).unknown().marked()],
    ReturnType::Of(keys_type),
    keys,
)
.refuses(Refuses::Nothing);

pub const VALUES: Function = Function::pure(
    "values",
    "Returns the values of a map or of an object, in the order of the keys.",
    &[Param::new("mapping", Ty::Any).marked()],
    ReturnType::Of(values_type),
    values,
)
.refuses(Refuses::Nothing);

fn keys_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Map(_)) => Ok(Type::list(Type::String)),
        Some(Type::Object(object)) => Ok(Type::tuple(vec![Type::String; object.attributes.len()])),
        _ => Err(Failure::argument(0, "must have map or object type")),
    }
}

/// Keys carry no marks, so the marks of the elements are ignored. An object's names are known even where
/// the object is not.
fn keys(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    let keys = match (map.ty(), map.as_mapping()) {
        (Type::Object(object), _) => {
            Value::tuple(object.attributes.keys().map(Value::string).collect())
        }
        (_, Some(elements)) => {
            Value::list(Type::String, elements.keys().map(Value::string).collect())
        }
        _ => Value::unknown_not_null(ty.clone()),
    };
    Ok(keys.with_marks(map.marks()))
}

fn values_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Map(element)) => Ok(Type::list((**element).clone())),
        Some(Type::Object(object)) => {
            Ok(Type::tuple(object.attributes.values().cloned().collect()))
        }
        _ => Err(Failure::call("values() requires a map as the first argument")),
    }
}

fn values(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    let elements: Vec<Value> =
        map.as_mapping().into_iter().flat_map(|it| it.values().cloned()).collect();
    let values = match ty {
        Type::List(element) => Value::list((**element).clone(), elements),
        _ => Value::tuple(elements),
    };
    Ok(values.with_marks(map.marks()))
}
