//! `cidrsubnets`: consecutive subnets of a prefix.

use super::{address::IpAddress, prefix::Prefix};
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text, whole_number};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "cidrsubnets",
    "Returns consecutive subnets of a network, one for each number of new bits.",
    &[Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::List(&Ty::String)),
    body,
)
.variadic(Param::new("newbits", Ty::Number));

/// The limit keeps subnet numbers within 32 bits.
const MAX_NEW_BITS: i64 = 32;

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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
