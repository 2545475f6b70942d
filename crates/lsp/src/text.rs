//! A document's text: positions of the protocol, and changes at them.

use std::{
    ops::Range as Bytes,
    sync::{Arc, OnceLock},
};

use diagnostics::FileId;
use hcl::{Body, json, parse_body};
use lsp_types::{Position, PositionEncodingKind, Range, TextEdit};

/// The unit in which a client counts characters in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// What every client knows.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The best of a client's encodings. Bytes need no counting.
    pub fn of(offered: &[String]) -> Encoding {
        let has = |name: &str| offered.iter().any(|it| it == name);
        if has("utf-8") {
            Encoding::Utf8
        } else if has("utf-32") && !has("utf-16") {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The number of units of a text.
    fn count(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    /// The bytes that so many units take; a position inside of a character is at its start.
    fn bytes(self, text: &str, units: usize) -> usize {
        if self == Encoding::Utf8 || text.is_ascii() {
            let end = units.min(text.len());
            return (0..=end).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0);
        }
        let mut left = units;
        for (at, it) in text.char_indices() {
            let width = if self == Encoding::Utf16 { it.len_utf16() } else { 1 };
            if left < width {
                return at;
            }
            left -= width;
        }
        text.len()
    }
}

/// A text and the starts of its lines. Lines end with `\n`, `\r\n` or `\r`, as the protocol has it. It is parsed at most
/// once, whatever asks for the result: a change makes another text.
#[expect(clippy::struct_field_names, reason = "it is the text itself")]
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: Arc<str>,
    starts: Vec<usize>,
    body: OnceLock<Body>,
    json: OnceLock<json::JsonValue>,
}

impl Text {
    pub fn new(text: impl Into<Arc<str>>) -> Text {
        let text = text.into();
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let is_end = *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if is_end {
                starts.push(at + 1);
            }
        }
        Text { text, starts, body: OnceLock::new(), json: OnceLock::new() }
    }

    /// The part of the text that can be read in the native syntax.
    pub fn body(&self) -> &Body {
        self.body.get_or_init(|| parse_body(FileId(0), self.text.as_bytes()).0)
    }

    /// The part of the text that can be read in JSON.
    pub fn json(&self) -> &json::JsonValue {
        self.json.get_or_init(|| json::parse_part(FileId(0), self.text.as_bytes()).0)
    }

    /// The bytes of a line without its end; `None` behind the last line.
    fn line(&self, line: usize) -> Option<Bytes<usize>> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let content = self.text[start..end].trim_end_matches(['\n', '\r']);
        Some(start..start + content.len())
    }

    /// The byte of a position. A position behind its line is at the line's end, one behind the text at its end.
    pub fn offset(&self, at: Position, encoding: Encoding) -> usize {
        let Some(line) = self.line(at.line as usize) else { return self.text.len() };
        line.start + encoding.bytes(&self.text[line], at.character as usize)
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|it| *it <= offset) - 1;
        let content = self.line(line).unwrap_or_default();
        let end = offset.min(content.end);
        let end = (content.start..=end).rev().find(|it| self.text.is_char_boundary(*it));
        let before = &self.text[content.start..end.unwrap_or(content.start)];
        Position { line: clamp(line), character: clamp(encoding.count(before)) }
    }

    pub fn range(&self, bytes: Bytes<usize>, encoding: Encoding) -> Range {
        let (start, end) = (bytes.start, bytes.end);
        Range { start: self.position(start, encoding), end: self.position(end, encoding) }
    }

    pub fn bytes(&self, range: Range, encoding: Encoding) -> Bytes<usize> {
        let start = self.offset(range.start, encoding);
        start..self.offset(range.end, encoding).max(start)
    }

    /// The text with a range replaced.
    pub fn changed(&self, range: Range, replacement: &str, encoding: Encoding) -> Text {
        let Bytes { start, end } = self.bytes(range, encoding);
        let mut text = String::with_capacity(self.text.len() + replacement.len());
        text.push_str(&self.text[..start]);
        text.push_str(replacement);
        text.push_str(&self.text[end..]);
        Text::new(text)
    }
}

/// One edit from a text to another; `None` if they are the same.
pub(crate) fn difference(old: &Text, new: &str, encoding: Encoding) -> Option<TextEdit> {
    let text = &*old.text;
    if text == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let length = |it: (char, char)| it.0.len_utf8();
    let begin: usize = text.chars().zip(new.chars()).take_while(same).map(length).sum();
    let (old_rest, new_rest) = (&text[begin..], &new[begin..]);
    let backwards = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = backwards.take_while(same).map(length).sum();
    // Half of a line end has no position of its own.
    let begin = if text[..begin].ends_with('\r') { begin - 1 } else { begin };
    let end = if text[text.len() - end..].starts_with('\n') { end - 1 } else { end };
    let range = old.range(begin..text.len() - end, encoding);
    Some(TextEdit { range, new_text: new[begin..new.len() - end].to_owned() })
}

fn clamp(it: usize) -> u32 {
    u32::try_from(it).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn every_byte_that_begins_a_character_has_a_position_of_its_own() {
        let text = Text::new("a = \"ü💥\"\r\nb\rc\n\n💥");
        for encoding in ENCODINGS {
            for (at, it) in text.text.char_indices() {
                if it == '\n' && text.text[..at].ends_with('\r') {
                    continue;
                }
                let position = text.position(at, encoding);
                assert_eq!(text.offset(position, encoding), at, "{at} {encoding:?} {position:?}");
            }
        }
    }

    #[test]
    fn an_encoding_counts_its_own_units() {
        let text = Text::new("é💥x");
        let at = |encoding| text.position(6, encoding).character;
        assert_eq!(ENCODINGS.map(at), [6, 3, 2]);
        // Inside of a surrogate pair is before it.
        let inside = Position { line: 0, character: 2 };
        assert_eq!(text.offset(inside, Encoding::Utf16), 2);
    }

    #[test]
    fn a_position_outside_of_the_text_is_at_its_end() {
        let text = Text::new("ab\ncd\n");
        let offset = |line, character| text.offset(Position { line, character }, Encoding::Utf16);
        assert_eq!([offset(0, 99), offset(2, 0), offset(9, 9)], [2, 6, 6]);
    }

    #[test]
    fn a_change_replaces_a_range() {
        let text = Text::new("a = 1\r\nb = 2\r\n");
        let position = |line, character| Position { line, character };
        let range = Range { start: position(0, 4), end: position(1, 3) };
        assert_eq!(&*text.changed(range, "x", Encoding::Utf16).text, "a = x 2\r\n");
        let back = Range { start: position(1, 3), end: position(0, 0) };
        assert_eq!(&*text.changed(back, "", Encoding::Utf16).text, &*text.text);
    }
}
