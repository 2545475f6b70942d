//! `zipmap`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, elements};
use tf_value::{Type, Value, ops::marks_of};

pub const ZIPMAP: Function = Function::pure(
    "zipmap",
    "Builds a map from a list of keys and a list of values; an object if the \
        values are a tuple.",
    &[Param::new("keys", Ty::List(&Ty::String)).marked(), Param::new("values", Ty::Any).marked()],
    ReturnType::Of(return_type),
    zipmap,
);

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    let [keys, values] = args else { return Ok(Type::Dynamic) };
    match values.ty() {
        Type::List(element) => Ok(Type::map((**element).clone())),
        Type::Tuple(_) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => pair(keys, types).map(Type::object),
        _ => Err(Failure::call("values argument must be a list or tuple value")),
    }
}

fn zipmap(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [keys, values] = args else { return Ok(Value::null(ty.clone())) };
    let marks = marks_of(args);
    if !keys.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()).with_marks(marks));
    }
    context.host.spend(4 * elements(keys).len() as u64)?;
    let pairs = pair(keys, elements(values))?;
    let result = match ty {
        Type::Map(element) => Value::map((**element).clone(), pairs),
        _ => Value::object(pairs),
    };
    // Keys cannot carry marks, so the whole result carries those of the keys.
    Ok(result.with_marks(marks | marks_of(elements(keys))))
}

/// Pairs each key with its counterpart; of equal keys the last wins.
fn pair<T: Clone>(keys: &Value, others: &[T]) -> Result<BTreeMap<SmolStr, T>, Failure> {
    let keys = elements(keys);
    if keys.len() != others.len() {
        let (keys, values) = (keys.len(), others.len());
        let message = format!("number of keys ({keys}) does not match number of values ({values})");
        return Err(Failure::call(message));
    }
    let mut pairs = BTreeMap::new();
    for (index, (key, it)) in keys.iter().zip(others).enumerate() {
        let Some(key) = key.as_str() else {
            return Err(Failure::call(format!("keys list has null value at index {index}")));
        };
        pairs.insert(SmolStr::new(key), it.clone());
    }
    Ok(pairs)
}
