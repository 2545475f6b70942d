//! The recursive-descent parser of HCL native syntax.
//!
//! An error leaves [`Parser::lost`] set: every construct then returns what it has, and the body
//! goes on with the next item. So one mistake is one diagnostic, and the items around it are read.

mod body;
mod collection;
mod expression;
mod resync;
mod sequence;
mod template;

use std::borrow::Cow;

use super::{
    Body, Expr, ExprKind, Ident, TOO_DEEP, lexer,
    lexer::{MAX_TOKENS, Start},
    token::{Token, TokenKind},
    too_large,
};
use diagnostics::{Cause, Diagnostic, Diagnostics, FileId, Role, Span, lints};
use smol_str::SmolStr;
use stack::{Depth, guarded};

pub(super) use template::normalized;

/// The limit for nested expressions and blocks. Terraform has none; ours is that of JSON.
const MAX_DEPTH: u32 = 10_000;
/// The limit for the height of an expression's tree, with operators and steps of a chain. Every function that walks the
/// tree uses stack for each level.
const MAX_HEIGHT: u32 = 150_000;
/// The limit for reported errors of a file; the text behind the last one is not read.
const MAX_ERRORS: usize = 1000;

/// Parses a file of native syntax.
pub fn parse_body(file: FileId, bytes: &[u8]) -> (Body, Diagnostics) {
    parse_body_at(file, bytes, 0)
}

/// Parses a body that is a part of a file, such as code in a README. Spans are moved by `offset`, the position of
/// the text in its file.
pub fn parse_body_at(file: FileId, bytes: &[u8], offset: u32) -> (Body, Diagnostics) {
    let mut parser = Parser::new(file, bytes, offset, Start::Expression);
    parser.newlines = true;
    let body = parser.file_body();
    (body, parser.diagnostics)
}

/// Parses one expression, in which line ends are ignored. Spans are moved by `offset`, the position of
/// the text in its file.
pub fn parse_expression(file: FileId, bytes: &[u8], offset: u32) -> (Expr, Diagnostics) {
    lone_expression(Parser::new(file, bytes, offset, Start::Expression))
}

/// Parses one expression as after `name =`: a line end outside brackets ends it. Spans are moved by
/// `offset`, the position of the text in its file.
pub fn parse_value(file: FileId, bytes: &[u8], offset: u32) -> (Expr, Diagnostics) {
    let mut parser = Parser::new(file, bytes, offset, Start::Expression);
    parser.newlines = true;
    lone_expression(parser)
}

fn lone_expression(mut parser: Parser<'_>) -> (Expr, Diagnostics) {
    let expr = parser.expression();
    while parser.eat(TokenKind::Newline) {}
    let next = parser.peek();
    if parser.diagnostics.is_empty() && next.kind != TokenKind::End {
        parser.error(
            next,
            "Extra characters after the expression",
            "The expression is complete, but more text follows it.",
        );
    }
    (expr, parser.diagnostics)
}

/// Parses text with `${ }` and `%{ }` sequences, without quotes around it. Spans are moved by `offset`,
/// the position of the text in its file.
pub fn parse_template(file: FileId, bytes: &[u8], offset: u32) -> (Expr, Diagnostics) {
    let mut parser = Parser::new(file, bytes, offset, Start::Template);
    let expr = parser.bare_template();
    (expr, parser.diagnostics)
}

