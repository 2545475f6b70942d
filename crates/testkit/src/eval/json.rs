//! JSON with every digit of its numbers, as the recorded values are compared.

use std::fmt;

/// A JSON value; numbers are kept as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole document. Panics when it is not one, since it comes from a recording or
    /// ourselves.
    pub fn parse(text: &str) -> Json {
        let mut reader = JsonReader { text, at: 0 };
        let value = reader.value();
        reader.blank();
        assert_eq!(reader.at, text.len(), "more than one JSON value: {text}");
        value
    }

    /// The value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(name, _)| name == key).map(|(_, it)| it)
    }

    pub fn items(&self) -> &[Json] {
        if let Json::Array(items) = self { items } else { &[] }
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Json::String(it) = self { Some(it) } else { None }
    }
}

struct JsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl JsonReader<'_> {
    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let found = self.text[self.at..].starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn value(&mut self) -> Json {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            for (word, value) in
                [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
            {
                if self.take(word) {
                    return value;
                }
            }
            if self.take("[") {
                return self.array();
            }
            if self.take("{") {
                return self.object();
            }
            if self.text[self.at..].starts_with('"') {
                return Json::String(self.string());
            }
            let rest = &self.text[self.at..];
            let end = rest.find(|it: char| !"+-.eE0123456789".contains(it)).unwrap_or(rest.len());
            assert!(end > 0, "no JSON value at {} of {}", self.at, self.text);
            self.at += end;
            Json::Number(rest[..end].to_string())
        })
    }

    fn array(&mut self) -> Json {
        let mut items = Vec::new();
        while !self.take("]") {
            items.push(self.value());
            self.take(",");
        }
        Json::Array(items)
    }

    fn object(&mut self) -> Json {
        let mut members = Vec::new();
        while !self.take("}") {
            self.blank();
            let key = self.string();
            assert!(self.take(":"));
            members.push((key, self.value()));
            self.take(",");
        }
        Json::Object(members)
    }

    fn string(&mut self) -> String {
        let rest = &self.text[self.at..];
        let mut escaped = false;
        let close = rest.bytes().skip(1).position(|it| {
            let closes = it == b'"' && !escaped;
            escaped = it == b'\\' && !escaped;
            closes
        });
        let end = close.expect("an unclosed JSON string") + 2;
        self.at += end;
        serde_json::from_str(&rest[..end]).expect("a JSON string")
    }
}

/// Compact, the keys of objects in their order.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(it) => write!(f, "{it}"),
            Json::Number(it) => f.write_str(it),
            Json::String(it) => f.write_str(&quoted(it)),
            Json::Array(items) => {
                f.write_str("[")?;
                for (index, it) in items.iter().enumerate() {
                    write!(f, "{}{it}", if index == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (index, (key, it)) in members.iter().enumerate() {
                    write!(f, "{}{}:{it}", if index == 0 { "" } else { "," }, quoted(key))?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a JSON string")
}
