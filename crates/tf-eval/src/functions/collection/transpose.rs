//! `transpose`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, elements};
use tf_value::{Type, Value};

const LISTS: Ty = Ty::Map(&Ty::List(&Ty::String));

pub const TRANSPOSE: Function = Function::pure(
    "transpose",
    "Swaps the keys and values of a map of lists of strings.",
    &[Param::new("values", LISTS)],
    ReturnType::Fixed(LISTS),
    transpose,
);

fn transpose(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [map] = args else { return Ok(Value::null(ty.clone())) };
    if !map.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    let mut transposed: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
    for (key, list) in map.as_mapping().into_iter().flatten() {
        if list.is_null() {
            return Err(Failure::call("input must not contain null list"));
        }
        context.host.spend(4 * elements(list).len() as u64)?;
        for it in elements(list) {
            let Some(text) = it.as_str() else {
                return Err(Failure::call("input list must not contain null string"));
            };
            transposed.entry(text.into()).or_default().push(Value::string(key));
        }
    }
    let lists =
        transposed.into_iter().map(|(value, keys)| (value, Value::list(Type::String, keys)));
    Ok(Value::map(Type::list(Type::String), lists.collect()))
}
