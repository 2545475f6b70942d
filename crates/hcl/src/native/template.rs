//! Strings, heredocs and bare templates.

use smol_str::SmolStr;

use super::sequence::Piece;
use super::text::normalized;
use super::{Parser, Token, TokenKind as T};
use crate::{Expr, ExprKind, TemplatePart};
use diagnostics::{Role, Span};

impl Parser<'_> {
    /// Parses a quoted string; the opening quote comes next.
    pub(super) fn quoted(&mut self) -> Expr {
        let open = self.next();
        if let Some(expr) = self.plain_string(open) {
            return expr;
        }
        let (pieces, close) = self.pieces(open, T::CloseQuote);
        self.assembled(pieces, open, close)
    }

    /// Parses a string without sequences, the usual kind.
    fn plain_string(&mut self, open: Token) -> Option<Expr> {
        let mut close = self.tokens[self.at];
        let mut text = SmolStr::default();
        if close.kind == T::QuotedText {
            let content = close;
            close = self.tokens[self.at + 1];
            if close.kind != T::CloseQuote {
                return None;
            }
            text = normalized(&self.decoded(content));
            self.skip();
        }
        if close.kind != T::CloseQuote {
            return None;
        }
        self.skip();
        Some(Expr { kind: ExprKind::String(text), span: self.span_between(open, close) })
    }

    /// Parses a heredoc; its opening marker comes next.
    pub(super) fn heredoc(&mut self) -> Expr {
        let open = self.next();
        let (mut pieces, close) = self.pieces(open, T::CloseHeredoc);
        if self.bytes[open.range()].starts_with(b"<<-") {
            super::sequence::flush(&mut pieces);
        }
        self.assembled(pieces, open, close)
    }

    /// Parses the whole input as a template.
    pub(super) fn bare_template(&mut self) -> Expr {
        let first = self.tokens[0];
        let start = Token { end: first.start, ..first };
        let (pieces, close) = self.pieces(start, T::End);
        self.assembled(pieces, start, close)
    }

    fn assembled(&mut self, mut pieces: Vec<Piece>, open: Token, close: Token) -> Expr {
        let span = self.span_between(open, close);
        if self.lost {
            return Expr { kind: ExprKind::Invalid, span };
        }
        if pieces.len() == 1
            && let Some(Piece::Value(_)) = pieces.first()
            && let Some(Piece::Value(inner)) = pieces.pop()
        {
            return Expr { kind: ExprKind::Wrap(Box::new(inner)), span };
        }
        if pieces.iter().all(|it| matches!(it, Piece::Text { .. })) {
            let text = pieces.iter().map(Piece::text).map(normalized).collect::<Vec<_>>().concat();
            return Expr { kind: ExprKind::String(text.into()), span };
        }
        let parts = self.structure(pieces, close);
        Expr { kind: ExprKind::Template(parts), span }
    }

    /// The text of a block label and its last token. Labels hold no sequences.
    pub(super) fn label(&mut self, open: Token) -> Option<(SmolStr, Token)> {
        let mut text = SmolStr::default();
        let mut token = self.next();
        if token.kind == T::QuotedText {
            text = SmolStr::from(self.decoded(token));
            token = self.next();
        }
        if token.kind == T::CloseQuote {
            return Some((text, token));
        }
        let diagnostic = self
            .diagnostic(
                token,
                "Invalid block label",
                "A block label is plain text and cannot contain ${ }.",
            )
            .at_with(Role::Value, self.span(open), "the label begins here")
            .help("Write $${ for a literal ${.");
        self.give_up(token, diagnostic);
        None
    }
}

/// Adds text to parts, joined to the text before it; `start` is used for new text only.
pub(super) fn push_text(parts: &mut Vec<TemplatePart>, pending: &mut Option<(String, Span)>) {
    if let Some((text, span)) = pending.take()
        && !text.is_empty()
    {
        parts.push(TemplatePart::Literal { text: text.into(), span });
    }
}
