//! Tuples, objects and `for` expressions.

use super::{Parser, Token, TokenKind as T};
use crate::{Expr, ExprKind, ForExpr, Ident, ObjectItem, ObjectKey};
use diagnostics::{Diagnostic, Role, lints};

impl Parser<'_> {
    pub(super) fn tuple_or_for(&mut self) -> Expr {
        let open = self.next();
        self.with_newlines(false, |it| {
            if it.is_word(it.peek(), "for") { it.for_expr(open) } else { it.tuple(open) }
        })
    }

    pub(super) fn object_or_for(&mut self) -> Expr {
        let open = self.next();
        let is_for = self.with_newlines(false, |it| it.is_word(it.peek(), "for"));
        self.with_newlines(!is_for, |it| if is_for { it.for_expr(open) } else { it.object(open) })
    }

    fn tuple(&mut self, open: Token) -> Expr {
        let mut items = Vec::new();
        let close = loop {
            if self.peek_kind() == T::CloseBracket {
                break self.next();
            }
            items.push(self.expression());
            if self.lost {
                break self.peek();
            }
            let token = self.next();
            match token.kind {
                T::Comma => {}
                T::CloseBracket => break token,
                T::End => {
                    self.error(open, "Unclosed list", "This bracket is never closed.");
                    break token;
                }
                _ => {
                    let detail = "Separate the elements of a list with commas.";
                    self.error(token, "Missing comma between elements", detail);
                    break token;
                }
            }
        };
        Expr { kind: ExprKind::Tuple(items), span: self.span_between(open, close) }
    }

    fn object(&mut self, open: Token) -> Expr {
        let mut items = Vec::new();
        let close = loop {
            match self.peek_kind() {
                T::Newline => {
                    self.next();
                    continue;
                }
                T::CloseBrace => break self.next(),
                _ => {}
            }
            let Some(item) = self.object_item(open) else { break self.peek() };
            items.push(item);
            let token = self.next();
            match token.kind {
                T::Comma | T::Newline => {}
                T::CloseBrace => break token,
                T::End => {
                    self.unclosed_object(open);
                    break token;
                }
                _ => {
                    let detail = "Separate the attributes of an object with commas or line breaks.";
                    self.error(token, "Missing separator between attributes", detail);
                    break token;
                }
            }
        };
        Expr { kind: ExprKind::Object(items), span: self.span_between(open, close) }
    }

    fn object_item(&mut self, open: Token) -> Option<ObjectItem> {
        let key = self.expression();
        if self.lost {
            return None;
        }
        let separator = self.next();
        match separator.kind {
            T::Assign | T::Colon => {}
            T::End => self.unclosed_object(open),
            T::Newline | T::Comma => {
                let detail = "Each attribute of an object needs a value: key = value.";
                self.error(separator, "Missing value of an attribute", detail);
            }
            _ => {
                let detail = "Write = or : between the key and the value of an attribute.";
                self.error(separator, "Missing = after a key", detail);
            }
        }
        if self.lost {
            return None;
        }
        let value = self.expression();
        (!self.lost).then(|| ObjectItem { key: object_key(key), value })
    }

    fn unclosed_object(&mut self, open: Token) {
        self.error(open, "Unclosed object", "This brace is never closed.");
    }

    /// Parses a `for` expression after its opening bracket or brace.
    fn for_expr(&mut self, open: Token) -> Expr {
        match self.for_parts(open) {
            Some((parts, close)) => {
                let span = self.span_between(open, close);
                Expr { kind: ExprKind::For(Box::new(parts)), span }
            }
            None => self.invalid(open),
        }
    }

    fn for_parts(&mut self, open: Token) -> Option<(ForExpr, Token)> {
        self.next();
        let is_object = open.kind == T::OpenBrace;
        let (key_name, value_name) = self.for_names("Invalid 'for' expression")?;
        let collection = self.expression();
        self.expect(T::Colon, "A colon is expected after the collection.")?;
        let mut value = self.expression();
        let mut key = None;
        if !self.lost && self.eat(T::Arrow) {
            key = Some(std::mem::replace(&mut value, self.expression()));
        }
        if self.lost {
            return None;
        }
        let ellipsis = self.peek();
        let group = self.eat(T::Ellipsis);
        let condition = if self.is_word(self.peek(), "if") {
            self.next();
            Some(self.expression())
        } else {
            None
        };
        let end = if is_object { T::CloseBrace } else { T::CloseBracket };
        let close =
            self.expect(end, "The expression is complete, so its closing bracket is expected.")?;
        self.check_for(is_object, key.as_ref(), &value, group.then_some(ellipsis));
        let parts = ForExpr { key_name, value_name, collection, key, value, condition, group };
        Some((parts, close))
    }

    fn check_for(
        &mut self,
        is_object: bool,
        key: Option<&Expr>,
        value: &Expr,
        group: Option<Token>,
    ) {
        let mut complain = |span, detail: &str| {
            let summary = "Invalid 'for' expression";
            let diagnostic = Diagnostic::new(&lints::INVALID_SYNTAX, summary).detail(detail);
            self.add_diagnostic(diagnostic.at(Role::Value, span));
        };
        match key {
            Some(key) if !is_object => {
                complain(key.span, "A list has no keys: remove \"=>\", or write {for …}.");
            }
            None if is_object => {
                complain(value.span, "An object needs keys: write {for … : KEY => VALUE}.");
            }
            _ => {}
        }
        if let Some(group) = group
            && !is_object
        {
            let detail = "Only objects can group values with \"...\".";
            let diagnostic = self.diagnostic(group, "Invalid 'for' expression", detail);
            self.add_diagnostic(diagnostic);
        }
    }

    /// Parses `v in` or `k, v in`.
    pub(super) fn for_names(&mut self, summary: &str) -> Option<(Option<Ident>, Ident)> {
        let first = self.for_name(summary)?;
        let (key, value) =
            if self.eat(T::Comma) { (Some(first), self.for_name(summary)?) } else { (None, first) };
        let token = self.peek();
        if !self.is_word(token, "in") {
            self.error(token, summary, "The word \"in\" is expected behind the names.");
            return None;
        }
        self.next();
        Some((key, value))
    }

    fn for_name(&mut self, summary: &str) -> Option<Ident> {
        let token = self.peek();
        if token.kind != T::Ident {
            self.error(token, summary, "A name for the element is expected here.");
            return None;
        }
        self.next();
        Some(self.ident(token))
    }

    fn expect(&mut self, kind: T, detail: &str) -> Option<Token> {
        if self.lost {
            return None;
        }
        let token = self.peek();
        if token.kind != kind {
            self.error(token, "Invalid 'for' expression", detail);
            return None;
        }
        Some(self.next())
    }
}

/// The key of an item: a single bare word is a name.
fn object_key(key: Expr) -> ObjectKey {
    let name = match &key.kind {
        ExprKind::Variable(name) => name.clone(),
        ExprKind::Bool(true) => "true".into(),
        ExprKind::Bool(false) => "false".into(),
        ExprKind::Null => "null".into(),
        _ => return ObjectKey::Expr(key),
    };
    ObjectKey::Name(Ident { name, span: key.span })
}
