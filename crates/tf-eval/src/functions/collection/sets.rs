//! Sets: unions, intersections, differences and products.

use std::collections::HashSet;

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty,
    collection::identity::membership_key, elements,
};
use release::Release;
use tf_value::{Type, Value, convert, convert::unify_unsafe, ops};

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

pub const SETPRODUCT: Function = Function::pure(
    "setproduct",
    "Returns all combinations of elements of the lists or sets; a list if all are \
        lists.",
    &[],
    ReturnType::Of(return_type),
    setproduct,
)
.variadic(Param::new("sets", Ty::Any).marked());

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    if args.len() < 2 {
        return Err(Failure::call("at least two arguments are required"));
    }
    let types: Result<Vec<Type>, Failure> =
        args.iter().enumerate().map(|(index, it)| element_type(index, it)).collect();
    let combination = Type::tuple(types?);
    let any_set = args.iter().any(|it| matches!(it.ty(), Type::Set(_)));
    Ok(if any_set { Type::set(combination) } else { Type::list(combination) })
}

/// The elements of a tuple must have a common type.
fn element_type(index: usize, arg: &Value) -> Result<Type, Failure> {
    match arg.ty() {
        Type::Set(element) | Type::List(element) => Ok((**element).clone()),
        Type::Tuple(types) if types.is_empty() => Ok(Type::Dynamic),
        Type::Tuple(types) => unify_unsafe(types)
            .map(|it| it.ty)
            .ok_or_else(|| Failure::argument(index, "all elements must be of the same type")),
        _ => Err(Failure::argument(index, "a set or a list is required")),
    }
}

fn setproduct(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let Some(combination) = ty.element() else { return Ok(Value::null(ty.clone())) };
    let marks = ops::marks_of(args);
    if args.iter().any(|list| ops::length(list).is_some_and(|it| !it.is_known())) {
        return Ok(Value::unknown_not_null(ty.clone()).with_marks(marks));
    }
    let total = args.iter().try_fold(1_usize, |total, it| total.checked_mul(elements(it).len()));
    let size = total.and_then(|it| it.checked_mul(args.len()));
    let size = size.and_then(|it| u64::try_from(it).ok()).unwrap_or(u64::MAX);
    context.host.spend(size.saturating_mul(2))?;
    if matches!(ty, Type::Set(_)) {
        // Each combination is written out to order the set.
        let each = args.iter().map(|it| it.size() / (elements(it).len() as u64).max(1));
        let all = each.sum::<u64>().saturating_mul(total.unwrap_or(usize::MAX) as u64);
        context.host.spend(all)?;
    }
    let combinations = combinations(args, combination.as_tuple().unwrap_or_default())?;
    let result = match ty {
        Type::Set(_) => Value::set(combination.clone(), combinations),
        _ => Value::list(combination.clone(), combinations),
    };
    Ok(result.with_marks(marks))
}

/// All combinations; the last list varies fastest.
fn combinations(args: &[Value], types: &[Type]) -> Result<Vec<Value>, Failure> {
    let mut combinations: Vec<Vec<Value>> = vec![Vec::new()];
    for (index, (arg, ty)) in args.iter().zip(types).enumerate() {
        let convert =
            |value| convert(value, ty).map_err(|it| Failure::argument(index, it.to_string()));
        let next: Result<Vec<Value>, Failure> = elements(arg).iter().map(convert).collect();
        let next = next?;
        combinations = combinations
            .iter()
            .flat_map(|start: &Vec<Value>| {
                next.iter().map(move |it| [start, std::slice::from_ref(it)].concat())
            })
            .collect();
    }
    Ok(combinations.into_iter().map(Value::tuple).collect())
}
