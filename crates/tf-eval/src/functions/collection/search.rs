//! `contains`, `index`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use release::{Release, changes};
use tf_value::{Number, Type, Value, ops::equals};

const LIST_AND_VALUE: &[Param] = &[Param::new("list", Ty::Any), Param::new("value", Ty::Any)];

const LIST_AND_NULLABLE: &[Param] = &[
    Param::new("list", Ty::Any),
    Param::new("value", Ty::Any).null_since(&changes::CONTAINS_NULL),
];

pub const CONTAINS: Function = Function::pure(
    "contains",
    "Returns whether a list, set or tuple contains a value, without conversions.",
    LIST_AND_NULLABLE,
    ReturnType::Fixed(Ty::Bool),
    contains,
)
.refuses(Refuses::By(unless_sequence));

pub const INDEX: Function = Function::pure(
    "index",
    "Returns the index of the first element that equals a value; fails if there is \
        none.",
    LIST_AND_VALUE,
    ReturnType::Fixed(Ty::Number),
    index,
)
.refuses(Refuses::By(unless_found));

/// Refuses every argument but lists, sets and tuples.
fn unless_sequence(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_sequence = |it: &Value| matches!(it.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
    if args.first().is_some_and(is_sequence) { Refuses::Nothing } else { Refuses::Everything }
}

fn unless_found(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_list = |it: &Value| matches!(it.ty(), Type::List(_) | Type::Tuple(_));
    if args.first().is_some_and(is_list) { Refuses::SomeValues } else { Refuses::Everything }
}

fn contains(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list, value] = args else { return Ok(Value::null(ty.clone())) };
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(Failure::call("argument must be list, tuple, or set"));
    }
    let mut undecided = false;
    for it in elements(list) {
        match equals(value, it).as_bool() {
            Some(true) => return Ok(Value::bool(true)),
            Some(false) => (),
            None => undecided = true,
        }
    }
    Ok(if undecided { Value::unknown_not_null(Type::Bool) } else { Value::bool(false) })
}

fn index(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list, value] = args else { return Ok(Value::null(ty.clone())) };
    if !matches!(list.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(Failure::call("argument must be a list or tuple"));
    }
    if elements(list).is_empty() {
        return Err(Failure::call("cannot search an empty list"));
    }
    for (index, it) in elements(list).iter().enumerate() {
        match equals(it, value).as_bool() {
            Some(true) => return Ok(Value::number(Number::from_u64(index as u64))),
            Some(false) => (),
            None => return Ok(Value::unknown_not_null(Type::Number)),
        }
    }
    Err(Failure::call("item not found"))
}
