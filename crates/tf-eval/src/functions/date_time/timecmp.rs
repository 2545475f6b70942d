//! `timecmp`: which of two timestamps is earlier.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use go_compat::time::Instant;
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "timecmp",
    "Compares two timestamps: -1, 0 or 1 if the first is before, equal to or after \
        the second.",
    &[Param::new("timestamp_a", Ty::String), Param::new("timestamp_b", Ty::String)],
    ReturnType::Fixed(Ty::Number),
    body,
);

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let instant = |index| {
        Instant::parse_leniently(text(&args[index])).map_err(|it| Failure::argument(index, it))
    };
    let (a, b) = (instant(0)?, instant(1)?);
    Ok(Value::int(a.nanoseconds.cmp(&b.nanoseconds) as i64))
}
