//! `can`, `convert`, `try`: declarations only. Their arguments are evaluated, and may fail, inside the
//! function, so `eval` implements them.

use crate::functions::{CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty};
use tf_value::{Type, Value};

pub const CAN: Function = Function {
    name: "can",
    description: "Returns whether an expression evaluates without an error.",
    params: &[Param::new("expression", Ty::Any).unknown().dynamic()],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Bool),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Expressions,
    body: not_here,
};

/// The second argument is a type as written in source.
pub const CONVERT: Function = Function {
    name: "convert",
    description: "Converts a value to a type, as for a variable of that type.",
    params: &[
        Param::new("value", Ty::Any).null().unknown().dynamic().marked(),
        Param::new("type", Ty::Any),
    ],
    variadic: None,
    returns: ReturnType::Of(|_| Ok(Type::Dynamic)),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Expressions,
    body: not_here,
};

pub const TRY: Function = Function {
    name: "try",
    description: "Returns the value of the first expression that evaluates without an error.",
    params: &[],
    variadic: Some(Param::new("expressions", Ty::Any)),
    returns: ReturnType::Of(|_| Ok(Type::Dynamic)),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Expressions,
    body: not_here,
};

fn not_here(_: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Err(Failure::call("its arguments must not be evaluated before the call"))
}
