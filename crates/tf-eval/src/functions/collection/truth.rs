//! `alltrue`, `anytrue`.

use crate::functions::{Function, Param, Refuses, ReturnType, Ty, elements};
use tf_value::{Type, Value};

const LIST: &[Param] = &[Param::new("list", Ty::List(&Ty::Bool))];

pub const ALLTRUE: Function = Function::pure(
    "alltrue",
    "Returns whether all elements are true; true for an empty list, and null \
        counts as false.",
    LIST,
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(args.first().map_or_else(|| Value::bool(true), all_true)),
)
.refuses(Refuses::Nothing);

pub const ANYTRUE: Function = Function::pure(
    "anytrue",
    "Returns whether any element is true; null counts as false.",
    LIST,
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(args.first().map_or_else(|| Value::bool(false), any_true)),
)
.refuses(Refuses::Nothing);

/// Reads the elements in order: an unknown before the first false hides it, as in Terraform.
fn all_true(list: &Value) -> Value {
    for it in elements(list) {
        if !it.is_known() {
            return Value::unknown_not_null(Type::Bool);
        }
        if it.as_bool() != Some(true) {
            return Value::bool(false);
        }
    }
    Value::bool(true)
}

fn any_true(list: &Value) -> Value {
    let list = elements(list);
    if list.iter().any(|it| it.as_bool() == Some(true)) {
        return Value::bool(true);
    }
    if list.iter().all(Value::is_known) {
        return Value::bool(false);
    }
    Value::unknown_not_null(Type::Bool)
}
