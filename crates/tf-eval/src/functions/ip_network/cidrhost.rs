//! `cidrhost`: the address of a numbered host.

use num_bigint::BigInt;

use super::prefix::{Prefix, big, prefix};
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "cidrhost",
    "Returns the IP address of a numbered host in a network.",
    &[Param::new("prefix", Ty::String), Param::new("hostnum", Ty::Number)],
    ReturnType::Fixed(Ty::String),
    body,
);

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let number = big(&args[1])?;
    let prefix = prefix(args)?;
    let number = host_number(prefix, number)?;
    // Terraform takes an IPv6 network that contains an IPv4 one for 32 bits wide, and shifts the number
    // 96 bits too far to the left.
    let length = if prefix.address.to_v4().is_some() { 32 } else { 128 };
    let address = prefix.address.with_number(&number, length).map_err(Failure::call)?;
    Ok(Value::string(address.to_string()))
}

/// Checks the number as Terraform does, and counts negative ones from the end.
fn host_number(prefix: Prefix, number: BigInt) -> Result<BigInt, Failure> {
    let max = (BigInt::from(1) << prefix.host_bits()) - 1;
    let (checked, number) = if number < BigInt::ZERO {
        let from_end: BigInt = -number - 1;
        (from_end.clone(), &max - from_end)
    } else {
        (low_signed_bits(&number), number)
    };
    if checked > max {
        let length = prefix.length;
        let message =
            format!("a prefix of {length} bits does not accommodate a host numbered {number}");
        return Err(Failure::Call(message));
    }
    Ok(number)
}

/// The lowest 64 bits, read as a signed number. Terraform checks no more than these, so it accepts hosts
/// that do not fit.
fn low_signed_bits(number: &BigInt) -> BigInt {
    let low = number.iter_u64_digits().next().unwrap_or_default();
    BigInt::from(low.cast_signed())
}
