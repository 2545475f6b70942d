//! Conditionals and operators.

use super::{Parser, Token, TokenKind as T};
use crate::{BinaryOp, Expr, ExprKind, Ident, SplatKind, UnaryOp, number::is_number};
use smol_str::SmolStr;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        match self.nested(Self::conditional) {
            Some(expr) => expr,
            None => self.invalid(self.peek()),
        }
    }

    fn conditional(&mut self) -> Expr {
        let condition = self.binary(0);
        if self.lost || !self.eat(T::Question) {
            return condition;
        }
        let then = self.expression();
        if self.lost {
            return Expr { kind: ExprKind::Invalid, span: condition.span.to(then.span) };
        }
        let colon = self.peek();
        if !self.eat(T::Colon) {
            self.error(
                colon,
                "Conditional without its second result",
                "The colon is missing: write CONDITION ? RESULT : RESULT.",
            );
            return Expr { kind: ExprKind::Invalid, span: condition.span.to(then.span) };
        }
        let otherwise = self.expression();
        let span = condition.span.to(otherwise.span);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Expr { kind, span }
    }

    /// Parses operators of at least this precedence, which all associate to the left.
    fn binary(&mut self, least: u8) -> Expr {
        let mut left = self.unary();
        while !self.lost {
            let token = self.peek();
            let Some((precedence, op)) = operator(token.kind) else { break };
            if precedence < least {
                break;
            }
            self.next();
            let right = self.binary(precedence + 1);
            let span = left.span.to(right.span);
            let op_span = self.span(token);
            let (left_box, right) = (Box::new(left), Box::new(right));
            left = Expr { kind: ExprKind::Binary { op, left: left_box, right, op_span }, span };
            self.grow();
        }
        left
    }

    fn unary(&mut self) -> Expr {
        let token = self.peek();
        let op = match token.kind {
            T::Minus => UnaryOp::Negate,
            T::Not => UnaryOp::Not,
            _ => return self.traversed_term(),
        };
        self.next();
        let operand = match self.nested(Self::unary) {
            Some(operand) => operand,
            None => self.invalid(token),
        };
        let span = self.span(token).to(operand.span);
        Expr { kind: ExprKind::Unary { op, operand: Box::new(operand) }, span }
    }
}

fn operator(kind: T) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        T::Or => (0, BinaryOp::Or),
        T::And => (1, BinaryOp::And),
        T::Equal => (2, BinaryOp::Equal),
        T::NotEqual => (2, BinaryOp::NotEqual),
        T::Greater => (3, BinaryOp::Greater),
        T::GreaterOrEqual => (3, BinaryOp::GreaterOrEqual),
        T::Less => (3, BinaryOp::Less),
        T::LessOrEqual => (3, BinaryOp::LessOrEqual),
        T::Plus => (4, BinaryOp::Add),
        T::Minus => (4, BinaryOp::Subtract),
        T::Star => (5, BinaryOp::Multiply),
        T::Slash => (5, BinaryOp::Divide),
        T::Percent => (5, BinaryOp::Modulo),
        _ => return None,
    })
}

// Terms: numbers, words, calls, parentheses.

impl Parser<'_> {
    pub(super) fn term(&mut self) -> Expr {
        let token = self.peek();
        match token.kind {
            T::Ident => self.word(),
            T::OpenQuote => self.quoted(),
            T::Number => {
                self.next();
                self.number(token)
            }
            T::OpenBracket => self.tuple_or_for(),
            T::OpenBrace => self.object_or_for(),
            T::OpenHeredoc => self.heredoc(),
            T::OpenParen => self.parenthesised(),
            T::End => {
                self.error(
                    token,
                    "Missing expression",
                    "The text ends where a value should begin.",
                );
                self.invalid(token)
            }
            _ => {
                let diagnostic =
                    self.diagnostic(token, "Invalid expression", "A value should begin here.");
                let is_marker = self.text(token) == "<";
                let diagnostic = if is_marker {
                    diagnostic.help(
                        "To begin a heredoc, write <<EOT without spaces, and nothing after it on \
                         its line.",
                    )
                } else {
                    diagnostic
                };
                self.give_up(token, diagnostic);
                self.invalid(token)
            }
        }
    }

    pub(super) fn number(&mut self, token: Token) -> Expr {
        let text = self.text(token);
        if !is_number(&text) {
            let diagnostic = self.diagnostic(
                token,
                "Invalid number",
                format!("\"{text}\" is not a number that Terraform can represent."),
            );
            self.report(diagnostic);
        }
        Expr { kind: ExprKind::Number(SmolStr::from(text)), span: self.span(token) }
    }

    fn word(&mut self) -> Expr {
        let token = self.next();
        if matches!(self.peek_kind(), T::OpenParen | T::DoubleColon) {
            return self.call(token);
        }
        let kind = match &self.bytes[token.range()] {
            b"true" => ExprKind::Bool(true),
            b"false" => ExprKind::Bool(false),
            b"null" => ExprKind::Null,
            _ => ExprKind::Variable(SmolStr::from(self.text(token))),
        };
        Expr { kind, span: self.span(token) }
    }

    fn parenthesised(&mut self) -> Expr {
        let open = self.next();
        let (inner, close) = self.with_newlines(false, |it| {
            let inner = it.expression();
            (inner, it.next())
        });
        if close.kind != T::CloseParen {
            self.error(
                close,
                "Unbalanced parentheses",
                "The expression in parentheses is complete, so a closing parenthesis is expected.",
            );
        }
        let span = self.span_between(open, close);
        Expr { kind: ExprKind::Paren(Box::new(inner)), span }
    }

    fn call(&mut self, first: Token) -> Expr {
        let mut name = self.ident(first);
        while self.eat(T::DoubleColon) {
            let part = self.peek();
            if part.kind != T::Ident {
                let detail = "The name of a function is expected after the two colons.";
                self.error(part, "Missing function name", detail);
                return self.invalid(first);
            }
            self.next();
            name.name = format!("{}::{}", name.name, self.text(part)).into();
            name.span = self.span_between(first, part);
        }
        let open = self.peek();
        if open.kind != T::OpenParen {
            let detail = "A name with colons is a function: write its arguments in parentheses.";
            self.error(open, "Missing opening parenthesis", detail);
            return self.invalid(first);
        }
        self.next();
        self.with_newlines(false, |it| it.arguments(first, open, name))
    }

    fn arguments(&mut self, first: Token, open: Token, name: Ident) -> Expr {
        let mut args = Vec::new();
        let mut expand = false;
        let close = loop {
            if self.peek_kind() == T::CloseParen {
                break self.next();
            }
            args.push(self.expression());
            if self.lost {
                break self.peek();
            }
            let token = self.next();
            match token.kind {
                T::Comma => {}
                T::CloseParen => break token,
                T::Ellipsis => {
                    expand = true;
                    if self.peek_kind() != T::CloseParen {
                        let detail = "Only the last argument can be expanded with \"...\".";
                        self.error(token, "Missing closing parenthesis", detail);
                        break token;
                    }
                }
                T::End => {
                    let at = Token { start: first.start, ..open };
                    let detail = "The parenthesis of this call is never closed.";
                    self.error(at, "Unclosed function call", detail);
                    break token;
                }
                _ => {
                    let detail = "Separate the arguments of a function with commas.";
                    self.error(token, "Missing comma between arguments", detail);
                    break token;
                }
            }
        };
        let span = self.span_between(first, close);
        Expr { kind: ExprKind::Call { name, args, expand }, span }
    }
}

// Parses the steps that follow a term: attributes, indexes and splats.

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
