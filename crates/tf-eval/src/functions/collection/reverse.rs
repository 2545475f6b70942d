//! `reverse`.

use crate::functions::{CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, elements};
use tf_value::{Type, Value};

pub const REVERSE: Function = Function::pure(
    "reverse",
    "Reverses the order of a list, tuple or set.",
    &[Param::new("list", Ty::Any).marked()],
    ReturnType::Of(return_type),
    reverse,
)
.refuses(Refuses::Nothing);

fn return_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::Tuple(types)) => Ok(Type::tuple(types.iter().rev().cloned().collect())),
        Some(Type::List(element) | Type::Set(element)) => Ok(Type::list((**element).clone())),
        other => {
            let given = other.map(Type::friendly_name).unwrap_or_default();
            let message = format!("can only reverse list or tuple values, not {given}");
            Err(Failure::argument(0, message))
        }
    }
}

fn reverse(_: &CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure> {
    let [list] = args else { return Ok(Value::null(ty.clone())) };
    let reversed = elements(list).iter().rev().cloned().collect();
    let result = match ty {
        Type::List(element) => Value::list((**element).clone(), reversed),
        _ => Value::tuple(reversed),
    };
    Ok(result.with_marks(list.marks()))
}
