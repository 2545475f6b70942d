//! `uuidv5`: a UUID made from a name.

use std::fmt::Write;

use sha1::{Digest, Sha1};

use crate::{
    functions::{Context, Failure, Function, Param, Refuses, ReturnType, Ty, text},
    value::{Type, Value},
};

pub const FUNCTION: Function = Function {
    name: "uuidv5",
    description: "Makes the UUID, of version 5, of a name in a namespace.",
    params: &[Param::new("namespace", Ty::String), Param::new("name", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    refuses: Refuses::SomeValues,
    body,
};

/// The namespaces of RFC 4122, which differ in one digit: `6ba7b810-9dad-11d1-80b4-00c04fd430c8`.
const NAMESPACES: [(&str, u128); 4] = [
    ("dns", 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("url", 0x6ba7_b811_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("oid", 0x6ba7_b812_9dad_11d1_80b4_00c0_4fd4_30c8),
    ("x500", 0x6ba7_b814_9dad_11d1_80b4_00c0_4fd4_30c8),
];

fn body(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (namespace, name) = (text(&args[0]), text(&args[1]));
    context.host.spend(8)?;
    let known = NAMESPACES.iter().find(|(it, _)| *it == namespace).map(|(_, uuid)| *uuid);
    let Some(namespace) = known.or_else(|| parse(namespace)) else {
        let message = format!("{namespace:?} is no namespace: neither a UUID nor a known name");
        return Err(Failure::Call(message));
    };
    let digest = Sha1::new().chain_update(namespace.to_be_bytes()).chain_update(name).finalize();
    let first = digest.iter().take(16).fold(0, |value: u128, byte| value << 8 | u128::from(*byte));
    Ok(Value::string(display(versioned(first))))
}

/// Version 5 and the variant of RFC 4122, in the places where they stand.
fn versioned(uuid: u128) -> u128 {
    uuid & !(0xf << 76) & !(0x3 << 62) | 0x5 << 76 | 0x2 << 62
}

/// Reads a UUID, also with `urn:uuid:`, in braces, or without hyphens. What the braces are does
/// not matter to Terraform.
fn parse(text: &str) -> Option<u128> {
    let bare = match text.len() {
        32 => return hexadecimal(text),
        36 => text,
        38 => text.get(1..37)?,
        45 if text.get(..9)?.eq_ignore_ascii_case("urn:uuid:") => text.get(9..)?,
        _ => return None,
    };
    let hyphens = [8, 13, 18, 23];
    if !hyphens.iter().all(|it| bare.as_bytes().get(*it) == Some(&b'-')) {
        return None;
    }
    let digits = bare.char_indices().filter(|(at, _)| !hyphens.contains(at));
    hexadecimal(&digits.map(|(_, it)| it).collect::<String>())
}

fn hexadecimal(digits: &str) -> Option<u128> {
    if !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(digits, 16).ok()
}

fn display(uuid: u128) -> String {
    let mut text = String::new();
    for (index, byte) in uuid.to_be_bytes().iter().enumerate() {
        let hyphen = if [4, 6, 8, 10].contains(&index) { "-" } else { "" };
        let _ = write!(text, "{hyphen}{byte:02x}");
    }
    text
}
