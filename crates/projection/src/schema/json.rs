//! JSON values whose numbers are exact.

use std::collections::BTreeMap;

use super::{Decimal, text::Writer};
use stack::guarded;
use tf_value::{Number, Value, ValueContent};

/// A JSON value. Numbers keep every digit, so that no value changes on its way to a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaJson {
    Null,
    Bool(bool),
    Number(Decimal),
    String(String),
    Array(Vec<SchemaJson>),
    /// An object, written with its keys in bytewise order.
    Object(BTreeMap<String, SchemaJson>),
    /// An object, written with its keys in the order given.
    Record(Vec<(&'static str, SchemaJson)>),
}

impl Drop for SchemaJson {
    /// Nested values are dropped with enough stack.
    fn drop(&mut self) {
        match self {
            SchemaJson::Array(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Object(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Record(it) => drop_deeply(std::mem::take(it)),
            SchemaJson::Null
            | SchemaJson::Bool(_)
            | SchemaJson::Number(_)
            | SchemaJson::String(_) => (),
        }
    }
}

fn drop_deeply<T>(inner: T) {
    guarded(|| drop(inner));
}

impl SchemaJson {
    pub fn string(text: impl Into<String>) -> SchemaJson {
        SchemaJson::String(text.into())
    }

    pub fn integer(number: u64) -> SchemaJson {
        SchemaJson::Number(Decimal::from(number))
    }

    /// The JSON of a known value; marks are ignored, unknown parts become null.
    pub fn of(value: &Value) -> SchemaJson {
        guarded(|| match value.content() {
            ValueContent::Null | ValueContent::Unknown(_) => SchemaJson::Null,
            ValueContent::Bool(it) => SchemaJson::Bool(*it),
            ValueContent::Number(it) => SchemaJson::number(it),
            ValueContent::String(it) => SchemaJson::string(it.as_str()),
            ValueContent::Sequence(elements) => {
                SchemaJson::Array(elements.iter().map(SchemaJson::of).collect())
            }
            ValueContent::Mapping(elements) => SchemaJson::Object(
                elements.iter().map(|(key, it)| (key.to_string(), SchemaJson::of(it))).collect(),
            ),
        })
    }

    /// A number with every digit; an infinity, which JSON lacks, becomes null.
    pub fn number(number: &Number) -> SchemaJson {
        Decimal::parse(&number.to_literal()).map_or(SchemaJson::Null, SchemaJson::Number)
    }

    /// The text: tabs, sorted keys, no final newline. `escape_html` writes `<`, `>` and `&` as
    /// `\u003c`, `\u003e` and `\u0026`.
    pub fn to_text(&self, escape_html: bool) -> String {
        Writer::write(escape_html, |out| out.json(self, 0))
    }

    /// The value in `serde_json`'s model, whose numbers are 64-bit.
    pub fn to_serde(&self) -> serde_json::Value {
        guarded(|| match self {
            SchemaJson::Null => serde_json::Value::Null,
            SchemaJson::Bool(it) => (*it).into(),
            SchemaJson::Number(it) => it.to_serde(),
            SchemaJson::String(it) => it.as_str().into(),
            SchemaJson::Array(elements) => elements.iter().map(SchemaJson::to_serde).collect(),
            SchemaJson::Object(members) => {
                members.iter().map(|(key, it)| (key.clone(), it.to_serde())).collect()
            }
            SchemaJson::Record(members) => {
                members.iter().map(|(key, it)| ((*key).to_owned(), it.to_serde())).collect()
            }
        })
    }
}

/// The value of a parsed text; of duplicate keys the last one counts.
impl From<&hcl::json::JsonValue> for SchemaJson {
    fn from(tree: &hcl::json::JsonValue) -> Self {
        use hcl::json::ValueKind;
        guarded(|| match &tree.kind {
            ValueKind::Null | ValueKind::Invalid => SchemaJson::Null,
            ValueKind::Bool(it) => SchemaJson::Bool(*it),
            ValueKind::Number(text) => {
                Decimal::parse(text).map_or(SchemaJson::Null, SchemaJson::Number)
            }
            ValueKind::String(text) => SchemaJson::string(text.as_str()),
            ValueKind::Array(elements) => {
                SchemaJson::Array(elements.iter().map(SchemaJson::from).collect())
            }
            ValueKind::Object(members) => SchemaJson::Object(
                members
                    .iter()
                    .map(|it| (it.key.to_string(), SchemaJson::from(&it.value)))
                    .collect(),
            ),
        })
    }
}

impl From<serde_json::Value> for SchemaJson {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        guarded(|| match value {
            Value::Null => SchemaJson::Null,
            Value::Bool(it) => SchemaJson::Bool(it),
            Value::Number(it) => {
                Decimal::parse(&it.to_string()).map_or(SchemaJson::Null, SchemaJson::Number)
            }
            Value::String(it) => SchemaJson::String(it),
            Value::Array(elements) => {
                SchemaJson::Array(elements.into_iter().map(SchemaJson::from).collect())
            }
            Value::Object(members) => SchemaJson::Object(
                members.into_iter().map(|(key, it)| (key, SchemaJson::from(it))).collect(),
            ),
        })
    }
}
