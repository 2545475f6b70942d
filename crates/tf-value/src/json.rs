//! Values and types as JSON: Terraform's type notation, and the text of `jsonencode`.

use std::{collections::BTreeMap, fmt::Write};

use super::{Number, Type, Value, ValueContent, nfc};
use diagnostics::Span;
use hcl::json::{self, ValueKind};
use serde_json::json;
use smol_str::SmolStr;
use stack::guarded;

/// Terraform's JSON type notation: `"string"`, `["list","number"]`, `["object",{…}]`, with the
/// names of optional attributes as a third element: `["object",{…},["a"]]`.
pub fn type_to_json(ty: &Type) -> serde_json::Value {
    guarded(|| match ty {
        Type::Dynamic => json!("dynamic"),
        Type::String => json!("string"),
        Type::Number => json!("number"),
        Type::Bool => json!("bool"),
        Type::List(element) => json!(["list", type_to_json(element)]),
        Type::Set(element) => json!(["set", type_to_json(element)]),
        Type::Map(element) => json!(["map", type_to_json(element)]),
        Type::Tuple(elements) => {
            let elements: Vec<_> = elements.iter().map(type_to_json).collect();
            json!(["tuple", elements])
        }
        Type::Object(object) => {
            let attributes: serde_json::Map<_, _> = object
                .attributes
                .iter()
                .map(|(name, it)| (name.to_string(), type_to_json(it)))
                .collect();
            if object.optional.is_empty() {
                return json!(["object", attributes]);
            }
            let optional: Vec<&str> =
                object.optional.iter().map(smol_str::SmolStr::as_str).collect();
            json!(["object", attributes, optional])
        }
    })
}

/// The depth of arrays and objects in the result of [`type_to_json`].
pub fn type_depth(ty: &Type) -> usize {
    guarded(|| match ty {
        Type::Dynamic | Type::String | Type::Number | Type::Bool => 0,
        Type::List(element) | Type::Set(element) | Type::Map(element) => 1 + type_depth(element),
        Type::Tuple(elements) => 2 + elements.iter().map(type_depth).max().unwrap_or(0),
        Type::Object(object) => 2 + object.attributes.values().map(type_depth).max().unwrap_or(0),
    })
}

/// The JSON text of a completely known value, compact as `jsonencode` writes it. Marks are ignored, numbers keep every
/// digit, and `<`, `>`, `&`, U+2028 and U+2029 are escaped. Errors: an infinity, an unknown.
pub fn value_to_json(value: &Value) -> Result<String, String> {
    let mut text = String::new();
    write_value(value, &mut text, Form { most: usize::MAX, escapes_html: true })?;
    Ok(text)
}

/// The start of the JSON text of a value for a message: like [`value_to_json`], but `<`, `>` and `&` are written as
/// they are, and it stops soon after the first `bytes` bytes.
pub fn value_to_json_start(value: &Value, bytes: usize) -> Result<String, String> {
    let mut text = String::new();
    write_value(value, &mut text, Form { most: bytes, escapes_html: false })?;
    Ok(text)
}

/// How a value is written.
#[derive(Clone, Copy)]
struct Form {
    /// Writing ends soon after so many bytes.
    most: usize,
    /// Whether `<`, `>` and `&` are escaped.
    escapes_html: bool,
}

fn write_value(value: &Value, text: &mut String, form: Form) -> Result<(), String> {
    match &value.content {
        ValueContent::Null => text.push_str("null"),
        ValueContent::Unknown(_) => return Err("value is not known".to_owned()),
        ValueContent::Bool(it) => text.push_str(if *it { "true" } else { "false" }),
        ValueContent::Number(it) if it.is_infinite() => {
            return Err("cannot serialize infinity as JSON".to_owned());
        }
        ValueContent::Number(it) => text.push_str(&it.to_decimal()),
        ValueContent::String(it) => write_string(it, text, form),
        ValueContent::Sequence(elements) => guarded(|| {
            let write = |it: &Value, text: &mut String| write_value(it, text, form);
            separated(elements.iter(), text, ('[', ']'), form, write)
        })?,
        ValueContent::Mapping(elements) => guarded(|| {
            separated(elements.iter(), text, ('{', '}'), form, |(key, it), text| {
                write_string(key, text, form);
                text.push(':');
                write_value(it, text, form)
            })
        })?,
    }
    Ok(())
}

fn separated<T>(
    items: impl Iterator<Item = T>,
    text: &mut String,
    (open, close): (char, char),
    form: Form,
    mut write: impl FnMut(T, &mut String) -> Result<(), String>,
) -> Result<(), String> {
    text.push(open);
    for (index, item) in items.enumerate() {
        if text.len() > form.most {
            return Ok(());
        }
        if index > 0 {
            text.push(',');
        }
        write(item, text)?;
    }
    text.push(close);
    Ok(())
}

/// A JSON string as Go's encoder writes it.
fn write_string(it: &str, text: &mut String, form: Form) {
    text.push('"');
    for char in it.chars() {
        if text.len() > form.most {
            return;
        }
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\x08' => text.push_str("\\b"),
            '\x0c' => text.push_str("\\f"),
            '<' | '>' | '&' if !form.escapes_html => text.push(char),
            '\0'..='\x1f' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text.push('"');
}

// Turns a JSON tree into a value.

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
