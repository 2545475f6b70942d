//! JSON values whose numbers are exact, and their text as Go's `encoding/json` writes it.

use std::{collections::BTreeMap, fmt::Write};

use super::Decimal;
use crate::{
    syntax,
    value::{Content, Number, Value},
};

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
    /// Nested values are dropped with the stack growing where needed.
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
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || drop(inner));
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
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match value.content() {
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

    /// A number with every digit; an infinity, which JSON cannot say, becomes null.
    pub fn number(number: &Number) -> Json {
        Decimal::parse(&number.to_decimal()).map_or(Json::Null, Json::Number)
    }

    /// The text: tabs, sorted keys, no final newline. `escape_html` writes `<`, `>` and `&` as
    /// `\u003c`, `\u003e` and `\u0026`.
    pub fn to_text(&self, escape_html: bool) -> String {
        let mut out = Writer { text: String::with_capacity(TYPICAL), escape_html };
        out.value(self, 0);
        out.text
    }

    /// The value in `serde_json`'s model, whose numbers are 64-bit.
    pub fn to_serde(&self) -> serde_json::Value {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self {
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

/// A parsed text; of duplicate keys the last one counts.
impl From<&syntax::json::Value> for Json {
    fn from(tree: &syntax::json::Value) -> Self {
        use syntax::json::Kind;
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &tree.kind {
            Kind::Null | Kind::Invalid => Json::Null,
            Kind::Bool(it) => Json::Bool(*it),
            Kind::Number(text) => Decimal::parse(text).map_or(Json::Null, Json::Number),
            Kind::String(text) => Json::string(text.as_str()),
            Kind::Array(elements) => Json::Array(elements.iter().map(Json::from).collect()),
            Kind::Object(members) => Json::Object(
                members.iter().map(|it| (it.key.to_string(), Json::from(&it.value))).collect(),
            ),
        })
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match value {
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

/// Whether a character that begins with this byte may be written as an escape.
const MAY_NEED_ESCAPE: [bool; 256] = {
    const LINE_SEPARATORS: u8 = 0xe2;
    let mut table = [false; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        table[byte as usize] =
            matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0..=0x1f | LINE_SEPARATORS);
        byte -= 1;
    }
    table[0] = true;
    table
};

/// Bytes that hold the text of most schemas.
const TYPICAL: usize = 4096;

struct Writer {
    text: String,
    escape_html: bool,
}

impl Writer {
    fn value(&mut self, value: &Json, depth: usize) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match value {
            Json::Null => self.text.push_str("null"),
            Json::Bool(it) => self.text.push_str(if *it { "true" } else { "false" }),
            // Writing to a `String` cannot fail.
            Json::Number(it) => _ = write!(self.text, "{it}"),
            Json::String(it) => self.string(it),
            Json::Array(elements) => {
                self.block(('[', ']'), elements.iter().map(|it| (None, it)), depth);
            }
            Json::Object(members) => {
                let members = members.iter().map(|(key, it)| (Some(key.as_str()), it));
                self.block(('{', '}'), members, depth);
            }
            Json::Record(members) => {
                let members = members.iter().map(|(key, it)| (Some(*key), it));
                self.block(('{', '}'), members, depth);
            }
        });
    }

    fn block<'a>(
        &mut self,
        (open, close): (char, char),
        items: impl Iterator<Item = (Option<&'a str>, &'a Json)>,
        depth: usize,
    ) {
        self.text.push(open);
        let mut empty = true;
        for (key, value) in items {
            if !empty {
                self.text.push(',');
            }
            empty = false;
            self.line(depth + 1);
            if let Some(key) = key {
                self.string(key);
                self.text.push_str(": ");
            }
            self.value(value, depth + 1);
        }
        if !empty {
            self.line(depth);
        }
        self.text.push(close);
    }

    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n('\t', depth));
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        // Almost everything stands for itself.
        while let Some(at) = rest.bytes().position(|it| MAY_NEED_ESCAPE[usize::from(it)]) {
            let (plain, special) = rest.split_at(at);
            self.text.push_str(plain);
            let mut chars = special.chars();
            chars.next().into_iter().for_each(|it| self.character(it));
            rest = chars.as_str();
        }
        self.text.push_str(rest);
        self.text.push('"');
    }

    fn character(&mut self, c: char) {
        match c {
            '"' => self.text.push_str("\\\""),
            '\\' => self.text.push_str("\\\\"),
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            '\u{8}' => self.text.push_str("\\b"),
            '\u{c}' => self.text.push_str("\\f"),
            '<' | '>' | '&' if self.escape_html => self.unicode_escape(c),
            '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => self.unicode_escape(c),
            _ => self.text.push(c),
        }
    }

    fn unicode_escape(&mut self, c: char) {
        let _ = write!(self.text, "\\u{:04x}", c as u32);
    }
}
