//! `issensitive`, `nonsensitive`, `sensitive`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use release::{Release, changes};
use tf_value::{Marks, Type, Value};

const VALUE: &[Param] = &[Param::new("value", Ty::Any).null().unknown().dynamic().marked()];

pub const ISSENSITIVE: Function = Function::pure(
    "issensitive",
    "Returns whether the value itself, not only a part of it, is marked as sensitive.",
    VALUE,
    ReturnType::Fixed(Ty::Bool),
    is_sensitive,
)
.refuses(Refuses::Nothing);

pub const NONSENSITIVE: Function = Function::pure(
    "nonsensitive",
    "Removes the sensitive mark of a value; marks inside it stay.",
    VALUE,
    ReturnType::Of(same),
    non_sensitive,
)
.refuses(Refuses::By(unless_sensitive));

pub const SENSITIVE: Function = Function::pure(
    "sensitive",
    "Marks a value as sensitive, so that it is not shown.",
    VALUE,
    ReturnType::Of(same),
    |_, args, ty| Ok(map(args, ty, |it| it.with_marks(Marks::SENSITIVE))),
)
.refuses(Refuses::Nothing);

/// A value's type does not show its marks.
fn unless_sensitive(release: Release, _: &[Value], _: &Type) -> Refuses {
    if release.has(&changes::NONSENSITIVE_OF_ANY) { Refuses::Nothing } else { Refuses::SomeValues }
}

fn non_sensitive(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let is_redundant = |it: &Value| it.is_known() && !it.marks().is_sensitive();
    if !context.release.has(&changes::NONSENSITIVE_OF_ANY) && args.iter().any(is_redundant) {
        return Err(Failure::argument(0, "the value is not sensitive"));
    }
    Ok(map(args, ty, |it| {
        let (it, marks) = it.unmark();
        it.with_marks(marks.without(Marks::SENSITIVE))
    }))
}

/// The type of the only argument.
fn same(args: &[Value]) -> Result<Type, Failure> {
    Ok(args.first().map_or(Type::Dynamic, |it| it.ty().clone()))
}

fn map(args: &[Value], ty: &Type, operation: fn(Value) -> Value) -> Value {
    args.first().cloned().map_or_else(|| Value::null(ty.clone()), operation)
}

fn is_sensitive(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::null(ty.clone())) };
    let marks = value.marks();
    let known = marks.is_sensitive() || value.is_known();
    // An unknown value may still turn out to be sensitive.
    let answer = if known { Value::bool(marks.is_sensitive()) } else { Value::unknown(Type::Bool) };
    // The answer reveals nothing of the value.
    let undecided = marks.without(Marks::SENSITIVE | Marks::EPHEMERAL | Marks::SECRET);
    Ok(answer.with_marks(undecided))
}
