//! `timestamp` and `plantimestamp`: the times of an apply (or of a console) and of a plan.

use std::time::SystemTime;

use crate::functions::{CallContext, DependsOn, Failure, Function, ReturnType, Ty};
use go_compat::time::Instant;
use tf_value::{Type, Value};

pub const TIMESTAMP: Function = Function::pure(
    "timestamp",
    "Returns the time of the apply; unknown until then.",
    &[],
    ReturnType::Fixed(Ty::String),
    time_of_apply,
)
.depends_on(DependsOn::Moment);

pub const PLANTIMESTAMP: Function = Function::pure(
    "plantimestamp",
    "Returns the time of the plan.",
    &[],
    ReturnType::Fixed(Ty::String),
    time_of_plan,
)
.depends_on(DependsOn::Moment);

fn time_of_apply(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    if context.host.is_console() {
        return Ok(Value::string(in_utc(context.host.system().now())));
    }
    Ok(Value::unknown_not_null(Type::String))
}

fn time_of_plan(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    match context.host.plan_time() {
        Some(time) => Ok(Value::string(in_utc(time))),
        None => Err(Failure::Undecided("the time is known only to a plan".to_owned())),
    }
}

fn in_utc(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let nanoseconds = i128::from(since.as_secs()) * 1_000_000_000;
    Instant { nanoseconds, offset: 0 }.to_string()
}
