//! The flat pieces of a template: text, `${ }`, and the markers of directives.

use unicode_segmentation::UnicodeSegmentation;

use super::{Parser, Token, TokenKind as T};
use crate::{Expr, Ident};
use diagnostics::{Role, Span};

/// A piece of a template before its directives are matched with one another.
pub(super) enum Piece {
    /// Text of one line at most; strip markers are applied, and it may be empty.
    Text {
        text: String,
        span: Span,
    },
    Value(Expr),
    Marker {
        marker: Marker,
        span: Span,
    },
}

pub(super) enum Marker {
    If(Expr),
    Else,
    EndIf,
    For { key: Option<Ident>, value: Ident, collection: Expr },
    EndFor,
}

impl Piece {
    pub(super) fn text(&self) -> &str {
        match self {
            Piece::Text { text, .. } => text,
            _ => "",
        }
    }
}

impl Parser<'_> {
    /// The pieces up to the closing token, and that token.
    pub(super) fn pieces(&mut self, open: Token, close: T) -> (Vec<Piece>, Token) {
        self.strings += 1;
        let result = self.pieces_until(open, close);
        self.strings -= 1;
        result
    }

    fn pieces_until(&mut self, open: Token, close: T) -> (Vec<Piece>, Token) {
        let mut pieces = Vec::new();
        let mut strip = false;
        loop {
            let token = self.tokens[self.at];
            if token.kind == close {
                self.next();
                return (pieces, token);
            }
            match token.kind {
                T::QuotedText | T::PlainText => {
                    self.skip();
                    let span = self.span(token);
                    let decoded = self.decoded(token);
                    let text =
                        if std::mem::take(&mut strip) { decoded.trim_start() } else { &decoded };
                    pieces.push(Piece::Text { text: text.to_owned(), span });
                }
                T::Interpolation | T::Directive => {
                    self.skip();
                    if token.strips()
                        && let Some(Piece::Text { text, .. }) = pieces.last_mut()
                    {
                        text.truncate(text.trim_end().len());
                    }
                    let piece = self.with_newlines(false, |it| it.sequence(token));
                    pieces.extend(piece);
                    if self.lost {
                        return (pieces, self.previous());
                    }
                    strip = self.previous().strips();
                }
                // The scanner reported it and left the string.
                T::QuotedNewline => {
                    self.skip();
                    self.lost = self.strings > 1;
                    return (pieces, token);
                }
                _ => {
                    self.unclosed_template(open, token);
                    return (pieces, token);
                }
            }
        }
    }

    fn unclosed_template(&mut self, open: Token, token: Token) {
        let diagnostic = self
            .diagnostic(token, "Unclosed string", "The closing marker is missing.")
            .at_with(Role::Value, self.span(open), "the string starts here");
        self.give_up(token, diagnostic);
    }

    /// Parses the inside of `${` or `%{`, with the closing brace.
    fn sequence(&mut self, open: Token) -> Option<Piece> {
        if open.kind == T::Interpolation {
            let value = self.expression();
            self.sequence_end(open, "interpolation")?;
            return Some(Piece::Value(value));
        }
        let word = self.peek();
        if word.kind != T::Ident {
            let detail = "A directive must begin with if, else, endif, for or endfor.";
            self.error(word, "Invalid template directive", detail);
            return None;
        }
        self.next();
        let marker = match &*self.text(word) {
            "if" => Marker::If(self.expression()),
            "else" => Marker::Else,
            "endif" => Marker::EndIf,
            "for" => {
                let (key, value) = self.for_names("Invalid 'for' directive")?;
                Marker::For { key, value, collection: self.expression() }
            }
            "endfor" => Marker::EndFor,
            other => {
                let detail =
                    format!("Unknown directive \"{other}\"; use if, else, endif, for or endfor.");
                self.error(word, "Unknown template directive", detail);
                return None;
            }
        };
        let close = self.sequence_end(open, "directive")?;
        Some(Piece::Marker { marker, span: self.span_between(open, close) })
    }

    fn sequence_end(&mut self, open: Token, what: &str) -> Option<Token> {
        if self.lost {
            return None;
        }
        let token = self.peek();
        match token.kind {
            T::SequenceEnd => return Some(self.next()),
            T::End | T::OpenQuote | T::CloseQuote if what == "interpolation" => {
                let detail = "The closing brace is missing.";
                let diagnostic = self.diagnostic(open, "Unclosed interpolation", detail);
                self.give_up(open, diagnostic.help("Write $${ for a literal ${."));
            }
            _ => {
                let diagnostic = self.diagnostic(
                    token,
                    &format!("Extra characters in a template {what}"),
                    "The expression is complete, so the closing brace is expected.",
                );
                let shell = open.kind == T::Interpolation && token.kind == T::Colon;
                let diagnostic = if shell {
                    diagnostic.help(
                        "This looks like ${VAR:-default} of a shell. To write it as text, use \
                        $${ instead of ${.",
                    )
                } else if open.kind == T::Interpolation {
                    diagnostic.help("Write $${ for a literal ${.")
                } else {
                    diagnostic
                };
                self.give_up(token, diagnostic);
            }
        }
        None
    }
}

/// Removes the indentation that all lines of a `<<-` heredoc share. Lines of white space alone are
/// ignored, and a line that begins with a sequence has no indentation.
pub(super) fn flush(pieces: &mut [Piece]) {
    let mut least = usize::MAX;
    let mut lines = Vec::new();
    let mut line_start = true;
    for (at, piece) in pieces.iter().enumerate() {
        let text = match piece {
            Piece::Text { text, .. } => Some(text.as_str()),
            _ => None,
        };
        if line_start {
            match text {
                Some(text) if text.trim().is_empty() && text.ends_with('\n') => {}
                Some(text) => {
                    let indent = &text[..text.len() - text.trim_start().len()];
                    least = least.min(indent.graphemes(true).count());
                    lines.push(at);
                }
                None => least = 0,
            }
        }
        line_start = text.is_some_and(|it| it.ends_with('\n'));
    }
    for at in lines {
        let Some(Piece::Text { text, span }) = pieces.get_mut(at) else { continue };
        let bytes: usize = text.graphemes(true).take(least).map(str::len).sum();
        text.drain(..bytes);
        span.start += u32::try_from(bytes).unwrap_or(0);
    }
}
