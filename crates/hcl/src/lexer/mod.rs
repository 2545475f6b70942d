//! The scanner: bytes to tokens, in one pass, before parsing.
//!
//! The meaning of a byte depends on its surroundings, so the scanner keeps a stack of modes:
//! expressions, quoted strings, heredocs and bare templates nest in one another through `"`, `<<` and
//! `${`.

mod chars;

use crate::token::{Token, TokenKind, TokenKind as T};
use memchr::{memchr, memmem, memrchr_iter};

pub use chars::{ident_len, is_identifier, shape_len};

/// The mode in which scanning starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A body or an expression.
    Expression,
    /// A bare template: text with sequences, without quotes.
    Template,
}

/// The limit for the tokens of a text, which also bounds the memory of everything made from them.
pub const MAX_TOKENS: usize = 4_000_000;

/// Scans the input. The last token is always [`TokenKind::End`]; if the input is too large, it spans the
/// rest.
pub fn scan(bytes: &[u8], start: Start) -> Vec<Token> {
    let bom = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mode = match start {
        Start::Expression => Mode::Expression { braces: 0, sequence: false },
        Start::Template => Mode::Bare,
    };
    let mut lexer = Lexer {
        bytes,
        at: bom,
        tokens: Vec::with_capacity((bytes.len() / 4 + 2).min(MAX_TOKENS)),
        modes: vec![mode],
        comment_end: None,
    };
    while lexer.at < bytes.len() && lexer.tokens.len() < MAX_TOKENS {
        match lexer.mode() {
            Mode::Expression { .. } => lexer.expression(),
            Mode::Quoted => lexer.quoted(),
            Mode::Heredoc { .. } => lexer.heredoc(),
            Mode::Bare => lexer.bare(),
        }
    }
    lexer.push(TokenKind::End, bytes.len());
    lexer.tokens
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Expression {
        /// The number of open braces since the mode began.
        braces: u32,
        /// Whether this is the inside of `${ }` or `%{ }`, which the brace at depth 0 ends.
        sequence: bool,
    },
    Quoted,
    Heredoc {
        /// The range of the marker in the input.
        marker: (usize, usize),
        line_start: bool,
    },
    Bare,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    modes: Vec<Mode>,
    /// The last `*/` of the input, once it was searched for: a `/*` after it opens no comment.
    comment_end: Option<usize>,
}

impl Lexer<'_> {
    fn mode(&self) -> Mode {
        self.modes.last().copied().unwrap_or(Mode::Expression { braces: 0, sequence: false })
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Adds the token from the current position to `end`, and moves there.
    fn push(&mut self, kind: TokenKind, end: usize) {
        let clamp = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        self.tokens.push(Token { kind, start: clamp(self.at), end: clamp(end) });
        self.at = end;
    }

    fn push_len(&mut self, kind: TokenKind, len: usize) {
        self.push(kind, self.at + len);
    }

    /// Adds a character that is not a token: unknown to HCL, or a byte that is not UTF-8.
    fn push_foreign(&mut self) {
        match shape_len(self.rest()) {
            Some(len) => self.push_len(TokenKind::Unknown, len),
            None => self.push_len(TokenKind::NotUtf8, 1),
        }
    }
}

// Scans expressions and bodies, also inside `${ }` and `%{ }`.

