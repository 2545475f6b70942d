//! Scans text: quoted strings, heredocs and bare templates.

use super::{Lexer, Mode, shape_len};
use crate::token::TokenKind as T;

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
    pub(super) fn quoted(&mut self) {
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
    pub(super) fn heredoc(&mut self) {
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
    pub(super) fn bare(&mut self) {
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
