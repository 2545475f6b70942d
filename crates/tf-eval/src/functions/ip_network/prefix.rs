//! CIDR prefixes, `10.0.0.0/8`, and the helpers that their functions share.

use std::fmt;

use num_bigint::BigInt;

use super::address::{IpAddress, number};
use crate::functions::{Failure, text};
use tf_value::{Number, Value};

/// A network: its address with the host bits cleared, and the number of network bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    pub address: IpAddress,
    /// From 0 to the address's bits; only a shift to the left can lead outside.
    pub length: i64,
}

impl Prefix {
    /// Reads `ADDRESS/LENGTH`; host bits are allowed and cleared. Errors: a message.
    pub fn parse(text: &str) -> Result<Prefix, String> {
        Prefix::read(text).ok_or_else(|| format!("{text:?} is not a CIDR prefix"))
    }

    fn read(text: &str) -> Option<Prefix> {
        let (address, length) = text.split_once('/')?;
        let address = IpAddress::parse(address)?;
        let length = number(length, 10, address.bits)?;
        Some(Prefix { address, length: i64::from(length) }.masked())
    }

    /// The number of host bits.
    pub fn host_bits(self) -> u32 {
        let bits = i64::from(self.address.bits);
        u32::try_from(bits - self.length.clamp(0, bits)).unwrap_or_default()
    }

    /// The last address of the network.
    pub fn last(self) -> u128 {
        self.address.value | host_mask(self.host_bits())
    }

    /// The network's mask as an address of its kind.
    pub fn mask(self) -> IpAddress {
        let bits = self.address.bits;
        IpAddress { value: host_mask(bits) & !host_mask(self.host_bits()), bits }
    }

    /// The network of this length that contains the address.
    pub fn masked(self) -> Prefix {
        let address = IpAddress { value: self.address.value & self.mask().value, ..self.address };
        Prefix { address, ..self }
    }
}

/// Go's text: an IPv4 network in an IPv6 one shows as IPv4, and a length below 0 as `<nil>`.
impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length < 0 {
            return f.write_str("<nil>");
        }
        let is_mapped = self.address.bits == 128 && self.address.to_v4().is_some();
        let length = if is_mapped { (self.length - 96).max(0) } else { self.length };
        write!(f, "{}/{length}", self.address)
    }
}

/// The prefix in argument 0; a malformed one is the fault of the call as a whole.
pub fn prefix(args: &[Value]) -> Result<Prefix, Failure> {
    Prefix::parse(text(&args[0])).map_err(Failure::Call)
}

/// A whole number of any size.
pub fn big(value: &Value) -> Result<BigInt, Failure> {
    let number = value.as_number().filter(|it| it.is_integer()).and_then(Number::to_bigint);
    number.ok_or_else(|| Failure::call("value must be a whole number"))
}

fn host_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}
