//! Characters of a YAML 1.1 text, one after the other.

use std::fmt;

/// A byte order mark.
pub const BOM: char = '\u{feff}';

/// What is left of the text, and where that begins.
pub(super) struct Cursor<'a> {
    rest: &'a str,
    /// Characters before it.
    pub index: usize,
    pub line: usize,
    pub column: usize,
}

impl<'a> Cursor<'a> {
    /// A byte order mark at the beginning is not a part of the text.
    pub fn new(text: &'a str) -> Self {
        Cursor { rest: text.strip_prefix(BOM).unwrap_or(text), index: 0, line: 0, column: 0 }
    }

    /// The character that follows, and `None` at the end.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub fn peek_at(&self, distance: usize) -> Option<char> {
        self.rest.chars().nth(distance)
    }

    pub fn is_at(&self, char: char) -> bool {
        self.peek() == Some(char)
    }

    pub fn is_at_blank(&self) -> bool {
        is_blank(self.peek())
    }

    pub fn is_at_break(&self) -> bool {
        is_break(self.peek())
    }

    /// A line's end, or the text's.
    pub fn is_at_line_end(&self) -> bool {
        self.peek().is_none() || self.is_at_break()
    }

    /// White space, a line's end or the text's.
    pub fn is_at_gap(&self) -> bool {
        is_gap(self.peek())
    }

    /// Whether what follows the next characters is a gap.
    pub fn has_gap_at(&self, distance: usize) -> bool {
        is_gap(self.peek_at(distance))
    }

    /// `---` or `...` alone at the beginning of a line.
    pub fn is_at_document(&self, indicator: &str) -> bool {
        self.column == 0 && self.rest.starts_with(indicator) && self.has_gap_at(3)
    }

    pub fn is_at_any_document(&self) -> bool {
        self.is_at_document("---") || self.is_at_document("...")
    }

    /// Goes on by a character of the line.
    pub fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.advance(char.len_utf8());
        self.column += 1;
        Some(char)
    }

    pub fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    pub fn skip_blanks(&mut self) {
        while self.is_at_blank() {
            self.next();
        }
    }

    /// Goes on by what satisfies the condition.
    pub fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest;
        let end = rest.find(|it: char| !is_part(it)).unwrap_or(rest.len());
        while self.rest.len() > rest.len() - end {
            self.next();
        }
        &rest[..end]
    }

    /// Goes to the end of the line.
    pub fn take_line(&mut self) -> &'a str {
        self.take_while(|it| !is_break(Some(it)))
    }

    /// Reads the end of a line and gives what it counts as in a text. U+2028 and U+2029 count as
    /// themselves.
    pub fn take_break(&mut self) -> &'static str {
        let (length, text) = match self.peek() {
            Some('\r') if self.peek_at(1) == Some('\n') => (2, "\n"),
            Some('\r' | '\n') => (1, "\n"),
            Some('\u{85}') => (2, "\n"),
            Some('\u{2028}') => (3, "\u{2028}"),
            Some('\u{2029}') => (3, "\u{2029}"),
            _ => return "",
        };
        self.advance(length);
        self.line += 1;
        self.column = 0;
        text
    }

    fn advance(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at(length);
        self.index += taken.chars().count();
        self.rest = rest;
    }
}

pub(super) fn is_blank(char: Option<char>) -> bool {
    matches!(char, Some(' ' | '\t'))
}

pub fn is_break(char: Option<char>) -> bool {
    matches!(char, Some('\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}'))
}

pub(super) fn is_gap(char: Option<char>) -> bool {
    char.is_none() || is_blank(char) || is_break(char)
}

/// Whether the name of an anchor, a directive or a tag's handle may contain the character.
pub(super) fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '-')
}

// The tokens of a YAML text.

/// A token. Where a block begins and ends follows from the indentation.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    StreamEnd,
    /// `%YAML` with its version, as written.
    Version(String),
    /// `%TAG` with handle and prefix.
    TagDirective(String, String),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    /// Handle and suffix; a verbatim tag has no handle.
    Tag(String, String),
    Scalar(String, ScalarStyle),
}

/// As messages name it: "the end of the block is expected, and the text \"b\" follows".
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::StreamEnd => "the end of the text",
            Token::Version(_) => "`%YAML`",
            Token::TagDirective(..) => "`%TAG`",
            Token::DocumentStart => "`---`",
            Token::DocumentEnd => "`...`",
            Token::BlockSequenceStart | Token::BlockEntry => "`-`",
            Token::BlockMappingStart | Token::Key => "a key",
            Token::BlockEnd => "the end of the block",
            Token::FlowSequenceStart => "`[`",
            Token::FlowSequenceEnd => "`]`",
            Token::FlowMappingStart => "`{`",
            Token::FlowMappingEnd => "`}`",
            Token::FlowEntry => "a comma",
            Token::Value => "a colon",
            Token::Alias(name) => return write!(f, "the alias *{name}"),
            Token::Anchor(name) => return write!(f, "the anchor &{name}"),
            Token::Tag(handle, suffix) => return write!(f, "the tag {handle}{suffix}"),
            Token::Scalar(text, _) => return write!(f, "the text {text:?}"),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    Plain,
    Quoted,
    Block,
}
