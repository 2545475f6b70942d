//! Builds the tree from flat pieces: matches `if` with `endif` and `for` with `endfor`.

use std::iter::Peekable;

use super::sequence::{Marker, Piece};
use super::template::push_text;
use super::text::normalized;
use super::{Parser, Token};
use crate::TemplatePart;
use diagnostics::{Diagnostic, Role, Span, lints};

type Pieces = Peekable<std::vec::IntoIter<Piece>>;

impl Parser<'_> {
    pub(super) fn structure(&mut self, pieces: Vec<Piece>, close: Token) -> Vec<TemplatePart> {
        let mut pieces = pieces.into_iter().peekable();
        let mut parts = Vec::new();
        while pieces.peek().is_some() && !self.lost {
            parts.extend(self.parts(&mut pieces, close));
            if let Some(Piece::Marker { marker, span }) = pieces.next() {
                self.unexpected(marker.word(), span);
            }
        }
        parts
    }

    /// Collects parts up to the marker that ends them, which is not consumed.
    fn parts(&mut self, pieces: &mut Pieces, close: Token) -> Vec<TemplatePart> {
        let mut parts = Vec::new();
        let mut pending: Option<(String, Span)> = None;
        while let Some(piece) = pieces.next_if(|it| !it.ends_parts()) {
            match piece {
                Piece::Text { text, span } => {
                    let text = normalized(&text);
                    match &mut pending {
                        Some((before, place)) => {
                            before.push_str(&text);
                            *place = place.to(span);
                        }
                        None => pending = Some((text.into(), span)),
                    }
                }
                Piece::Value(expr) => {
                    push_text(&mut parts, &mut pending);
                    parts.push(TemplatePart::Interpolation(expr));
                }
                Piece::Marker { marker, span } => {
                    push_text(&mut parts, &mut pending);
                    let part = self.nested(|it| it.directive(marker, span, pieces, close));
                    parts.extend(part.flatten());
                }
            }
            if self.lost {
                break;
            }
        }
        push_text(&mut parts, &mut pending);
        parts
    }

    fn directive(
        &mut self,
        marker: Marker,
        open: Span,
        pieces: &mut Pieces,
        close: Token,
    ) -> Option<TemplatePart> {
        match marker {
            Marker::If(condition) => {
                let then = self.parts(pieces, close);
                let mut otherwise = Vec::new();
                let mut end = self.ending(pieces, close, "if")?;
                if matches!(end.0, Marker::Else) {
                    otherwise = self.parts(pieces, close);
                    end = self.ending(pieces, close, "if")?;
                }
                if !matches!(end.0, Marker::EndIf) {
                    self.unexpected(end.0.word(), end.1);
                    return None;
                }
                let condition = Box::new(condition);
                Some(TemplatePart::If { condition, then, otherwise, span: open.to(end.1) })
            }
            Marker::For { key, value, collection } => {
                let body = self.parts(pieces, close);
                let end = self.ending(pieces, close, "for")?;
                if !matches!(end.0, Marker::EndFor) {
                    self.unexpected(end.0.word(), end.1);
                    return None;
                }
                let collection = Box::new(collection);
                Some(TemplatePart::For { key, value, collection, body, span: open.to(end.1) })
            }
            Marker::Else | Marker::EndIf | Marker::EndFor => None,
        }
    }

    fn ending(&mut self, pieces: &mut Pieces, close: Token, word: &str) -> Option<(Marker, Span)> {
        if self.lost {
            return None;
        }
        if let Some(Piece::Marker { marker, span }) = pieces.next() {
            return Some((marker, span));
        }
        let detail = format!("The directive %{{ {word} }} needs %{{ end{word} }}.");
        let diagnostic = self.diagnostic(close, "Unclosed template directive", detail);
        self.give_up_template(diagnostic);
        None
    }

    fn unexpected(&mut self, word: &str, span: Span) {
        let diagnostic = Diagnostic::new(
            &lints::INVALID_SYNTAX,
            format!("Unexpected template directive \"{word}\""),
        )
        .detail("The directives of this template do not match.")
        .at(Role::Value, span);
        self.give_up_template(diagnostic);
    }

    /// Gives up the template's own tree only, since its tokens are consumed.
    fn give_up_template(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.lost = true;
    }
}

impl Piece {
    fn ends_parts(&self) -> bool {
        let Piece::Marker { marker, .. } = self else { return false };
        matches!(marker, Marker::Else | Marker::EndIf | Marker::EndFor)
    }
}

impl Marker {
    fn word(&self) -> &'static str {
        match self {
            Marker::If(_) => "if",
            Marker::Else => "else",
            Marker::EndIf => "endif",
            Marker::For { .. } => "for",
            Marker::EndFor => "endfor",
        }
    }
}
