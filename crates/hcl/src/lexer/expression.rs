//! Scans expressions and bodies, also inside `${ }` and `%{ }`.

use memchr::{memchr, memmem, memrchr_iter};

use super::{Lexer, MAX_TOKENS, Mode, ident_len};
use crate::token::TokenKind as T;

impl Lexer<'_> {
    /// Scans until the mode changes or the input ends.
    pub(super) fn expression(&mut self) {
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
