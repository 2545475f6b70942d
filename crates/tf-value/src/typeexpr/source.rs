//! Types and their defaults as source text.

use std::fmt::{self, Display, Formatter, Write};

use super::{Constraint, Defaults};
use crate::{Type, Value, ValueContent};
use stack::guarded;

/// Writes the constraint on one line, as an author would: `list(object({ a = optional(string, "x") }))`.
impl Display for Constraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_type(&self.ty, self.defaults.as_ref(), f)
    }
}

/// A type without defaults, as an author would write it: `list(object({ a = optional(string) }))`.
pub fn type_source(ty: &Type) -> String {
    Constraint { ty: ty.clone(), defaults: None }.to_string()
}

/// A value as a literal: `{ a = ["x", 1] }`. Marks are ignored; an unknown is written as `(unknown)`.
pub fn value_source(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_type(ty: &Type, defaults: Option<&Defaults>, f: &mut impl Write) -> fmt::Result {
    let child = |key: &str| defaults.and_then(|it| it.children.get(key));
    let (kind, element) = match ty {
        Type::Dynamic => return f.write_str("any"),
        Type::String => return f.write_str("string"),
        Type::Number => return f.write_str("number"),
        Type::Bool => return f.write_str("bool"),
        Type::List(element) => ("list", element),
        Type::Set(element) => ("set", element),
        Type::Map(element) => ("map", element),
        Type::Tuple(elements) => {
            f.write_str("tuple([")?;
            for (index, element) in elements.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                guarded(|| write_type(element, child(&index.to_string()), f))?;
            }
            return f.write_str("])");
        }
        Type::Object(object) if object.attributes.is_empty() => return f.write_str("object({})"),
        Type::Object(object) => {
            f.write_str("object({ ")?;
            for (index, (name, attribute)) in object.attributes.iter().enumerate() {
                f.write_str(if index > 0 { ", " } else { "" })?;
                let optional = object.optional.contains(name);
                write!(f, "{name} = {}", if optional { "optional(" } else { "" })?;
                guarded(|| write_type(attribute, child(name), f))?;
                if let Some(default) = defaults.and_then(|it| it.values.get(name)) {
                    write!(f, ", {}", value_source(default))?;
                }
                f.write_str(if optional { ")" } else { "" })?;
            }
            return f.write_str(" })");
        }
    };
    write!(f, "{kind}(")?;
    guarded(|| write_type(element, child(""), f))?;
    f.write_str(")")
}

fn write_value(value: &Value, text: &mut String) {
    match value.content() {
        ValueContent::Null => text.push_str("null"),
        ValueContent::Unknown(_) => text.push_str("(unknown)"),
        ValueContent::Bool(it) => text.push_str(if *it { "true" } else { "false" }),
        ValueContent::Number(it) => text.push_str(&it.to_decimal()),
        ValueContent::String(it) => write_string(it, text),
        ValueContent::Sequence(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                guarded(|| write_value(element, text));
            }
            text.push(']');
        }
        ValueContent::Mapping(elements) if elements.is_empty() => text.push_str("{}"),
        ValueContent::Mapping(elements) => {
            text.push_str("{ ");
            for (index, (key, element)) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                if is_plain_key(key) {
                    text.push_str(key);
                } else {
                    write_string(key, text);
                }
                text.push_str(" = ");
                guarded(|| write_value(element, text));
            }
            text.push_str(" }");
        }
    }
}

fn is_plain_key(key: &str) -> bool {
    let mut chars = key.chars();
    let starts = chars.next().is_some_and(unicode_ident::is_xid_start);
    starts && chars.all(|it| it == '-' || unicode_ident::is_xid_continue(it))
}

fn write_string(it: &str, text: &mut String) {
    text.push('"');
    let mut rest = it;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '$' | '%' if rest.starts_with('{') => text.extend([char, char]),
            char if char.is_control() => {
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text.push('"');
}
