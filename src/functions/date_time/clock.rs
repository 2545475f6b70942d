//! `timestamp` and `plantimestamp`: the times of an apply and of a plan.

use std::time::SystemTime;

use super::Instant;
use crate::{
    functions::{Context, Failure, Function, ReturnType, Ty},
    value::{Type, Value},
};

pub const TIMESTAMP: Function = Function {
    name: "timestamp",
    description: "Gives the time of the apply; unknown until then.",
    params: &[],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body: unknown_until_apply,
};

pub const PLANTIMESTAMP: Function = Function {
    name: "plantimestamp",
    description: "Gives the time of the plan.",
    params: &[],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body: time_of_plan,
};

fn unknown_until_apply(_: &Context<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Ok(Value::unknown_not_null(Type::String))
}

fn time_of_plan(context: &Context<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    let Some(time) = context.host.plan_time() else {
        return Err(Failure::Undecided("only a plan has a time".to_owned()));
    };
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let nanoseconds = i128::from(since.as_secs()) * 1_000_000_000;
    Ok(Value::string(Instant { nanoseconds, offset: 0 }.to_string()))
}
