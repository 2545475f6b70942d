//! `slice`.

use std::ops::Range;

use crate::functions::{
    CallContext, Failure, Function, Param, ReturnType, Ty, elements, whole_number,
};
use tf_value::{Type, Value, ops};

pub const SLICE: Function = Function::pure(
    "slice",
    "Returns the elements of a list from a start index to an end index, exclusive.",
    &[
        Param::new("list", Ty::Any).marked(),
        Param::new("start_index", Ty::Number),
        Param::new("end_index", Ty::Number),
    ],
    ReturnType::Of(return_type),
    slice,
);

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    let Some(list) = args.first() else { return Ok(Type::Dynamic) };
    match list.ty() {
        Type::List(_) => indices(args).map(|_| list.ty().clone()),
        Type::Tuple(types) => {
            let types = indices(args)?.and_then(|it| types.get(it));
            Ok(types.map_or(Type::Dynamic, |it| Type::tuple(it.to_vec())))
        }
        Type::Set(_) => {
            let message = "cannot slice a set, because its elements do not have indices; convert \
                           it to a list if the order does not matter";
            Err(Failure::argument(0, message))
        }
        _ => Err(Failure::argument(0, "must be a list or tuple value")),
    }
}

fn slice(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let Some(list) = args.first() else { return Ok(Value::null(ty.clone())) };
    let part = indices(args)?.and_then(|it| elements(list).get(it)).unwrap_or_default().to_vec();
    let result = match ty {
        Type::List(element) => Value::list((**element).clone(), part),
        _ => Value::tuple(part),
    };
    Ok(result.with_marks(list.marks()))
}

/// The range of indices. It is checked where the bounds and the length are known.
fn indices(args: &[Value]) -> Result<Option<Range<usize>>, Failure> {
    let [list, start, end] = args else { return Ok(None) };
    let length = ops::length(list).and_then(|it| it.as_number()?.to_i64());
    let start = index("start", 1, start, length)?;
    let end = index("end", 2, end, length)?;
    let (Some(start), Some(end)) = (start, end) else { return Ok(None) };
    if start > end {
        return Err(Failure::argument(1, "start index must not be greater than end index"));
    }
    Ok(Some(start..end))
}

fn index(
    name: &str,
    position: usize,
    value: &Value,
    length: Option<i64>,
) -> Result<Option<usize>, Failure> {
    if !value.is_known() {
        return Ok(None);
    }
    let fail = |message: String| Failure::argument(position, message);
    let index = whole_number(value).map_err(|it| fail(format!("invalid {name} index: {it}")))?;
    if length.is_some_and(|it| index > it) {
        let message = format!("{name} index must not be greater than the length of the list");
        return Err(fail(message));
    }
    usize::try_from(index)
        .map(Some)
        .map_err(|_| fail(format!("{name} index must not be less than zero")))
}