impl Lexer<'_> {
    /// Scans until the mode changes or the input ends.
    fn expression(&mut self) {
        let modes = self.modes.len();
        while let Some(byte) = self.bytes.get(self.at)
            && self.tokens.len() < MAX_TOKENS
        {
            match byte {
                b' ' | b'\t' => {
                    let blank = |it: &&u8| matches!(it, b' ' | b'\t');
                    self.at += self.rest().iter().take_while(blank).count();
                }
                b'\n' => self.push_len(T::Newline, 1),
                b'\r' if self.bytes.get(self.at + 1) == Some(&b'\n') => {
                    self.push_len(T::Newline, 2);
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.word(),
                b'0'..=b'9' => self.number(),
                b'#' => self.line_comment(),
                b'/' => self.slash(),
                b'"' => {
                    self.push_len(T::OpenQuote, 1);
                    self.modes.push(Mode::Quoted);
                }
                b'<' => self.less(),
                b'{' => self.open_brace(),
                b'}' => self.close_brace(T::CloseBrace, 1),
                b'~' if self.bytes.get(self.at + 1) == Some(&b'}') => {
                    self.close_brace(T::SequenceEnd, 2);
                }
                _ => self.symbol(),
            }
            if self.modes.len() != modes {
                return;
            }
        }
    }

    fn word(&mut self) {
        match ident_len(self.rest()) {
            0 => self.push_foreign(),
            len => self.push_len(T::Ident, len),
        }
    }

    /// Scans all digits, dots and exponents that follow, without trailing dots. The parser decides whether the token is
    /// a number: `1.2.3` is one token, but not a number.
    fn number(&mut self) {
        let bytes = self.rest();
        let (mut at, mut end) = (0, 0);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'0'..=b'9' => at += 1,
                b'.' => {
                    at += 1;
                    continue;
                }
                b'e' | b'E' => {
                    let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                    if !bytes.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
                        break;
                    }
                    at += 2 + sign;
                }
                _ => break,
            }
            end = at;
        }
        self.push_len(T::Number, end);
    }

    /// Scans a comment up to the line's end, which it includes. At the end of the input, without a line
    /// end, it produces no token.
    fn line_comment(&mut self) {
        match memchr(b'\n', self.rest()) {
            Some(len) => self.push_len(T::Newline, len + 1),
            None => self.at = self.bytes.len(),
        }
    }

    fn slash(&mut self) {
        match self.bytes.get(self.at + 1) {
            Some(b'/') => self.line_comment(),
            Some(b'*') if self.comment_may_end() => {
                let end = memmem::find(&self.bytes[self.at + 2..], b"*/");
                self.at = end.map_or(self.bytes.len(), |it| self.at + it + 4);
            }
            _ => self.push_len(T::Slash, 1),
        }
    }

    /// Whether a `*/` follows the `/*` here. The input's last `*/` is searched for once, so that many
    /// unclosed openings cost nothing.
    fn comment_may_end(&mut self) -> bool {
        let bytes = self.bytes;
        let last = *self.comment_end.get_or_insert_with(|| {
            memrchr_iter(b'/', bytes).find(|it| *it > 0 && bytes[*it - 1] == b'*').unwrap_or(0)
        });
        last > self.at + 2
    }

    fn less(&mut self) {
        match self.bytes.get(self.at + 1) {
            Some(b'=') => self.push_len(T::LessOrEqual, 2),
            Some(b'<') => self.heredoc_start(),
            _ => self.push_len(T::Less, 1),
        }
    }

    /// Scans `<<MARKER` or `<<-MARKER` directly before a line end; anything else is a `<`.
    fn heredoc_start(&mut self) {
        let dash = usize::from(self.bytes.get(self.at + 2) == Some(&b'-'));
        let start = self.at + 2 + dash;
        let end = start + ident_len(self.bytes.get(start..).unwrap_or_default());
        let line_end = match self.bytes.get(end..).unwrap_or_default() {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        if end == start || line_end == 0 {
            return self.push_len(T::Less, 1);
        }
        self.push(T::OpenHeredoc, end + line_end);
        self.modes.push(Mode::Heredoc { marker: (start, end), line_start: true });
    }

    fn open_brace(&mut self) {
        if let Some(Mode::Expression { braces, .. }) = self.modes.last_mut() {
            *braces += 1;
        }
        self.push_len(T::OpenBrace, 1);
    }

    fn close_brace(&mut self, kind: T, len: usize) {
        if let Some(Mode::Expression { braces, sequence }) = self.modes.last_mut() {
            if *braces == 0 && *sequence {
                self.modes.pop();
                return self.push_len(T::SequenceEnd, len);
            }
            *braces = braces.saturating_sub(1);
        }
        self.push_len(kind, len);
    }

    fn symbol(&mut self) {
        let (kind, len) = match self.rest() {
            [b'.', b'.', b'.', ..] => (T::Ellipsis, 3),
            [b'.', ..] => (T::Dot, 1),
            [b'=', b'=', ..] => (T::Equal, 2),
            [b'=', b'>', ..] => (T::Arrow, 2),
            [b'=', ..] => (T::Assign, 1),
            [b'!', b'=', ..] => (T::NotEqual, 2),
            [b'!', ..] => (T::Not, 1),
            [b'>', b'=', ..] => (T::GreaterOrEqual, 2),
            [b'>', ..] => (T::Greater, 1),
            [b'&', b'&', ..] => (T::And, 2),
            [b'|', b'|', ..] => (T::Or, 2),
            [b':', b':', ..] => (T::DoubleColon, 2),
            [b':', ..] => (T::Colon, 1),
            [b'?', ..] => (T::Question, 1),
            [b',', ..] => (T::Comma, 1),
            [b'(', ..] => (T::OpenParen, 1),
            [b')', ..] => (T::CloseParen, 1),
            [b'[', ..] => (T::OpenBracket, 1),
            [b']', ..] => (T::CloseBracket, 1),
            [b'+', ..] => (T::Plus, 1),
            [b'-', ..] => (T::Minus, 1),
            [b'*', ..] => (T::Star, 1),
            [b'%', ..] => (T::Percent, 1),
            [b'&' | b'|' | b'^' | b'~', ..] => (T::ForeignOperator, 1),
            _ => return self.push_foreign(),
        };
        self.push_len(kind, len);
    }
}

