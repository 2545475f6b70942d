//! Functions that reduce a collection, or several arguments, to one value.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements, grapheme_count,
};
use release::{Release, changes};
use tf_value::{
    Number, Refinements, Type, Value, convert, convert::unify_unsafe, ops, ops::equals,
};

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

pub const SUM: Function = Function::pure(
    "sum",
    "Returns the sum of the numbers in a list, set or tuple, which must not be empty.",
    &[Param::new("list", Ty::Any)],
    ReturnType::Fixed(Ty::Number),
    sum,
)
.refuses(Refuses::By(unless_numbers));

/// Refuses an empty collection, too.
fn unless_numbers(_: Release, args: &[Value], _: &Type) -> Refuses {
    let number = |it: &Type| convert(&Value::unknown(it.clone()), &Type::Number).is_ok();
    let is_sum = args.first().is_some_and(|it| match it.ty() {
        Type::List(element) | Type::Set(element) => number(element),
        Type::Tuple(elements) => !elements.is_empty() && elements.iter().all(number),
        _ => false,
    });
    if is_sum { Refuses::SomeValues } else { Refuses::Everything }
}

fn sum(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    let refuse = |message: String| Failure::argument(0, message);
    if !ops::is_iterable(list.ty()) {
        return Err(refuse("cannot sum noniterable".to_string()));
    }
    let empty = ops::elements(list).is_none_or(|mut it| it.next().is_none());
    if empty {
        return Err(refuse("cannot sum an empty list".to_string()));
    }
    let Some(elements) = list.as_sequence() else {
        let given = list.ty().friendly_name();
        return Err(refuse(format!("argument must be list, set, or tuple. Received {given}")));
    };
    if !list.is_wholly_known() {
        return Ok(Value::unknown_not_null(Type::Number));
    }
    add_up(elements)
}

fn add_up(elements: &[Value]) -> Result<Value, Failure> {
    let mut sum: Option<tf_value::Number> = None;
    for it in elements {
        let number = convert(it, &Type::Number).ok();
        let Some(number) = number.as_ref().and_then(Value::as_number) else {
            let message = "argument must be list, set, or tuple of number values";
            return Err(Failure::argument(0, message));
        };
        sum = Some(match sum {
            None => number.clone(),
            Some(sum) => sum
                .add(number)
                .map_err(|_| Failure::call("can't compute sum of opposing infinities"))?,
        });
    }
    Ok(sum.map_or_else(|| Value::int(0), Value::number))
}

const VALS: Param = Param::new("vals", Ty::Any).null().unknown().dynamic();

pub const COALESCE: Function = Function::pure(
    "coalesce",
    "Returns the first argument that is not null or an empty string, converted to \
        the common type.",
    &[],
    ReturnType::Of(common_type),
    coalesce,
)
.variadic(VALS);

pub const COALESCELIST: Function = Function::pure(
    "coalescelist",
    "Returns the first argument that is not null or an empty list.",
    &[],
    ReturnType::Of(common_list),
    coalescelist,
)
.variadic(VALS);

fn common_type(args: &[Value]) -> Result<Type, Failure> {
    let types: Vec<Type> = args.iter().map(|it| it.ty().clone()).collect();
    match unify_unsafe(&types) {
        Some(it) if it.undetermined => Ok(Type::Dynamic),
        Some(it) => Ok(it.ty),
        None => Err(Failure::call("all arguments must have the same type")),
    }
}

fn coalesce(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    for it in args {
        // Terraform skips what does not convert, such as a set of texts next to a list of bools.
        let Ok(it) = convert(it, ty) else { continue };
        if !it.is_known() {
            return Ok(Value::unknown_not_null(ty.clone()));
        }
        if !it.is_null() && it.as_str() != Some("") {
            return Ok(it);
        }
    }
    Err(Failure::call("no non-null, non-empty-string arguments"))
}

/// The common type of all arguments, if it is one; unknown arguments may have any type.
fn common_list(args: &[Value]) -> Result<Type, Failure> {
    let Some(first) = args.first() else {
        return Err(Failure::call("at least one argument is required"));
    };
    for it in args {
        if !it.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(it.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(Failure::call("coalescelist arguments must be lists or tuples"));
        }
    }
    let same = args.iter().all(|it| it.ty() == first.ty());
    Ok(if same { first.ty().clone() } else { Type::Dynamic })
}

fn coalescelist(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    for it in args {
        if !it.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        if !elements(it).is_empty() {
            return Ok(it.clone());
        }
    }
    Err(Failure::call("no non-null arguments"))
}
