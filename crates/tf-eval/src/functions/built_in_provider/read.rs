//! `decode_tfvars`.

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "decode_tfvars",
    "Decodes the text of a values file into an object.",
    &[Param::new("src", Ty::String)],
    ReturnType::Fixed(Ty::Any),
    decode_tfvars,
);

fn decode_tfvars(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    context.host.read_values(text(&args[0]))
}
