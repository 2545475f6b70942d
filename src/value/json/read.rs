//! From a JSON tree to the value that it stands for.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::{
    diagnostic::Span,
    syntax::json::{self, Kind},
    value::{Number, Type, Value, guarded, nfc},
};

/// A key that an object has twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    pub key: SmolStr,
    /// The later one.
    pub span: Span,
    /// The one before.
    pub first: Span,
}

/// The value of a JSON tree, with the types that it implies: arrays are tuples, objects are
/// objects, `null` has no type, numbers keep all digits (512 bits), strings and keys are in NFC
/// and literal. What could not be parsed is unknown.
///
/// Of a key that stands twice the last value is taken (as `jsondecode` does), and each such key is
/// listed: in a values file it is an error.
pub fn value_from_json(json: &json::Value) -> (Value, Vec<DuplicateKey>) {
    let mut duplicates = Vec::new();
    let value = read(json, &mut duplicates);
    (value, duplicates)
}

fn read(json: &json::Value, duplicates: &mut Vec<DuplicateKey>) -> Value {
    match &json.kind {
        Kind::Null => Value::null(Type::Dynamic),
        Kind::Bool(it) => Value::bool(*it),
        Kind::Number(text) => {
            Number::parse(text).map_or_else(|| Value::unknown(Type::Dynamic), Value::number)
        }
        Kind::String(text) => Value::string(text),
        Kind::Array(elements) => {
            guarded(|| Value::tuple(elements.iter().map(|it| read(it, duplicates)).collect()))
        }
        Kind::Object(members) => guarded(|| {
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
        Kind::Invalid => Value::unknown(Type::Dynamic),
    }
}
