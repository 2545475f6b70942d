//! `log`, `pow`: both compute with 64-bit floating-point numbers, as Terraform does.

use crate::functions::{Failure, Function, Param, ReturnType, Ty, double};
use go_compat::math;
use tf_value::{Number, Type, Value};

pub const LOG: Function = Function::pure(
    "log",
    "Returns the logarithm of a number in a base.",
    &[Param::new("num", Ty::Number), Param::new("base", Ty::Number)],
    ReturnType::Fixed(Ty::Number),
    |_, args, _| compute(args, |num, base| math::log(num) / math::log(base)),
);

pub const POW: Function = Function::pure(
    "pow",
    "Returns a number raised to a power.",
    &[Param::new("num", Ty::Number), Param::new("power", Ty::Number)],
    ReturnType::Fixed(Ty::Number),
    |_, args, _| compute(args, math::pow),
);

fn compute(args: &[Value], operation: fn(f64, f64) -> f64) -> Result<Value, Failure> {
    let [left, right] = args else { return Ok(Value::null(Type::Number)) };
    let left = double(left).map_err(Failure::call)?;
    let right = double(right).map_err(Failure::call)?;
    let result = operation(left, right);
    if result.is_nan() {
        // Terraform's implementation panics here, and recovers.
        return Err(Failure::call("the result is not a number"));
    }
    Ok(Value::number(Number::from_f64(result)))
}
