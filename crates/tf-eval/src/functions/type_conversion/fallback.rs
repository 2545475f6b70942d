//! `can`, `convert`, `try`: declarations only. Their arguments are evaluated, and may fail, inside the
//! function, so `eval` implements them.

use crate::functions::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty};
use tf_value::{Type, Value};

pub const CAN: Function = Function::pure(
    "can",
    "Returns whether an expression evaluates without an error.",
    &[Param::new("expression", Ty::Any).unknown().dynamic()],
    ReturnType::Fixed(Ty::Bool),
    not_here,
)
.depends_on(DependsOn::Expressions);

/// The second argument is a type as written in source.
pub const CONVERT: Function = Function::pure(
    "convert",
    "Converts a value to a type, as for a variable of that type.",
    &[
        Param::new("value", Ty::Any).null().unknown().dynamic().marked(),
        Param::new("type", Ty::Any),
    ],
    ReturnType::Of(|_| Ok(Type::Dynamic)),
    not_here,
)
.depends_on(DependsOn::Expressions);

pub const TRY: Function = Function::pure(
    "try",
    "Returns the value of the first expression that evaluates without an error.",
    &[],
    ReturnType::Of(|_| Ok(Type::Dynamic)),
    not_here,
)
.variadic(Param::new("expressions", Ty::Any))
.depends_on(DependsOn::Expressions);

fn not_here(_: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    Err(Failure::call("its arguments must not be evaluated before the call"))
}
