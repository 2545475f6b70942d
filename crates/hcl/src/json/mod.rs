//! JSON with the place of every value and key.
//!
//! It serves HCL's JSON syntax, values files and committed schemas. Objects keep the order and the
//! duplicates of their keys, numbers their text.

mod encoding;
mod parser;
mod scanner;

pub use encoding::{Undecodable, decoded};

use scanner::Token;
use smol_str::SmolStr;

use diagnostics::{Diagnostics, FileId, Span};
use stack::guarded;

/// A JSON value and its place.
///
/// It may be nested deeply, so it is copied, compared and dropped with the stack growing where
/// needed.
#[derive(Debug)]
pub struct JsonValue {
    pub kind: ValueKind,
    /// Brackets and quotes included.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    Null,
    Bool(bool),
    /// As written, sign included.
    Number(SmolStr),
    /// After escapes, with U+FFFD for each byte that is not UTF-8 and each lone surrogate. Not
    /// normalised: HCL does that to strings that are values, not to names.
    String(SmolStr),
    Array(Vec<JsonValue>),
    Object(Vec<JsonMember>),
    /// Replaces a value with a syntax error, which was reported.
    Invalid,
}

/// A key of an object and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonMember {
    /// After escapes, as [`ValueKind::String`].
    pub key: SmolStr,
    /// Quotes included.
    pub key_span: Span,
    pub value: JsonValue,
}

/// Parses a JSON text. After a syntax error the value is [`ValueKind::Invalid`]. At most 10,000 arrays
/// and objects may nest in one another.
pub fn parse(file: FileId, bytes: &[u8]) -> (JsonValue, Diagnostics) {
    parse_before(file, bytes, &[])
}

/// Like [`parse`], but behind a syntax error the value is an object of the members that were read before it.
pub fn parse_part(file: FileId, bytes: &[u8]) -> (JsonValue, Diagnostics) {
    let (value, part) = parser::parse_part(file, bytes);
    match value {
        Ok(value) => (value, Vec::new()),
        Err(diagnostic) => {
            let span = Span::new(file, 0, bytes.len());
            (JsonValue { kind: ValueKind::Object(part), span }, vec![*diagnostic])
        }
    }
}

/// Like [`parse`], but text that begins with a closing bracket or brace may follow the value, as in Go's
/// decoder of streams.
pub fn parse_first(file: FileId, bytes: &[u8]) -> (JsonValue, Diagnostics) {
    parse_before(file, bytes, &[Token::CloseBracket, Token::CloseBrace])
}

fn parse_before(file: FileId, bytes: &[u8], before: &[Token]) -> (JsonValue, Diagnostics) {
    match parser::parse(file, bytes, before) {
        Ok(value) => (value, Vec::new()),
        Err(diagnostic) => {
            let span = Span::new(file, 0, bytes.len());
            (JsonValue { kind: ValueKind::Invalid, span }, vec![*diagnostic])
        }
    }
}

impl JsonValue {
    /// The members of an object.
    pub fn members(&self) -> Option<&[JsonMember]> {
        match &self.kind {
            ValueKind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The last value of this key in an object.
    pub fn get(&self, key: &str) -> Option<&JsonValue> {
        let members = self.members()?;
        members.iter().rfind(|it| it.key == key).map(|it| &it.value)
    }

    /// The elements of an array.
    pub fn elements(&self) -> Option<&[JsonValue]> {
        match &self.kind {
            ValueKind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The beginning of the value: the bracket of an array or object, otherwise the whole value.
    pub fn start(&self) -> Span {
        match &self.kind {
            ValueKind::Array(_) | ValueKind::Object(_) => {
                Span { end: self.span.start + 1, ..self.span }
            }
            _ => self.span,
        }
    }

    /// The kind of the value as a word with an article.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            ValueKind::Null => "null",
            ValueKind::Bool(_) => "a bool",
            ValueKind::Number(_) => "a number",
            ValueKind::String(_) => "a string",
            ValueKind::Array(_) => "an array",
            ValueKind::Object(_) => "an object",
            ValueKind::Invalid => "no JSON",
        }
    }
}

impl Clone for JsonValue {
    fn clone(&self) -> Self {
        let kind = guarded(|| self.kind.clone());
        JsonValue { kind, span: self.span }
    }
}

impl PartialEq for JsonValue {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && guarded(|| self.kind == other.kind)
    }
}

impl Drop for JsonValue {
    fn drop(&mut self) {
        if matches!(self.kind, ValueKind::Array(_) | ValueKind::Object(_)) {
            let kind = std::mem::replace(&mut self.kind, ValueKind::Invalid);
            guarded(|| drop(kind));
        }
    }
}

impl JsonValue {
    /// The value at a JSON pointer (RFC 6901), or the innermost existing value on the way: the place
    /// that a report points at.
    pub fn nearest(&self, pointer: &str) -> &JsonValue {
        let mut place = self;
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let next = match &place.kind {
                ValueKind::Object(_) => place.get(&step),
                ValueKind::Array(elements) => {
                    step.parse().ok().and_then(|index: usize| elements.get(index))
                }
                _ => None,
            };
            let Some(next) = next else { break };
            place = next;
        }
        place
    }
}
