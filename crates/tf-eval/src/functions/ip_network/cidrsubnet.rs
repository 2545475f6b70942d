//! `cidrsubnet`: a numbered subnet of a prefix.

use num_bigint::BigInt;

use super::prefix::{Prefix, big, prefix};
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, whole_number};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "cidrsubnet",
    "Returns the address prefix of a numbered subnet of a network.",
    &[
        Param::new("prefix", Ty::String),
        Param::new("newbits", Ty::Number),
        Param::new("netnum", Ty::Number),
    ],
    ReturnType::Fixed(Ty::String),
    body,
);

fn body(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let new_bits = whole_number(&args[1]).map_err(Failure::call)?;
    let number = big(&args[2])?;
    let prefix = prefix(args)?;
    let length = prefix.length.saturating_add(new_bits);
    if length > i64::from(prefix.address.bits) {
        let length = prefix.length;
        let message = format!(
            "insufficient address space to extend prefix of {length} by \
            {new_bits}"
        );
        return Err(Failure::Call(message));
    }
    if low_bits(&number) > largest_number(new_bits) {
        let message = format!("{new_bits} new bits do not accommodate a subnet numbered {number}");
        return Err(Failure::Call(message));
    }
    let address = prefix.address.with_number(&number, length).map_err(Failure::call)?;
    Ok(Value::string(Prefix { address, length }.to_string()))
}

/// The largest subnet number: all ones for a count outside of 0 to 63, with which Terraform checks
/// nothing.
fn largest_number(new_bits: i64) -> u64 {
    match u32::try_from(new_bits) {
        Ok(bits @ 0..=63) => (1 << bits) - 1,
        _ => u64::MAX,
    }
}

/// The lowest 64 bits of the magnitude; Terraform checks no more than these.
fn low_bits(number: &BigInt) -> u64 {
    number.iter_u64_digits().next().unwrap_or_default()
}