// Scans text: quoted strings, heredocs and bare templates.

/// The reason why a run of text ends.
enum Stop {
    /// `${`, `%{`, or in a quoted string `"`, a line end or a single `\`.
    Mark,
    /// A line end of this many bytes.
    LineEnd(usize),
    /// A carriage return outside of a line end.
    CarriageReturn,
    NotUtf8,
    /// `$` or `%` as the last byte of the input.
    LastDollar,
    End,
}

impl Lexer<'_> {
    /// Scans a quoted string until it ends or an expression begins.
    fn quoted(&mut self) {
        let end = self.quoted_text();
        if end > self.at {
            self.push(T::QuotedText, end);
        }
        match self.rest() {
            [] => {}
            [b'"', ..] => {
                self.push_len(T::CloseQuote, 1);
                self.modes.pop();
            }
            [b'\n' | b'\r', rest @ ..] => {
                let more = rest.iter().take_while(|it| matches!(it, b'\n' | b'\r')).count();
                self.line_end_in_string(1 + more);
            }
            [b'$' | b'%', b'{', ..] => self.sequence(),
            _ => self.push_foreign(),
        }
    }

    /// A string must end on its line. HCL's scanner continues inside of the string. To find the
    /// following items, this one leaves the outermost string on the stack (inside a heredoc, the
    /// outermost one there), and with it all strings inside.
    fn line_end_in_string(&mut self, len: usize) {
        let heredoc =
            self.modes.iter().rposition(|it| matches!(it, Mode::Heredoc { .. } | Mode::Bare));
        let keep = match heredoc {
            Some(at) => at + 1,
            None => self.modes.iter().position(|it| matches!(it, Mode::Quoted)).unwrap_or(0),
        };
        self.modes.truncate(keep);
        let start = self.at;
        self.push_len(T::QuotedNewline, len);
        if heredoc.is_none() {
            self.at = start;
            self.push_len(T::Newline, len);
        }
        self.set_line_start(true);
    }

    /// The end of the text here: `"`, a line end, a sequence, or a character that text cannot hold.
    fn quoted_text(&self) -> usize {
        let bytes = self.bytes;
        let mut at = self.at;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | b'\n' | b'\r' => break,
                b'\\' => match bytes.get(at + 1) {
                    None | Some(b'\n' | b'\r') => break,
                    Some(_) => match shape_len(&bytes[at + 1..]) {
                        Some(len) => at += 1 + len,
                        None => break,
                    },
                },
                b'$' | b'%' => match dollar(&bytes[at..]) {
                    Dollar::Text(len) => at += len,
                    Dollar::Sequence | Dollar::Last => break,
                },
                0..=0x7f => at += 1,
                _ => match shape_len(&bytes[at..]) {
                    Some(len) => at += len,
                    None => break,
                },
            }
        }
        at
    }

    /// Scans one line of a heredoc, or the part of it up to a sequence.
    fn heredoc(&mut self) {
        let (end, stop) = self.plain_text();
        if let Stop::LineEnd(len) = stop {
            if self.closes_heredoc(end) {
                self.push(T::CloseHeredoc, end);
                self.modes.pop();
                return;
            }
            self.push(T::PlainText, end + len);
            return self.set_line_start(true);
        }
        if end > self.at {
            self.push(T::PlainText, end);
        }
        self.set_line_start(false);
        match stop {
            Stop::Mark => self.sequence(),
            Stop::NotUtf8 => self.push_len(T::NotUtf8, 1),
            // HCL's scanner stops here, so the whole rest is one wrong character.
            Stop::CarriageReturn | Stop::LastDollar => self.push(T::Unknown, self.bytes.len()),
            Stop::LineEnd(_) | Stop::End => {}
        }
    }

    /// Whether the line from here to `end` is the heredoc's closing marker.
    fn closes_heredoc(&self, end: usize) -> bool {
        let Mode::Heredoc { marker: (from, to), line_start: true } = self.mode() else {
            return false;
        };
        let line = &self.bytes[self.at..end];
        let marker = &self.bytes[from..to];
        line.len() >= marker.len()
            && match std::str::from_utf8(line) {
                Ok(text) => text.trim().as_bytes() == marker,
                Err(_) => line.trim_ascii() == marker,
            }
    }

    fn set_line_start(&mut self, value: bool) {
        if let Some(Mode::Heredoc { line_start, .. }) = self.modes.last_mut() {
            *line_start = value;
        }
    }

    /// Scans one line of a bare template, or the part of it up to a sequence.
    fn bare(&mut self) {
        let (end, stop) = self.plain_text();
        match stop {
            Stop::LineEnd(len) => return self.push(T::PlainText, end + len),
            Stop::LastDollar => return self.push(T::PlainText, self.bytes.len()),
            _ if end > self.at => self.push(T::PlainText, end),
            _ => {}
        }
        match stop {
            Stop::Mark => self.sequence(),
            Stop::NotUtf8 => self.push_len(T::NotUtf8, 1),
            // HCL's scanner stops here and takes the rest as text.
            Stop::CarriageReturn => self.push(T::PlainText, self.bytes.len()),
            Stop::LineEnd(_) | Stop::LastDollar | Stop::End => {}
        }
    }

    /// The end of the text here, and the reason why it ends.
    fn plain_text(&self) -> (usize, Stop) {
        let bytes = self.bytes;
        let mut at = self.at;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => return (at, Stop::LineEnd(1)),
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => return (at, Stop::LineEnd(2)),
                b'\r' => return (at, Stop::CarriageReturn),
                b'$' | b'%' => match dollar(&bytes[at..]) {
                    Dollar::Text(len) => at += len,
                    Dollar::Sequence => return (at, Stop::Mark),
                    Dollar::Last => return (at, Stop::LastDollar),
                },
                0..=0x7f => at += 1,
                _ => match shape_len(&bytes[at..]) {
                    Some(len) => at += len,
                    None => return (at, Stop::NotUtf8),
                },
            }
        }
        (at, Stop::End)
    }

    /// `${`, `${~`, `%{` or `%{~`.
    fn sequence(&mut self) {
        let kind = if self.rest().starts_with(b"$") { T::Interpolation } else { T::Directive };
        let len = if self.bytes.get(self.at + 2) == Some(&b'~') { 3 } else { 2 };
        self.push_len(kind, len);
        self.modes.push(Mode::Expression { braces: 0, sequence: true });
    }
}

/// The meaning of a `$` or `%` in a text.
enum Dollar {
    /// Text of this length: the escape `$${`, or the character alone.
    Text(usize),
    Sequence,
    /// The last byte of the input.
    Last,
}

fn dollar(bytes: &[u8]) -> Dollar {
    match bytes {
        [_, b'{', ..] => Dollar::Sequence,
        [first, second, b'{', ..] if first == second => Dollar::Text(3),
        [_] => Dollar::Last,
        _ => Dollar::Text(1),
    }
}
