//! `flatten`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use release::Release;
use stack::guarded;
use tf_value::{Marks, Type, Value, ops};

pub const FLATTEN: Function = Function::pure(
    "flatten",
    "Replaces nested lists, sets and tuples with their elements, at every depth.",
    &[Param::new("list", Ty::Any).unknown().dynamic().marked()],
    ReturnType::Of(return_type),
    flatten,
)
.refuses(Refuses::By(unless_nested));

/// The result of walking the nested lists.
#[derive(Default)]
struct Flat {
    elements: Vec<Value>,
    /// The marks of the lists; an element keeps its own.
    marks: Marks,
    /// Whether an element has unknown length, or may yet turn out to be a list.
    undetermined: bool,
}

fn unless_nested(_: Release, args: &[Value], _: &Type) -> Refuses {
    if args.iter().all(|it| is_nested(it.ty())) { Refuses::Nothing } else { Refuses::Everything }
}

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    let Some(list) = args.first() else { return Ok(Type::Dynamic) };
    // Only a value that is completely known is refused for its type.
    if !list.is_wholly_known() {
        return Ok(Type::Dynamic);
    }
    if !is_nested(list.ty()) {
        return Err(Failure::call("can only flatten lists, sets and tuples"));
    }
    let mut flat = Flat::default();
    collect(&mut flat, list);
    if flat.undetermined {
        return Ok(Type::Dynamic);
    }
    Ok(Type::tuple(flat.elements.iter().map(|it| it.ty().clone()).collect()))
}

fn flatten(context: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    // Each element is visited twice, and rebuilt with its type.
    context.host.spend(args.first().map_or(0, |it| it.size().saturating_mul(3)))?;
    let mut flat = Flat::default();
    for it in args {
        collect(&mut flat, it);
    }
    let result =
        if flat.undetermined { Value::unknown(ty.clone()) } else { Value::tuple(flat.elements) };
    Ok(result.with_marks(flat.marks))
}

fn collect(flat: &mut Flat, list: &Value) {
    flat.marks |= list.marks();
    if !ops::length(list).is_some_and(|it| it.is_known()) || !list.is_known() {
        flat.undetermined = true;
        return;
    }
    for (_, it) in ops::elements(list).into_iter().flatten() {
        if !it.is_known() && *it.ty() == Type::Dynamic {
            flat.undetermined = true;
            flat.marks |= it.marks();
        }
        if is_nested(it.ty()) && !it.is_null() {
            guarded(|| collect(flat, it));
        } else {
            flat.elements.push(it.clone());
        }
    }
}

fn is_nested(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}
