//! `element`, `one`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements, whole_number,
};
use release::{Release, changes};
use tf_value::{Type, Value, ops};

pub const ELEMENT: Function = Function::pure(
    "element",
    "Returns the element at an index, which wraps around the list.",
    &[Param::new("list", Ty::Any).marked(), Param::new("index", Ty::Number)],
    ReturnType::OfRelease(element_type),
    element,
);

pub const ONE: Function = Function::pure(
    "one",
    "Returns the only element of a list, set or tuple, or null if it is empty.",
    &[Param::new("list", Ty::Any)],
    ReturnType::Of(only_type),
    one,
)
.refuses(Refuses::By(unless_one));

fn unless_one(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_tuple = args.first().is_some_and(|it| matches!(it.ty(), Type::Tuple(_)));
    if is_tuple { Refuses::Nothing } else { Refuses::SomeValues }
}

fn element_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
    let [list, index] = args else { return Ok(Type::Dynamic) };
    match list.ty() {
        Type::List(element) => Ok((**element).clone()),
        Type::Tuple(_) if !index.is_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let index = whole_index(index, release)?;
            let wrapped = wrap(index, types.len())?;
            if index < 0 && wrapped != 0 && !release.has(&changes::ELEMENT_NEGATIVE_TUPLE) {
                // Terraform's implementation panics here, for tuples only, and recovers.
                return Err(Failure::call(format!("index out of range [{index}]")));
            }
            Ok(types.get(wrapped).cloned().unwrap_or(Type::Dynamic))
        }
        other => {
            let given = other.friendly_name();
            Err(Failure::call(format!("cannot read elements from {given}")))
        }
    }
}

fn element(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list, index] = args else { return Ok(Value::null(ty.clone())) };
    let list_elements = elements(list);
    let index = wrap(whole_index(index, context.release)?, list_elements.len())?;
    let found = list_elements.get(index).cloned().unwrap_or_else(|| Value::null(ty.clone()));
    Ok(found.with_marks(list.marks()))
}

fn whole_index(index: &Value, release: Release) -> Result<i64, Failure> {
    let is_negative = index.as_number().is_some_and(|it| it.is_negative() && !it.is_zero());
    if is_negative && !release.has(&changes::ELEMENT_NEGATIVE) {
        return Err(Failure::call("cannot use element function with a negative index"));
    }
    whole_number(index).map_err(|it| Failure::call(format!("invalid index: {it}")))
}

fn wrap(index: i64, length: usize) -> Result<usize, Failure> {
    let wrapped = i64::try_from(length).ok().and_then(|it| index.checked_rem_euclid(it));
    wrapped
        .and_then(|it| usize::try_from(it).ok())
        .ok_or_else(|| Failure::call("cannot use element function with an empty list"))
}

fn only_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::List(element) | Type::Set(element)) => Ok((**element).clone()),
        Some(Type::Tuple(types)) if types.len() < 2 => {
            Ok(types.first().cloned().unwrap_or(Type::Dynamic))
        }
        _ => Err(not_one()),
    }
}

fn one(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    if ops::length(list).is_some_and(|it| !it.is_known()) {
        return Ok(Value::unknown(ty.clone()));
    }
    match elements(list) {
        [] => Ok(Value::null(ty.clone())),
        [it] => Ok(it.clone()),
        _ => Err(not_one()),
    }
}

fn not_one() -> Failure {
    let message = "must be a list, set, or tuple value with either zero or one elements";
    Failure::argument(0, message)
}
