//! `setintersection`, `setsubtract`, `setunion`.

use std::collections::HashSet;

use super::identity::membership_key;
use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use release::Release;
use tf_value::{Type, Value, convert, convert::unify_unsafe};

const ANY_SET: Ty = Ty::Set(&Ty::Any);
const INCOMPATIBLE: &str = "given sets must all have compatible element types";

pub const SETINTERSECTION: Function = Function::pure(
    "setintersection",
    "Returns the elements that all sets have in common.",
    &[Param::new("first_set", ANY_SET)],
    ReturnType::Of(common_set),
    |context, args, ty| filter(context, args, ty, true),
)
.variadic(Param::new("other_sets", ANY_SET))
.refuses(Refuses::By(unless_alike));

pub const SETSUBTRACT: Function = Function::pure(
    "setsubtract",
    "Returns the elements of the first set that the second set does not contain.",
    &[Param::new("a", ANY_SET), Param::new("b", ANY_SET)],
    ReturnType::Of(common_set),
    |context, args, ty| filter(context, args, ty, false),
)
.refuses(Refuses::By(unless_alike));

pub const SETUNION: Function = Function::pure(
    "setunion",
    "Returns the elements of all sets.",
    &[Param::new("first_set", ANY_SET)],
    ReturnType::Of(common_set),
    union,
)
.variadic(Param::new("other_sets", ANY_SET))
.refuses(Refuses::By(unless_alike));

/// Refuses nothing if the sets have one type, which needs no conversion.
fn unless_alike(_: Release, args: &[Value], _: &Type) -> Refuses {
    let alike = args.iter().all(|it| Some(it.ty()) == args.first().map(Value::ty));
    if alike { Refuses::Nothing } else { Refuses::SomeValues }
}

/// The set type that all arguments convert to; an empty set without a type is ignored.
fn common_set(args: &[Value]) -> Result<Type, Failure> {
    let with_a_say = args.iter().filter_map(|it| {
        let element = it.ty().element()?;
        let empty = it.is_known() && elements(it).is_empty() && *element == Type::Dynamic;
        (!empty).then(|| element.clone())
    });
    let types: Vec<Type> = with_a_say.collect();
    if types.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    let unified = unify_unsafe(&types).ok_or_else(|| Failure::call(INCOMPATIBLE))?;
    Ok(Type::set(unified.ty))
}

/// The arguments as sets of one type. An element without a type (a null) next to a structural one
/// prevents that: Terraform's implementation panics and recovers.
fn converted(args: &[Value], ty: &Type) -> Result<Vec<Value>, Failure> {
    let convert =
        |(index, arg)| convert(arg, ty).map_err(|it| Failure::argument(index, it.to_string()));
    let sets: Vec<Value> = args.iter().enumerate().map(convert).collect::<Result<_, _>>()?;
    if sets.iter().all(|it| Some(it.ty()) == sets.first().map(Value::ty)) {
        return Ok(sets);
    }
    Err(Failure::call(INCOMPATIBLE))
}

/// The elements of the first set that all other sets have, or that no other set has.
fn filter(
    context: &CallContext<'_>,
    args: &[Value],
    ty: &Type,
    present: bool,
) -> Result<Value, Failure> {
    let sets = converted(args, ty)?;
    if !sets.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown_not_null(ty.clone()));
    }
    let ([first, others @ ..], Some(element)) = (&*sets, ty.element()) else {
        return Ok(Value::null(ty.clone()));
    };
    let mut kept = elements(first).to_vec();
    for it in others {
        context.host.spend(4 * it.size())?;
        let other: HashSet<String> = elements(it).iter().map(membership_key).collect();
        kept.retain(|it| other.contains(&membership_key(it)) == present);
    }
    Ok(Value::set(element.clone(), kept))
}

fn union(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let sets = converted(args, ty)?;
    let Some(element) = ty.element() else { return Ok(Value::null(ty.clone())) };
    let all: Vec<Value> = sets.iter().flat_map(elements).cloned().collect();
    context.host.spend(4 * all.len() as u64)?;
    Ok(Value::set(element.clone(), all))
}
