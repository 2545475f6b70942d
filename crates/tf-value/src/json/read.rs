//! Turns a JSON tree into a value.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{Number, Type, Value, nfc};
use diagnostics::Span;
use hcl::json::{self, ValueKind};
use stack::guarded;

/// A key that occurs twice in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    pub key: SmolStr,
    /// The place of the later key.
    pub span: Span,
    /// The place of the earlier key.
    pub first: Span,
}

/// The value of a JSON tree with the types that it implies: arrays are tuples, objects are objects,
/// `null` has no type, numbers keep all digits (512 bits), strings and keys are literal and in NFC. A
/// part that could not be parsed is unknown.
///
/// For a repeated key the last value counts (as in `jsondecode`), and each such key is listed, since it
/// is an error in a values file.
pub fn value_from_json(json: &json::JsonValue) -> (Value, Vec<DuplicateKey>) {
    let mut duplicates = Vec::new();
    let value = read(json, &mut duplicates);
    (value, duplicates)
}

fn read(json: &json::JsonValue, duplicates: &mut Vec<DuplicateKey>) -> Value {
    match &json.kind {
        ValueKind::Null => Value::null(Type::Dynamic),
        ValueKind::Bool(it) => Value::bool(*it),
        ValueKind::Number(text) => {
            Number::parse(text).map_or_else(|| Value::unknown(Type::Dynamic), Value::number)
        }
        ValueKind::String(text) => Value::string(text),
        ValueKind::Array(elements) => {
            guarded(|| Value::tuple(elements.iter().map(|it| read(it, duplicates)).collect()))
        }
        ValueKind::Object(members) => guarded(|| {
            let mut attributes = BTreeMap::new();
            let mut seen: BTreeMap<SmolStr, Span> = BTreeMap::new();
            for member in members {
                let key = nfc(&member.key);
                if let Some(first) = seen.insert(key.clone(), member.key_span) {
                    let span = member.key_span;
                    duplicates.push(DuplicateKey { key: key.clone(), span, first });
                }
                attributes.insert(key, read(&member.value, duplicates));
            }
            Value::object(attributes)
        }),
        ValueKind::Invalid => Value::unknown(Type::Dynamic),
    }
}
