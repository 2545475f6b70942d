//! IP addresses as Terraform reads them: as Go did before 1.17, with leading zeros allowed.

use std::{fmt, net::Ipv6Addr};

use num_bigint::{BigInt, Sign};

/// An IPv4 address (32 bits) or an IPv6 address (128 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpAddress {
    pub value: u128,
    pub bits: u32,
}

/// The upper 96 bits of an IPv4 address written as an IPv6 one, `::ffff:1.2.3.4`.
const MAPPED: u128 = 0xffff;

impl IpAddress {
    /// Reads an address; `None` for any other text. An address with a zone (`fe80::1%eth0`) is refused.
    pub fn parse(text: &str) -> Option<IpAddress> {
        if let Some(value) = parse_v4(text) {
            return Some(IpAddress { value: u128::from(value), bits: 32 });
        }
        Some(IpAddress { value: parse_v6(text)?, bits: 128 })
    }

    /// The IPv4 address that this is, or that this IPv6 address contains.
    pub fn to_v4(self) -> Option<IpAddress> {
        if self.bits == 128 && self.value >> 32 != MAPPED {
            return None;
        }
        Some(IpAddress { value: self.value & 0xffff_ffff, bits: 32 })
    }

    /// The address with `number` added, by a bitwise or, behind the first `length` bits. Errors where
    /// Terraform's own implementation exceeds its array.
    pub fn with_number(self, number: &BigInt, length: i64) -> Result<IpAddress, &'static str> {
        const OUTSIDE: &str = "the number exceeds the address";
        let shift = u64::try_from(i64::from(self.bits) - length).map_err(|_| OUTSIDE)?;
        if number.sign() == Sign::NoSign {
            return Ok(self);
        }
        if shift > u64::from(self.bits) {
            return Err(OUTSIDE);
        }
        let joined = BigInt::from(self.value) | (number << shift);
        // A negative number leaves its magnitude, since an address has no sign.
        let value = u128::try_from(joined.magnitude()).map_err(|_| OUTSIDE)?;
        if self.bits == 32 && value >> 32 != 0 {
            return Err(OUTSIDE);
        }
        Ok(IpAddress { value, bits: self.bits })
    }
}

/// Go's text: an IPv4 address in an IPv6 one shows as IPv4; zeros are shortened as in RFC 5952, as by the standard library.
impl fmt::Display for IpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(v4) = self.to_v4() {
            let octets = v4.value.to_be_bytes();
            return write!(f, "{}.{}.{}.{}", octets[12], octets[13], octets[14], octets[15]);
        }
        Ipv6Addr::from(self.value).fmt(f)
    }
}

fn parse_v4(text: &str) -> Option<u32> {
    let mut octets = text.split('.');
    let mut value = 0;
    for _ in 0..4 {
        value = value << 8 | number(octets.next()?, 10, 0xff)?;
    }
    octets.next().is_none().then_some(value)
}

fn parse_v6(text: &str) -> Option<u128> {
    let Some((before, after)) = text.split_once("::") else {
        let (value, count) = parse_groups(text, true)?;
        return (count == 8).then_some(value);
    };
    // Only the very end can be an IPv4 tail.
    let (high, high_count) = parse_groups(before, false)?;
    let (low, low_count) = parse_groups(after, true)?;
    if high_count + low_count >= 8 {
        return None;
    }
    let high = if high_count == 0 { 0 } else { high << (16 * (8 - high_count)) };
    Some(high | low)
}

/// The value and the number of groups between colons; the last may be an IPv4 address.
fn parse_groups(text: &str, at_end: bool) -> Option<(u128, usize)> {
    let (mut value, mut count) = (0, 0);
    if text.is_empty() {
        return Some((value, count));
    }
    let mut groups = text.split(':').peekable();
    while let Some(group) = groups.next() {
        let is_last = groups.peek().is_none();
        if at_end && is_last && group.contains('.') {
            value = value << 32 | u128::from(parse_v4(group)?);
            count += 2;
        } else {
            value = value << 16 | u128::from(number(group, 16, 0xffff)?);
            count += 1;
        }
        if count > 8 {
            return None;
        }
    }
    Some((value, count))
}

/// A number made of digits alone, with any count of leading zeros.
pub fn number(text: &str, base: u32, max: u32) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.chars().try_fold(0, |value: u32, it| {
        let value = value * base + it.to_digit(base)?;
        (value <= max).then_some(value)
    })
}
