//! `compact`, `sort`: lists of strings.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use release::changes;
use tf_value::{Type, Value};

const LIST: &[Param] = &[Param::new("list", Ty::List(&Ty::String))];

pub const COMPACT: Function = Function::pure(
    "compact",
    "Removes nulls and empty strings from a list.",
    LIST,
    ReturnType::Fixed(Ty::List(&Ty::String)),
    compact,
)
.refuses(Refuses::Nothing);

pub const SORT: Function = Function::pure(
    "sort",
    "Sorts a list of strings by their bytes.",
    LIST,
    ReturnType::Fixed(Ty::List(&Ty::String)),
    sort,
);

fn compact(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if !list.is_wholly_known() {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    let kept =
        elements(list).iter().filter(|value| value.as_str().is_some_and(|it| !it.is_empty()));
    Ok(Value::list(Type::String, kept.cloned().collect()))
}

fn sort(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if !list.is_wholly_known() {
        if !context.release.has(&changes::REFINEMENTS) {
            return Ok(Value::unknown(ty.clone()));
        }
        // The length is known even though the elements are not.
        let unknown = vec![Value::unknown(Type::String); elements(list).len()];
        return Ok(Value::list(Type::String, unknown));
    }
    let mut sorted = elements(list).to_vec();
    if let Some(index) = sorted.iter().position(Value::is_null) {
        let message = format!("list element {index} is null; a null string cannot be sorted");
        return Err(Failure::call(message));
    }
    sorted.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
    Ok(Value::list(Type::String, sorted))
}
