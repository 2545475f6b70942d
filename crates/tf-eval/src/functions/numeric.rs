//! Numbers: rounding, extremes, powers, parsing.

use std::cmp::Ordering;

use super::{
    CallContext, Failure, Function, Param, Refuses, ReturnType, Ty, double, text, whole_number,
};
use go_compat::math;
use release::Release;
use tf_value::{Number, Type, Value, quoted};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[ABS, CEIL, FLOOR, LOG, MAX, MIN, PARSEINT, POW, SIGNUM];

const NUMBERS: Param = Param::new("numbers", Ty::Number);

pub const MAX: Function = Function::pure(
    "max",
    "The greatest of the numbers; at least one is required.",
    &[],
    ReturnType::Fixed(Ty::Number),
    |_, args, _| extreme(args, Ordering::Greater),
)
.variadic(NUMBERS)
.refuses(Refuses::By(unless_given));

pub const MIN: Function = Function::pure(
    "min",
    "The least of the numbers; at least one is required.",
    &[],
    ReturnType::Fixed(Ty::Number),
    |_, args, _| extreme(args, Ordering::Less),
)
.variadic(NUMBERS)
.refuses(Refuses::By(unless_given));

/// Refuses a call without arguments.
fn unless_given(_: Release, args: &[Value], _: &Type) -> Refuses {
    if args.is_empty() { Refuses::Everything } else { Refuses::Nothing }
}

/// The first number that none of the others exceeds in the given direction.
fn extreme(args: &[Value], direction: Ordering) -> Result<Value, Failure> {
    let mut numbers = args.iter().filter_map(Value::as_number);
    let Some(mut found) = numbers.next() else {
        return Err(Failure::call("must pass at least one number"));
    };
    for it in numbers {
        if it.compare(found) == direction {
            found = it;
        }
    }
    Ok(Value::number(found.clone()))
}

const PARSEINT: Function = Function::pure(
    "parseint",
    "Parses a string as a whole number in a base from 2 to 62; above base 36, \
        letter case matters.",
    &[Param::new("number", Ty::Any), Param::new("base", Ty::Number)],
    ReturnType::Of(return_type),
    parseint,
);

/// The parameter is `any` in Terraform too, so that a number is refused instead of converted.
fn return_type(args: &[Value]) -> Result<Type, Failure> {
    match args.first().map(Value::ty) {
        Some(Type::String) | None => Ok(Type::Number),
        Some(other) => {
            let given = other.friendly_name();
            Err(Failure::argument(0, format!("first argument must be a string, not {given}")))
        }
    }
}

fn parseint(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [number, base] = args else { return Ok(Value::null(Type::Number)) };
    let base = whole_number(base).map_err(|it| Failure::argument(1, it))?;
    let Some(base) = u32::try_from(base).ok().filter(|it| (2..=62).contains(it)) else {
        let message = "base must be a whole number between 2 and 62 inclusive";
        return Err(Failure::argument(1, message));
    };
    let number = text(number);
    // Each digit takes a pass over the words of the earlier digits.
    let words = number.len() as u64 / 10;
    context.host.spend(words.saturating_mul(words) / 1000)?;
    let parsed = Number::parse_integer(number, base);
    parsed.map(Value::number).ok_or_else(|| {
        let message = format!("cannot parse {} as a base {base} integer", quoted(number));
        Failure::argument(0, message)
    })
}

// `log`, `pow`: both compute with 64-bit floating-point numbers, as Terraform does.

pub const LOG: Function = Function::pure(
    "log",
    "Returns the logarithm of a number in a base.",
    &[Param::new("num", Ty::Number), Param::new("base", Ty::Number)],
    ReturnType::Fixed(Ty::Number),
    |_, args, _| compute(args, |num, base| math::log(num) / math::log(base)),
);

const POW: Function = Function::pure(
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

const NUM: &[Param] = &[Param::new("num", Ty::Number)];

const ABS: Function = Function::pure(
    "abs",
    "Returns the absolute value of a number.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, Number::abs)),
)
.refuses(Refuses::Nothing);

const CEIL: Function = Function::pure(
    "ceil",
    "Rounds a number up to a whole number; infinity stays infinity.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, |it| unsigned_zero(&it.ceil()))),
)
.refuses(Refuses::Nothing);

const FLOOR: Function = Function::pure(
    "floor",
    "Rounds a number down to a whole number; infinity stays infinity.",
    NUM,
    ReturnType::Fixed(Ty::Number),
    |_, args, _| Ok(map(args, |it| unsigned_zero(&it.floor()))),
)
.refuses(Refuses::Nothing);

const SIGNUM: Function = Function::pure(
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
