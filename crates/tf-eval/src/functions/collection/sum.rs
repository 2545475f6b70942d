//! `sum`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty};
use release::Release;
use tf_value::{Type, Value, convert, ops};

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