struct Parser<'a> {
    file: FileId,
    offset: u32,
    bytes: &'a [u8],
    /// All bytes, if they are UTF-8.
    all: Option<&'a str>,
    /// The last one is always `End`.
    tokens: Vec<Token>,
    at: usize,
    /// Whether line ends are tokens here.
    newlines: bool,
    depth: Depth,
    /// The largest height so far of a tree parsed at this depth.
    height: u32,
    /// The number of surrounding strings, heredocs and templates.
    strings: u32,
    /// Whether an error was found and the position in the structure is uncertain.
    lost: bool,
    /// Whether, after an error inside blocks, the parser is at an item of the file itself.
    outermost: bool,
    /// Whether too many errors were found, so that the rest is not read.
    stopped: bool,
    /// The tokens that were searched in vain, see [`resync`].
    in_vain: usize,
    diagnostics: Diagnostics,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, bytes: &'a [u8], offset: u32, start: Start) -> Self {
        let mut tokens = lexer::scan(bytes, start);
        let unread = tokens.last().copied().filter(|it| it.start < it.end);
        if let Some(rest) = unread {
            tokens = vec![rest];
        }
        let mut parser = Parser {
            file,
            offset,
            bytes,
            all: std::str::from_utf8(bytes).ok(),
            tokens,
            at: 0,
            newlines: false,
            depth: Depth::of(MAX_DEPTH),
            height: 0,
            strings: 0,
            lost: false,
            outermost: false,
            stopped: false,
            in_vain: 0,
            diagnostics: Vec::new(),
        };
        if let Some(rest) = unread {
            let detail = format!("The limit is {MAX_TOKENS} tokens.");
            parser.report(too_large(parser.diagnostic(rest, "File too large", detail)));
        }
        parser.report_scan_errors();
        parser
    }

    /// Peeks at the next token. Line ends are skipped where they are ignored.
    fn peek(&self) -> Token {
        self.tokens[self.next_index()]
    }

    fn peek_kind(&self) -> TokenKind {
        self.peek().kind
    }

    /// Consumes the next token; `End` is never consumed.
    fn next(&mut self) -> Token {
        let at = self.next_index();
        let token = self.tokens[at];
        self.at = if token.kind == TokenKind::End { at } else { at + 1 };
        token
    }

    /// Consumes the token at hand, line ends included; `End` is never consumed, also where an error about the
    /// token just stopped the parser there.
    fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Consumes the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek_kind() == kind;
        if found {
            self.next();
        }
        found
    }

    fn next_index(&self) -> usize {
        let mut at = self.at;
        while !self.newlines && self.tokens[at].kind == TokenKind::Newline {
            at += 1;
        }
        at
    }

    /// Runs `parse` with line ends as tokens, or ignored.
    fn with_newlines<T>(&mut self, count: bool, parse: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.newlines, count);
        let result = parse(self);
        self.newlines = before;
        result
    }

    /// Runs `parse` one level deeper; reports an error and returns `None` if that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let Some(inner) = self.depth.inner() else {
            let token = self.peek();
            let detail = format!("The limit is {MAX_DEPTH} levels of nesting.");
            let diagnostic = self.diagnostic(token, TOO_DEEP, detail).cause(Cause::TooDeep);
            self.give_up(token, diagnostic);
            return None;
        };
        let outer = std::mem::replace(&mut self.depth, inner);
        let before = std::mem::take(&mut self.height);
        let result = guarded(|| parse(self));
        self.height = before.max(self.height + 1);
        self.depth = outer;
        Some(result)
    }

    /// Adds one level around the tree parsed at this depth; gives the item up if it is too high.
    fn grow(&mut self) {
        self.height += 1;
        if self.height > MAX_HEIGHT && !self.lost {
            let detail = format!("The limit is {MAX_HEIGHT} operators and steps in a row.");
            let at = self.peek();
            self.give_up(at, too_large(self.diagnostic(at, "Expression too long", detail)));
        }
    }

    fn text(&self, token: Token) -> Cow<'a, str> {
        match self.all.and_then(|it| it.get(token.range())) {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(&self.bytes[token.range()]),
        }
    }

    fn is_word(&self, token: Token, word: &str) -> bool {
        token.kind == TokenKind::Ident && &self.bytes[token.range()] == word.as_bytes()
    }

    fn ident(&self, token: Token) -> Ident {
        Ident { name: SmolStr::from(self.text(token)), span: self.span(token) }
    }

    fn span(&self, token: Token) -> Span {
        self.span_between(token, token)
    }

    fn span_between(&self, first: Token, last: Token) -> Span {
        Span { file: self.file, start: first.start + self.offset, end: last.end + self.offset }
    }

    fn invalid(&self, token: Token) -> Expr {
        Expr { kind: ExprKind::Invalid, span: self.span(token) }
    }

    /// Reports an error at a token and gives up the current item.
    fn error(&mut self, at: Token, summary: &str, detail: impl Into<String>) {
        let diagnostic = self.diagnostic(at, summary, detail);
        self.give_up(at, diagnostic);
    }

    /// Like [`Self::error`], with a diagnostic made elsewhere. A token that the scanner refused was
    /// reported already.
    fn give_up(&mut self, at: Token, diagnostic: Diagnostic) {
        let reported = matches!(
            at.kind,
            TokenKind::Unknown
                | TokenKind::NotUtf8
                | TokenKind::ForeignOperator
                | TokenKind::QuotedNewline
        );
        if !reported && !self.lost {
            self.add_diagnostic(diagnostic);
        }
        self.lost = true;
    }

    /// Adds a diagnostic, unless there are too many.
    fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        } else if let Some(label) = diagnostic.labels.first() {
            let (start, end) = (label.span.start - self.offset, label.span.end - self.offset);
            self.stop(Token { kind: TokenKind::Unknown, start, end });
        }
    }

    /// Stops reading here.
    fn stop(&mut self, here: Token) {
        self.at = self.tokens.len() - 1;
        if !std::mem::replace(&mut self.stopped, true) {
            let detail = "The rest of the file is not read.";
            self.diagnostics.push(self.diagnostic(here, "Too many errors", detail));
        }
    }

    /// Reports an error that does not disturb the structure.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.lost {
            self.add_diagnostic(diagnostic);
        }
    }

    fn diagnostic(&self, at: Token, summary: &str, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::new(&lints::INVALID_SYNTAX, summary)
            .detail(detail)
            .at(Role::Value, self.span(at))
    }
}
