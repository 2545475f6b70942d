//! `abs`, `ceil`, `floor`, `signum`.

use crate::functions::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, whole_number,
};
use tf_value::{Number, Type, Value};

const NUM: &[Param] = &[Param::new("num", Ty::Number)];

pub const ABS: Function = Function::pure(
    "abs",
    "Returns the absolute value of a number.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, Number::abs)),
)
.refuses(Refuses::Nothing);

pub const CEIL: Function = Function::pure(
    "ceil",
    "Rounds a number up to a whole number; infinity stays infinity.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, |it| unsigned_zero(&it.ceil()))),
)
.refuses(Refuses::Nothing);

pub const FLOOR: Function = Function::pure(
    "floor",
    "Rounds a number down to a whole number; infinity stays infinity.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, |it| unsigned_zero(&it.floor()))),
)
.refuses(Refuses::Nothing);

pub const SIGNUM: Function = Function::pure(
    "signum",
    "Returns -1, 0 or 1: the sign of a whole number of at most 64 bits.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    signum,
);

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
