//! `parseint`.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text, whole_number};
use tf_value::{Number, Type, Value, quoted};

pub const PARSEINT: Function = Function::pure(
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
