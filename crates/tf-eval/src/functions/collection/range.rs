//! `range`.

use std::cmp::Ordering;

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty};
use tf_value::{Number, Type, Value};

/// Terraform's own bound on the result.
const MAX_LENGTH: usize = 1024;

pub const RANGE: Function = Function::pure(
    "range",
    "Returns the numbers from a start (default 0) to an end, exclusive, by a step \
        (default 1 or -1).",
    &[],
    ReturnType::Fixed(Ty::List(&Ty::Number)),
    range,
)
.variadic(Param::new("params", Ty::Number));

fn range(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let numbers: Vec<&Number> = args.iter().filter_map(Value::as_number).collect();
    let zero = Number::from_i64(0);
    let (start, end, step) = match *numbers {
        [end] => (&zero, end, unit_step(&zero, end)),
        [start, end] => (start, end, unit_step(start, end)),
        [start, end, step] => (start, end, step.clone()),
        _ => return Err(Failure::call("must have one, two, or three arguments")),
    };
    let down = step.compare(&zero) == Ordering::Less;
    match end.compare(start) {
        Ordering::Greater if down => {
            let message = "end must be less than start when step is negative";
            return Err(Failure::argument(1, message));
        }
        Ordering::Less if !down => {
            let message = "end must be greater than start when step is positive";
            return Err(Failure::argument(1, message));
        }
        _ => (),
    }
    let numbers = count(start, end, &step, down)?;
    context.host.spend(numbers.len() as u64)?;
    Ok(Value::list(Type::Number, numbers))
}

fn unit_step(start: &Number, end: &Number) -> Number {
    let down = end.compare(start) == Ordering::Less;
    Number::from_i64(if down { -1 } else { 1 })
}

fn count(start: &Number, end: &Number, step: &Number, down: bool) -> Result<Vec<Value>, Failure> {
    let passed = if down { Ordering::Less } else { Ordering::Greater };
    let mut numbers = Vec::new();
    let mut number = start.clone();
    while number.compare(end) != passed && number != *end {
        if numbers.len() == MAX_LENGTH {
            let message = format!("the range has more than {MAX_LENGTH} numbers");
            return Err(Failure::call(message));
        }
        numbers.push(Value::number(number.clone()));
        number = number.add(step).map_err(Failure::call)?;
    }
    Ok(numbers)
}
