//! `max`, `min`.

use std::cmp::Ordering;

use crate::functions::{Failure, Function, Param, Refuses, ReturnType, Ty};
use release::Release;
use tf_value::{Type, Value};

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
