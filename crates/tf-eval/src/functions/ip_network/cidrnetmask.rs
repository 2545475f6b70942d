//! `cidrnetmask`: the subnet mask of a prefix.

use super::prefix::prefix;
use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, text,
};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function {
    name: "cidrnetmask",
    description: "Returns the subnet mask of an IPv4 prefix in dotted notation.",
    params: &[Param::new("prefix", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body,
};

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let prefix = prefix(args)?;
    if prefix.address.to_v4().is_none() {
        let message = format!("IPv6 addresses cannot have a netmask: {}", text(&args[0]));
        return Err(Failure::Call(message));
    }
    Ok(Value::string(prefix.mask().to_string()))
}
