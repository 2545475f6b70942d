//! `timeadd`: a timestamp and a duration.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use go_compat::time::{Instant, duration};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "timeadd",
    "Adds a duration to a timestamp; fractions of a second are dropped.",
    &[Param::new("timestamp", Ty::String), Param::new("duration", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
);

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let mut instant = Instant::parse_in(context.release, text(&args[0])).map_err(Failure::Call)?;
    let duration = text(&args[1]);
    let Some(nanoseconds) = duration::parse(duration) else {
        return Err(Failure::Call(format!("{duration:?} is not a duration like \"1h30m\"")));
    };
    instant.nanoseconds += i128::from(nanoseconds);
    Ok(Value::string(instant.to_string()))
}
