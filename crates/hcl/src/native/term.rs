//! Terms: numbers, words, calls, parentheses.

use smol_str::SmolStr;

use super::{Parser, Token, TokenKind as T};
use crate::number::is_number;
use crate::{Expr, ExprKind, Ident};

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
