//! An attribute of either syntax, and the ways to read its value.

use std::{borrow::Cow, sync::Arc};

use super::json_expr::{Reading, convert, convert_labelled};
use crate::{Attribute, Expr, Ident, json};
use diagnostics::{Diagnostics, Span};

/// An attribute of a body.
#[derive(Clone, Debug)]
pub struct ConfigAttribute<'a> {
    /// In JSON the span includes the quotes.
    pub name: Ident,
    /// From the name to the end of the value.
    pub span: Span,
    value: Source<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Native(&'a Arc<Expr>),
    Json(&'a json::JsonValue),
}

impl<'a> ConfigAttribute<'a> {
    pub(super) fn native(attribute: &'a Attribute) -> Self {
        ConfigAttribute {
            name: attribute.name.clone(),
            span: attribute.span,
            value: Source::Native(&attribute.value),
        }
    }

    pub(super) fn json(member: &'a json::JsonMember) -> Self {
        ConfigAttribute {
            name: Ident { name: member.key.clone(), span: member.key_span },
            span: member.key_span.to(member.value.span),
            value: Source::Json(&member.value),
        }
    }

    /// The value as an expression. In JSON, strings and keys are templates; spans inside them are
    /// those of the text after escapes.
    pub fn expression(&self) -> (Cow<'a, Expr>, Diagnostics) {
        self.read(Reading::Template)
    }

    /// As [`ConfigAttribute::expression`], to be kept.
    pub fn shared_expression(&self) -> (Arc<Expr>, Diagnostics) {
        if let Source::Native(expr) = self.value {
            return (Arc::clone(expr), Vec::new());
        }
        let (expr, diagnostics) = self.expression();
        (Arc::new(expr.into_owned()), diagnostics)
    }

    /// Like [`ConfigAttribute::shared_expression`]. In JSON the value is blocks whose one label is a key, and that key
    /// is not a template.
    pub fn labelled_expression(&self) -> (Arc<Expr>, Diagnostics) {
        let Source::Json(value) = self.value else { return self.shared_expression() };
        let (expr, diagnostics) = convert_labelled(value);
        (Arc::new(expr), diagnostics)
    }

    /// The value as written. In JSON, strings and keys are plain text, and a repeated key is an error,
    /// which counts only if the value is used.
    pub fn literal(&self) -> (Cow<'a, Expr>, Diagnostics) {
        self.read(Reading::Literal)
    }

    /// The value for static analysis: keywords, traversals, calls, types. In JSON, the content of a
    /// string is parsed as an expression: `"list(string)"`.
    pub fn static_expression(&self) -> (Cow<'a, Expr>, Diagnostics) {
        self.read(Reading::Expression)
    }

    fn read(&self, reading: Reading) -> (Cow<'a, Expr>, Diagnostics) {
        match self.value {
            Source::Native(expr) => (Cow::Borrowed(expr), Vec::new()),
            Source::Json(value) => {
                let (expr, diagnostics) = convert(value, reading);
                (Cow::Owned(expr), diagnostics)
            }
        }
    }

    /// The value, if it is JSON.
    pub fn json_value(&self) -> Option<&'a json::JsonValue> {
        match self.value {
            Source::Native(_) => None,
            Source::Json(value) => Some(value),
        }
    }

    /// The place of the value.
    pub fn value_span(&self) -> Span {
        match self.value {
            Source::Native(expr) => expr.span,
            Source::Json(value) => value.span,
        }
    }
}
