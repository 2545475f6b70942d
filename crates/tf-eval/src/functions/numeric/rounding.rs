//! `abs`, `ceil`, `floor`, `signum`.

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, whole_number,
};
use tf_value::{Number, Type, Value};

const NUM: &[Param] = &[Param::new("num", Ty::Number)];

pub const ABS: Function = Function {
    name: "abs",
    description: "Returns the absolute value of a number.",
    params: NUM,
    variadic: None,
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| Ok(map(args, Number::abs)),
};

pub const CEIL: Function = Function {
    name: "ceil",
    description: "Rounds a number up to a whole number; infinity stays infinity.",
    params: NUM,
    variadic: None,
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| Ok(map(args, |it| unsigned_zero(&it.ceil()))),
};

pub const FLOOR: Function = Function {
    name: "floor",
    description: "Rounds a number down to a whole number; infinity stays infinity.",
    params: NUM,
    variadic: None,
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::Nothing,
    depends_on: DependsOn::Arguments,
    body: |_, args, _| Ok(map(args, |it| unsigned_zero(&it.floor()))),
};

pub const SIGNUM: Function = Function {
    name: "signum",
    description: "Returns -1, 0 or 1: the sign of a whole number of at most 64 bits.",
    params: NUM,
    variadic: None,
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body: signum,
};

fn map(args: &[Value], operation: fn(&Number) -> Number) -> Value {
    match args {
        [it] => it.as_number().map_or_else(|| it.clone(), |it| Value::number(operation(it))),
        _ => Value::null(Type::Number),
    }
}

/// Terraform rounds through an integer, which has no negative zero.
fn unsigned_zero(number: &Number) -> Number {
    if number.is_zero() { number.abs() } else { number.clone() }
}

fn signum(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [num] = args else { return Ok(Value::null(Type::Number)) };
    let num = whole_number(num).map_err(Failure::call)?;
    Ok(Value::int(num.signum()))
}
