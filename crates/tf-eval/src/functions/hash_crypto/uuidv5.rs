//! `uuidv5`: a UUID made from a name.

use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};

use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "uuidv5",
    "Returns the version 5 UUID of a name in a namespace.",
    &[Param::new("namespace", Ty::String), Param::new("name", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
);

/// The namespaces of RFC 4122.
const NAMESPACES: [(&str, Uuid); 4] = [
    ("dns", Uuid::NAMESPACE_DNS),
    ("url", Uuid::NAMESPACE_URL),
    ("oid", Uuid::NAMESPACE_OID),
    ("x500", Uuid::NAMESPACE_X500),
];

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (namespace, name) = (text(&args[0]), text(&args[1]));
    context.host.spend(8)?;
    let known = NAMESPACES.iter().find(|(it, _)| *it == namespace).map(|(_, uuid)| *uuid);
    let Some(namespace) = known.or_else(|| parse(namespace)) else {
        let message = format!(
            "{namespace:?} is not a namespace: it is neither a UUID nor a \
            known name"
        );
        return Err(Failure::Call(message));
    };
    let digest = Sha1::new().chain_update(namespace).chain_update(name).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Ok(Value::string(Builder::from_sha1_bytes(bytes).into_uuid().to_string()))
}

/// Reads a UUID, also with `urn:uuid:`, in braces, or without hyphens. Unlike the library, Terraform
/// accepts any two characters as braces, and `urn:uuid:` in capitals.
fn parse(text: &str) -> Option<Uuid> {
    let bare = match text.len() {
        32 | 36 => text,
        38 => text.get(1..37)?,
        45 if text.get(..9)?.eq_ignore_ascii_case("urn:uuid:") => text.get(9..)?,
        _ => return None,
    };
    Uuid::try_parse(bare).ok()
}
