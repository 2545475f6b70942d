//! `setproduct`.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, elements};
use tf_value::{Type, Value, convert, convert::unify_unsafe, ops};

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
