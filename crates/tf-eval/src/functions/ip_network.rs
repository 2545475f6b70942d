//! Calculations with CIDR prefixes.

use std::{fmt, net::Ipv6Addr};

use super::{CallContext, Failure, Function, Param, ReturnType, Ty, text, whole_number};
use num_bigint::{BigInt, Sign};
use tf_value::{Number, Type, Value};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[CIDRCONTAINS, CIDRHOST, CIDRNETMASK, CIDRSUBNET, CIDRSUBNETS];

// IP addresses as Terraform reads them: as Go did before 1.17, with leading zeros allowed.

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

// CIDR prefixes, `10.0.0.0/8`, and the helpers that their functions share.

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

// `cidrcontains`: whether a network contains an address or another network. OpenTofu only.

const CIDRCONTAINS: Function = Function::pure(
    "cidrcontains",
    "Returns whether a network contains an address or another network.",
    &[
        Param::new("containing_prefix", Ty::String),
        Param::new("contained_ip_or_prefix", Ty::String),
    ],
    ReturnType::Fixed(Ty::Bool),
    cidrcontains,
);

fn cidrcontains(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// `cidrhost`: the address of a numbered host.

const CIDRHOST: Function = Function::pure(
    "cidrhost",
    "Returns the IP address of a numbered host in a network.",
    &[Param::new("prefix", Ty::String), Param::new("hostnum", Ty::Number)],
    ReturnType::Fixed(Ty::String),
    cidrhost,
);

fn cidrhost(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// `cidrnetmask`: the subnet mask of a prefix.

const CIDRNETMASK: Function = Function::pure(
    "cidrnetmask",
    "Returns the subnet mask of an IPv4 prefix in dotted notation.",
    &[Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    cidrnetmask,
);

fn cidrnetmask(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let prefix = prefix(args)?;
    if prefix.address.to_v4().is_none() {
        let message = format!("IPv6 addresses cannot have a netmask: {}", text(&args[0]));
        return Err(Failure::Call(message));
    }
    Ok(Value::string(prefix.mask().to_string()))
}

// `cidrsubnet`: a numbered subnet of a prefix.

const CIDRSUBNET: Function = Function::pure(
    "cidrsubnet",
    "Returns the address prefix of a numbered subnet of a network.",
    &[
        Param::new("prefix", Ty::String),
        Param::new("newbits", Ty::Number),
        Param::new("netnum", Ty::Number),
    ],
    ReturnType::Fixed(Ty::String),
    cidrsubnet,
);

fn cidrsubnet(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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

// `cidrsubnets`: consecutive subnets of a prefix.

const CIDRSUBNETS: Function = Function::pure(
    "cidrsubnets",
    "Returns consecutive subnets of a network, one for each number of new bits.",
    &[Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::List(&Ty::String)),
    cidrsubnets,
)
.variadic(Param::new("newbits", Ty::Number));

/// The limit keeps subnet numbers within 32 bits.
const MAX_NEW_BITS: i64 = 32;

fn cidrsubnets(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let network = Prefix::parse(text(&args[0])).map_err(|it| Failure::argument(0, it))?;
    context.host.spend(4 * args.len() as u64)?;
    let mut subnets: Vec<Value> = Vec::new();
    let mut free = Some(network.address.value);
    for index in 1..args.len() {
        let length = subnet_length(network, args, index)?;
        let Some(subnet) = first_free(network, free, length) else {
            let message = format!("no room is left for a subnet with a prefix of {length} bits");
            return Err(Failure::argument(index, message));
        };
        free = subnet.last().checked_add(1);
        subnets.push(Value::string(subnet.to_string()));
    }
    Ok(Value::list(Type::String, subnets))
}

fn subnet_length(network: Prefix, args: &[Value], index: usize) -> Result<i64, Failure> {
    let message = match whole_number(&args[index]) {
        Err(message) => message.to_owned(),
        Ok(..1) => "must extend the prefix by at least one bit".to_owned(),
        Ok(bits) if bits > MAX_NEW_BITS => {
            format!("may not extend the prefix by more than {MAX_NEW_BITS} bits")
        }
        Ok(bits) if network.length + bits > i64::from(network.address.bits) => {
            format!("would extend the prefix to {} bits, too many", network.length + bits)
        }
        Ok(bits) => return Ok(network.length + bits),
    };
    Err(Failure::argument(index, message))
}

/// The first subnet of this length at or behind `free`, if it lies in the network. Terraform searches
/// from the subnet before the network, so it finds none in a network that begins at the very first
/// address, and none where IPv6 contains IPv4.
fn first_free(network: Prefix, free: Option<u128>, length: i64) -> Option<Prefix> {
    let IpAddress { value, bits } = network.address;
    if value == 0 || bits == 128 && network.address.to_v4().is_some() {
        return None;
    }
    let free = free.filter(|it| *it <= network.last())?;
    let aligned = Prefix { address: IpAddress { value: free, bits }, length }.masked();
    let start = match aligned.address.value {
        start if start == free => start,
        _ => aligned.last().checked_add(1)?,
    };
    let subnet = Prefix { address: IpAddress { value: start, bits }, length };
    (start <= network.last()).then_some(subnet)
}
