//! Strings, heredocs and bare templates.

use std::{borrow::Cow, iter::Peekable};

use super::{Parser, Token, TokenKind as T};
use crate::{
    Expr, ExprKind, TemplatePart,
    native::sequence::{Marker, Piece},
};
use diagnostics::{Diagnostic, Role, Span, lints};
use smol_str::SmolStr;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

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

// Text of strings: escapes and normalisation.

impl Parser<'_> {
    /// The text of a text token, after escapes. Wrong escapes are reported and kept as written.
    pub(super) fn decoded(&mut self, token: Token) -> Cow<'_, str> {
        let text = self.text(token);
        let quoted = token.kind == T::QuotedText;
        let plain = if quoted {
            memchr::memchr3(b'\\', b'$', b'%', text.as_bytes()).is_none()
        } else {
            memchr::memchr2(b'$', b'%', text.as_bytes()).is_none()
        };
        if plain {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = memchr::memchr3(b'\\', b'$', b'%', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with("$${") || rest.starts_with("%%{") {
                out.push_str(&rest[1..3]);
                rest = &rest[3..];
            } else if quoted && rest.starts_with('\\') {
                let len = match escape(rest) {
                    Ok((char, len)) => {
                        out.push(char);
                        len
                    }
                    Err(len) => {
                        let start = token.start + clamp(text.len() - rest.len());
                        self.bad_escape(Token { start, end: start + clamp(len), ..token }, rest);
                        out.push_str(&rest[..len]);
                        len
                    }
                };
                rest = &rest[len..];
            } else {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    fn bad_escape(&mut self, at: Token, rest: &str) {
        let help = match rest.chars().nth(1) {
            Some('u') => "Write four hexadecimal digits after \\u: \\u00e9.",
            Some('U') => "Write eight hexadecimal digits after \\U: \\U0001f600.",
            Some('$' | '%') => "Write $${ for a literal ${, and %%{ for a literal %{.",
            _ => {
                "The escapes are \\n, \\r, \\t, \\\", \\\\, \\uXXXX and \\UXXXXXXXX; write \\\\ \
                for a backslash."
            }
        };
        let diagnostic = self
            .diagnostic(
                at,
                "Invalid escape sequence",
                "This backslash does not begin a known \
                escape sequence.",
            )
            .help(help);
        self.report(diagnostic);
    }
}

/// Text as HCL keeps it: Unicode NFC.
pub fn normalized(text: &str) -> SmolStr {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return SmolStr::new(text);
    }
    text.nfc().collect()
}

/// The character and the length of the escape at the start of `text`. Errors: the length of the wrong
/// part.
fn escape(text: &str) -> Result<(char, usize), usize> {
    let Some(letter) = text[1..].chars().next() else { return Err(1) };
    let char = match letter {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '"' | '\\' => letter,
        'u' => return code_point(text, 4),
        'U' => return code_point(text, 8),
        _ => return Err(1 + letter.len_utf8()),
    };
    Ok((char, 2))
}

fn code_point(text: &str, digits: usize) -> Result<(char, usize), usize> {
    let found = text[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let len = 2 + found;
    if found < digits {
        return Err(len);
    }
    let code = u32::from_str_radix(&text[2..len], 16).map_err(|_| len)?;
    char::from_u32(code).map(|it| (it, len)).ok_or(len)
}

fn clamp(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

// Builds the tree from flat pieces: matches `if` with `endif` and `for` with `endfor`.

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
