//! `reverse`.

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, elements,
};
use tf_value::{Type, Value};

pub const REVERSE: Function = Function {
    name: "reverse",
    description: "Reverses the order of a list, tuple or set.",
    params: &[Param::new("list", Ty::Any).marked()],
    variadic: None,
    returns: ReturnType::Of(return_type),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: reverse,
};

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
