//! `timestamp` and `plantimestamp`: what no value depends on before there is a plan or an apply.

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
    body: known_in_plan,
};

fn unknown_until_apply(_: &Context<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Ok(Value::unknown_not_null(Type::String))
}

fn known_in_plan(_: &Context<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Err(Failure::Undecided("only a plan has a time".to_owned()))
}
