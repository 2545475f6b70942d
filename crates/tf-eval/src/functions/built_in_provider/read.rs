//! `decode_tfvars`.

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text,
};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function {
    name: "decode_tfvars",
    description: "Decodes the text of a values file into an object.",
    params: &[Param::new("src", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Any),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body: decode_tfvars,
};

fn decode_tfvars(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    context.host.read_values(text(&args[0]))
}
