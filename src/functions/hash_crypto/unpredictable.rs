//! `uuid` and `bcrypt`: random, so unknown until the apply.

use crate::{
    functions::{Context, Failure, Function, Param, ReturnType, Ty},
    value::{Type, Value},
};

pub const UUID: Function = Function {
    name: "uuid",
    description: "Makes a random UUID; unknown until the apply.",
    params: &[],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body,
};

pub const BCRYPT: Function = Function {
    name: "bcrypt",
    description: "Computes a salted hash with Blowfish; unknown until the apply.",
    params: &[Param::new("str", Ty::String)],
    variadic: Some(Param::new("cost", Ty::Number)),
    returns: ReturnType::Fixed(Ty::String),
    body,
};

fn body(_: &Context<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Ok(Value::unknown_not_null(Type::String))
}
