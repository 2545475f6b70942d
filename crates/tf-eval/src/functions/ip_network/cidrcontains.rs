//! `cidrcontains`: whether a network contains an address or another network. OpenTofu only.

use super::{
    address::IpAddress,
    prefix::{Prefix, prefix},
};
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "cidrcontains",
    "Returns whether a network contains an address or another network.",
    &[
        Param::new("containing_prefix", Ty::String),
        Param::new("contained_ip_or_prefix", Ty::String),
    ],
    ReturnType::Fixed(Ty::Bool),
    body,
);

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let outer = prefix(args)?;
    let inner = text(&args[1]);
    let (first, last) = if inner.contains('/') {
        let inner = Prefix::parse(inner).map_err(Failure::Call)?;
        (inner.address, IpAddress { value: inner.last(), ..inner.address })
    } else {
        let address = IpAddress::parse(inner);
        let address =
            address.ok_or_else(|| Failure::Call(format!("{inner:?} is not an IP address")))?;
        (address, address)
    };
    if outer.address.to_v4().is_some() != first.to_v4().is_some() {
        return Err(Failure::call(
            "an IPv4 range contains no IPv6 address, and an IPv6 range no IPv4 address",
        ));
    }
    Ok(Value::bool(contains(outer, first) && contains(outer, last)))
}

/// An IPv4 address inside of an IPv6 one counts as IPv4.
fn contains(outer: Prefix, address: IpAddress) -> bool {
    let (network, length) = match outer.address.to_v4() {
        Some(v4) if outer.address.bits == 128 => (v4, (outer.length - 96).max(0)),
        _ => (outer.address, outer.length),
    };
    let address = address.to_v4().unwrap_or(address);
    address.bits == network.bits && Prefix { address, length }.masked().address == network
}
