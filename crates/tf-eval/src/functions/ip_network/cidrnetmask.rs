//! `cidrnetmask`: the subnet mask of a prefix.

use super::prefix::prefix;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "cidrnetmask",
    "Returns the subnet mask of an IPv4 prefix in dotted notation.",
    &[Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
);

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let prefix = prefix(args)?;
    if prefix.address.to_v4().is_none() {
        let message = format!("IPv6 addresses cannot have a netmask: {}", text(&args[0]));
        return Err(Failure::Call(message));
    }
    Ok(Value::string(prefix.mask().to_string()))
}
