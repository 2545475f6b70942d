//! `uuid` and `bcrypt`: random, so unknown until the apply; only a console gives them values.

use bcrypt::{Version, hash_with_salt};
use uuid::Uuid;

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text, whole_number,
};
use tf_value::{Type, Value};

pub const UUID: Function = Function::pure(
    "uuid",
    "Returns a random UUID; unknown until the apply.",
    &[],
    ReturnType::Fixed(Ty::String),
    uuid,
)
.depends_on(DependsOn::Moment);

pub const BCRYPT: Function = Function::pure(
    "bcrypt",
    "Computes a salted hash with Blowfish; unknown until the apply.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    bcrypt,
)
.variadic(Param::new("cost", Ty::Number))
.depends_on(DependsOn::Moment);

/// Go's default, which also replaces a cost that is too low.
const DEFAULT_COST: i64 = 10;
/// The work of a hash of cost 0; each further step doubles it.
const WORK: u64 = 200;

/// A UUID that is random in every bit: Terraform sets no version in it.
fn uuid(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    if !context.host.is_console() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    Ok(Value::string(Uuid::from_u128(context.host.system().random()).to_string()))
}

fn bcrypt(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    if !context.host.is_console() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let (password, cost) = match args {
        [password] => (text(password), DEFAULT_COST),
        [password, cost] => (text(password), whole_number(cost).map_err(Failure::call)?),
        _ => return Err(Failure::call("expected a string and at most one cost")),
    };
    let cost = if cost < 4 { DEFAULT_COST } else { cost };
    let Some(cost) = u32::try_from(cost).ok().filter(|it| *it <= 31) else {
        return Err(Failure::call("the cost must be at most 31"));
    };
    if password.len() > 72 {
        return Err(Failure::call("the text must have at most 72 bytes"));
    }
    context.host.spend(WORK << cost)?;
    let salt = context.host.system().random().to_be_bytes();
    match hash_with_salt(password, cost, salt) {
        Ok(hash) => Ok(Value::string(hash.format_for_version(Version::TwoA))),
        Err(error) => Err(Failure::Call(error.to_string())),
    }
}
