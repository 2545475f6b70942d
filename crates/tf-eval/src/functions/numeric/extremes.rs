//! `max`, `min`.

use std::cmp::Ordering;

use crate::functions::{DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty};
use release::Release;
use tf_value::{Type, Value};

const NUMBERS: Param = Param::new("numbers", Ty::Number);

pub const MAX: Function = Function {
    name: "max",
    description: "The greatest of the numbers; at least one is required.",
    params: &[],
    variadic: Some(NUMBERS),
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::By(unless_given),
    depends_on: DependsOn::Arguments,
    body: |_, args, _| extreme(args, Ordering::Greater),
};

pub const MIN: Function = Function {
    name: "min",
    description: "The least of the numbers; at least one is required.",
    params: &[],
    variadic: Some(NUMBERS),
    returns: ReturnType::Fixed(Ty::Number),
    refuses: Refuses::By(unless_given),
    depends_on: DependsOn::Arguments,
    body: |_, args, _| extreme(args, Ordering::Less),
};

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
