//! `matchkeys`.

use std::collections::HashSet;

use super::identity::equality_key;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, elements};
use tf_value::{Type, Value, convert, convert::unify_unsafe};

const ANY_LIST: Ty = Ty::List(&Ty::Any);

pub const MATCHKEYS: Function = Function::pure(
    "matchkeys",
    "Returns the elements of a list whose counterparts in a second list are in a \
        third.",
    &[
        Param::new("values", ANY_LIST),
        Param::new("keys", ANY_LIST),
        Param::new("searchset", ANY_LIST),
    ],
    ReturnType::Of(return_type),
    matchkeys,
);

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    let [values, keys, searchset] = args else { return Ok(Type::Dynamic) };
    key_type(keys, searchset)?;
    Ok(values.ty().clone())
}

fn key_type(keys: &Value, searchset: &Value) -> Result<Type, Failure> {
    let unified = unify_unsafe(&[keys.ty().clone(), searchset.ty().clone()]);
    let message = "keys and searchset must be of the same type";
    unified.map(|it| it.ty).ok_or_else(|| Failure::call(message))
}

fn matchkeys(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let ([values, keys, searchset], Some(element)) = (args, ty.element()) else {
        return Ok(Value::null(ty.clone()));
    };
    if elements(values).len() != elements(keys).len() {
        return Err(Failure::call("length of keys and values should be equal"));
    }
    let key_type = key_type(keys, searchset)?;
    let keys = convert(keys, &key_type).map_err(|it| Failure::argument(1, it.to_string()))?;
    let searchset =
        convert(searchset, &key_type).map_err(|it| Failure::argument(2, it.to_string()))?;
    if elements(&searchset).is_empty() {
        return Ok(Value::list(element.clone(), Vec::new()));
    }
    if !values.is_wholly_known() || !keys.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    context.host.spend(4 * (keys.size() + searchset.size()))?;
    let found = matching(elements(values), elements(&keys), elements(&searchset));
    Ok(Value::list(element.clone(), found))
}

/// The values whose keys are in the search set. If a key meets an unknown before an equal key, Terraform
/// gives an empty list.
fn matching(values: &[Value], keys: &[Value], searchset: &[Value]) -> Vec<Value> {
    let known = searchset.iter().take_while(|it| it.is_wholly_known());
    let wanted: HashSet<String> = known.map(equality_key).collect();
    let all_known = searchset.iter().all(Value::is_wholly_known);
    let mut found = Vec::new();
    for (value, key) in values.iter().zip(keys) {
        if wanted.contains(&equality_key(key)) {
            found.push(value.clone());
        } else if !all_known {
            return Vec::new();
        }
    }
    found
}
