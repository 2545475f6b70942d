//! The scanner: bytes to tokens, in one pass, before parsing.
//!
//! The meaning of a byte depends on its surroundings, so the scanner keeps a stack of modes:
//! expressions, quoted strings, heredocs and bare templates nest in one another through `"`, `<<` and
//! `${`.

mod chars;
mod expression;
mod template;
mod unicode;

pub use chars::{ident_len, is_identifier, shape_len};

use super::token::{Token, TokenKind};

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
