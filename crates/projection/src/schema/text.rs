//! Writes JSON text like Go's `encoding/json`.

use std::fmt::Write;

use super::{Decimal, SchemaJson};
use stack::guarded;

/// The initial capacity, enough for the text of most schemas.
const TYPICAL: usize = 4096;

/// Whether a character that begins with this byte may need an escape.
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

/// Writes values at a depth, by which their lines are indented.
pub(super) struct Writer {
    text: String,
    escape_html: bool,
}

impl Writer {
    /// The text that `write` writes.
    pub fn write(escape_html: bool, write: impl FnOnce(&mut Writer)) -> String {
        let mut out = Writer { text: String::with_capacity(TYPICAL), escape_html };
        write(&mut out);
        out.text
    }

    pub fn json(&mut self, value: &SchemaJson, depth: usize) {
        guarded(|| match value {
            SchemaJson::Null => self.text.push_str("null"),
            SchemaJson::Bool(it) => self.bool(*it),
            SchemaJson::Number(it) => self.number(it),
            SchemaJson::String(it) => self.string(it),
            SchemaJson::Array(elements) => self.array(elements, depth, Writer::json),
            SchemaJson::Object(members) => {
                let members = members.iter().map(|(key, it)| (key.as_str(), it));
                self.object(members, depth, Writer::json);
            }
            SchemaJson::Record(members) => {
                self.object(members.iter().map(|(key, it)| (*key, it)), depth, Writer::json);
            }
        });
    }

    pub fn bool(&mut self, it: bool) {
        self.text.push_str(if it { "true" } else { "false" });
    }

    pub fn number(&mut self, it: &Decimal) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{it}");
    }

    /// Writes an array; `element` writes one element at its depth.
    pub fn array<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        depth: usize,
        element: impl Fn(&mut Writer, T, usize),
    ) {
        self.block(('[', ']'), elements, depth, |out, it| element(out, it, depth + 1));
    }

    /// Writes an object; `value` writes the value of one member at its depth.
    pub fn object<'k, T>(
        &mut self,
        members: impl IntoIterator<Item = (&'k str, T)>,
        depth: usize,
        value: impl Fn(&mut Writer, T, usize),
    ) {
        self.block(('{', '}'), members, depth, |out, (key, it)| {
            out.string(key);
            out.text.push_str(": ");
            value(out, it, depth + 1);
        });
    }

    fn block<T>(
        &mut self,
        (open, close): (char, char),
        items: impl IntoIterator<Item = T>,
        depth: usize,
        item: impl Fn(&mut Writer, T),
    ) {
        self.text.push(open);
        let mut empty = true;
        for it in items {
            if !empty {
                self.text.push(',');
            }
            empty = false;
            self.line(depth + 1);
            item(self, it);
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

    pub fn string(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        // Almost all characters need no escape.
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
