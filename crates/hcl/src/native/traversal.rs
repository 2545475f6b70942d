//! Parses the steps that follow a term: attributes, indexes and splats.

use super::{Parser, Token, TokenKind as T};
use crate::{Expr, ExprKind, SplatKind};

impl Parser<'_> {
    pub(super) fn traversed_term(&mut self) -> Expr {
        let term = self.term();
        self.steps(term)
    }

    fn steps(&mut self, mut base: Expr) -> Expr {
        while !self.lost {
            base = match self.peek_kind() {
                T::Dot => self.dot(base),
                T::OpenBracket => self.bracket(base),
                _ => break,
            };
            self.grow();
        }
        base
    }

    fn dot(&mut self, base: Expr) -> Expr {
        let dot = self.next();
        let token = self.peek();
        match token.kind {
            T::Ident | T::Number => self.simple_step(base, token),
            T::Star => {
                self.next();
                self.attribute_splat(base, dot, token)
            }
            _ => {
                let detail = "The name of an attribute is expected after the dot.";
                self.error(token, "Missing attribute name", detail);
                base
            }
        }
    }

    /// Parses `.name` or `.0`; the dot is consumed.
    fn simple_step(&mut self, base: Expr, token: Token) -> Expr {
        self.next();
        let span = base.span.to(self.span(token));
        let base = Box::new(base);
        if token.kind == T::Ident {
            return Expr { kind: ExprKind::GetAttr { base, name: self.ident(token) }, span };
        }
        if self.bytes[token.range()].contains(&b'.') {
            self.legacy_index_with_dot(token, token);
            let kind = ExprKind::Number(self.text(token).into());
            let key = Box::new(Expr { kind, span: self.span(token) });
            return Expr { kind: ExprKind::Index { base, key, legacy: true }, span };
        }
        let key = Box::new(self.number(token));
        Expr { kind: ExprKind::Index { base, key, legacy: true }, span }
    }

    fn legacy_index_with_dot(&mut self, at: Token, number: Token) {
        let number = self.text(number);
        let brackets = number.replace('.', "][");
        let diagnostic = self
            .diagnostic(at, "Two numbers after a dot", "Two indexes with dots read as one number.")
            .help(format!("Write [{brackets}] instead of .{number}."));
        self.report(diagnostic);
    }

    /// Parses `.*` and the simple steps behind it; `.*` is consumed.
    fn attribute_splat(&mut self, source: Expr, dot: Token, star: Token) -> Expr {
        let marker = self.span_between(dot, star);
        let mut each = Expr { kind: ExprKind::SplatItem, span: marker };
        while !self.lost && self.peek_kind() == T::Dot {
            self.next();
            let token = self.peek();
            match token.kind {
                T::Number if self.bytes[token.range()].contains(&b'.') => {
                    self.next();
                    self.legacy_index_with_dot(star, token);
                }
                T::Ident | T::Number => {
                    each = self.simple_step(each, token);
                    self.grow();
                }
                T::Star => self.error(
                    token,
                    "Splat inside a splat",
                    "An attribute splat (.*) cannot follow another one; use [*] instead.",
                ),
                _ => {
                    let detail = "The name of an attribute is expected after the dot.";
                    self.error(star, "Missing attribute name", detail);
                }
            }
        }
        splat(SplatKind::Attribute, source, each, marker)
    }

    fn bracket(&mut self, base: Expr) -> Expr {
        let open = self.next();
        if self.peek_kind() == T::Star {
            return self.full_splat(base, open);
        }
        let (key, close) = self.with_newlines(false, |it| {
            let key = it.expression();
            (key, it.next())
        });
        if close.kind != T::CloseBracket {
            self.unclosed_index(open, close);
        }
        let span = base.span.to(self.span(close));
        Expr {
            kind: ExprKind::Index { base: Box::new(base), key: Box::new(key), legacy: false },
            span,
        }
    }

    fn unclosed_index(&mut self, open: Token, found: Token) {
        if self.lost {
            return;
        }
        let at = self.with_newlines(false, |it| it.skip_to_bracket(found));
        let diagnostic = self
            .diagnostic(
                at,
                "Unclosed index",
                "The index is complete, so a closing bracket is expected.",
            )
            .at_with(diagnostics::Role::Value, self.span(open), "the index begins here");
        // The token here is a bracket or the end, so the scanner has not reported it.
        self.give_up(at, diagnostic);
    }

    /// Skips to the bracket that closes the index, or to the end: there HCL reports the error in
    /// between.
    fn skip_to_bracket(&mut self, mut token: Token) -> Token {
        let mut open = 0;
        loop {
            match token.kind {
                T::End => return token,
                T::CloseBracket if open == 0 => return token,
                T::CloseBracket => open -= 1,
                T::OpenBracket => open += 1,
                _ => {}
            }
            token = self.next();
        }
    }

    fn full_splat(&mut self, source: Expr, open: Token) -> Expr {
        self.next();
        let close = self.peek();
        if close.kind != T::CloseBracket {
            let detail = "A closing bracket is expected after the star of a splat.";
            self.error(close, "Unclosed splat", detail);
            return source;
        }
        self.next();
        let marker = self.span_between(open, close);
        let item = Expr { kind: ExprKind::SplatItem, span: marker };
        let each = match self.nested(|it| it.steps(item)) {
            Some(each) => each,
            None => self.invalid(close),
        };
        splat(SplatKind::Full, source, each, marker)
    }
}

fn splat(kind: SplatKind, source: Expr, each: Expr, marker: diagnostics::Span) -> Expr {
    let span = source.span.to(each.span);
    let (source, each) = (Box::new(source), Box::new(each));
    Expr { kind: ExprKind::Splat { kind, source, each, marker }, span }
}
