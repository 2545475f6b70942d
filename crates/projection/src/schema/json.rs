//! JSON values whose numbers are exact.

use std::collections::BTreeMap;

use super::{Decimal, text::Writer};
use stack::guarded;
use tf_value::{Content, Number, Value};

/// A JSON value. Numbers keep every digit, so that no value changes on its way to a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(Decimal),
    String(String),
    Array(Vec<Json>),
    /// An object, written with its keys in bytewise order.
    Object(BTreeMap<String, Json>),
    /// An object, written with its keys in the order given.
    Record(Vec<(&'static str, Json)>),
}

impl Drop for Json {
    /// Nested values are dropped with enough stack.
    fn drop(&mut self) {
        match self {
            Json::Array(it) => drop_deeply(std::mem::take(it)),
            Json::Object(it) => drop_deeply(std::mem::take(it)),
            Json::Record(it) => drop_deeply(std::mem::take(it)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => (),
        }
    }
}

fn drop_deeply<T>(inner: T) {
    guarded(|| drop(inner));
}

impl Json {
    pub fn string(text: impl Into<String>) -> Json {
        Json::String(text.into())
    }

    pub fn integer(number: u64) -> Json {
        Json::Number(Decimal::from(number))
    }

    /// The JSON of a known value; marks are ignored, unknown parts become null.
    pub fn of(value: &Value) -> Json {
        guarded(|| match value.content() {
            Content::Null | Content::Unknown(_) => Json::Null,
            Content::Bool(it) => Json::Bool(*it),
            Content::Number(it) => Json::number(it),
            Content::String(it) => Json::string(it.as_str()),
            Content::Sequence(elements) => Json::Array(elements.iter().map(Json::of).collect()),
            Content::Mapping(elements) => Json::Object(
                elements.iter().map(|(key, it)| (key.to_string(), Json::of(it))).collect(),
            ),
        })
    }

    /// A number with every digit; an infinity, which JSON lacks, becomes null.
    pub fn number(number: &Number) -> Json {
        Decimal::parse(&number.to_literal()).map_or(Json::Null, Json::Number)
    }

    /// The text: tabs, sorted keys, no final newline. `escape_html` writes `<`, `>` and `&` as
    /// `\u003c`, `\u003e` and `\u0026`.
    pub fn to_text(&self, escape_html: bool) -> String {
        Writer::write(escape_html, |out| out.json(self, 0))
    }

    /// The value in `serde_json`'s model, whose numbers are 64-bit.
    pub fn to_serde(&self) -> serde_json::Value {
        guarded(|| match self {
            Json::Null => serde_json::Value::Null,
            Json::Bool(it) => (*it).into(),
            Json::Number(it) => it.to_serde(),
            Json::String(it) => it.as_str().into(),
            Json::Array(elements) => elements.iter().map(Json::to_serde).collect(),
            Json::Object(members) => {
                members.iter().map(|(key, it)| (key.clone(), it.to_serde())).collect()
            }
            Json::Record(members) => {
                members.iter().map(|(key, it)| ((*key).to_owned(), it.to_serde())).collect()
            }
        })
    }
}

/// The value of a parsed text; of duplicate keys the last one counts.
impl From<&hcl::json::Value> for Json {
    fn from(tree: &hcl::json::Value) -> Self {
        use hcl::json::ValueKind;
        guarded(|| match &tree.kind {
            ValueKind::Null | ValueKind::Invalid => Json::Null,
            ValueKind::Bool(it) => Json::Bool(*it),
            ValueKind::Number(text) => Decimal::parse(text).map_or(Json::Null, Json::Number),
            ValueKind::String(text) => Json::string(text.as_str()),
            ValueKind::Array(elements) => Json::Array(elements.iter().map(Json::from).collect()),
            ValueKind::Object(members) => Json::Object(
                members.iter().map(|it| (it.key.to_string(), Json::from(&it.value))).collect(),
            ),
        })
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        guarded(|| match value {
            Value::Null => Json::Null,
            Value::Bool(it) => Json::Bool(it),
            Value::Number(it) => Decimal::parse(&it.to_string()).map_or(Json::Null, Json::Number),
            Value::String(it) => Json::String(it),
            Value::Array(elements) => Json::Array(elements.into_iter().map(Json::from).collect()),
            Value::Object(members) => {
                Json::Object(members.into_iter().map(|(key, it)| (key, Json::from(it))).collect())
            }
        })
    }
}
