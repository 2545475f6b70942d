//! Reads JSON values as expressions.

use std::collections::HashMap;

use super::error;
use crate::json::{JsonMember, JsonValue, ValueKind};
use crate::native::normalized;
use crate::{Expr, ExprKind, ObjectItem, ObjectKey, UnaryOp, parse_expression, parse_template};
use diagnostics::{Diagnostics, Role, Span};
use stack::guarded;

/// How to read a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As plain text.
    Literal,
    /// As a template.
    Template,
    /// As an expression.
    Expression,
}

pub fn convert(value: &JsonValue, reading: Reading) -> (Expr, Diagnostics) {
    let mut conversion = Conversion { reading, diagnostics: Vec::new() };
    let expr = conversion.value(value);
    (expr, conversion.diagnostics)
}

/// Reads blocks of one label: their labels are the keys of an object, or of objects in an array.
pub fn convert_labelled(value: &JsonValue) -> (Expr, Diagnostics) {
    let mut conversion = Conversion { reading: Reading::Template, diagnostics: Vec::new() };
    let expr = match &value.kind {
        ValueKind::Array(elements) => {
            let elements = elements.iter().map(|it| conversion.labelled(it)).collect();
            Expr { kind: ExprKind::Tuple(elements), span: value.span }
        }
        _ => conversion.labelled(value),
    };
    (expr, conversion.diagnostics)
}

struct Conversion {
    reading: Reading,
    diagnostics: Diagnostics,
}

impl Conversion {
    fn value(&mut self, value: &JsonValue) -> Expr {
        guarded(|| self.value_here(value))
    }

    fn value_here(&mut self, value: &JsonValue) -> Expr {
        let kind = match &value.kind {
            ValueKind::Null => ExprKind::Null,
            ValueKind::Bool(it) => ExprKind::Bool(*it),
            ValueKind::Number(text) => number(text, value.span),
            ValueKind::String(text) => return self.string(text, value.span),
            ValueKind::Array(elements) => {
                ExprKind::Tuple(elements.iter().map(|it| self.value(it)).collect())
            }
            ValueKind::Object(members) => ExprKind::Object(self.members(members)),
            ValueKind::Invalid => ExprKind::Invalid,
        };
        Expr { kind, span: value.span }
    }

    /// An object whose keys are labels: plain texts, each any number of times.
    fn labelled(&mut self, value: &JsonValue) -> Expr {
        let ValueKind::Object(members) = &value.kind else { return self.value(value) };
        let items = members.iter().map(|it| {
            let key = Expr { kind: ExprKind::String(it.key.clone()), span: it.key_span };
            ObjectItem { key: ObjectKey::Expr(key), value: self.value(&it.value) }
        });
        Expr { kind: ExprKind::Object(items.collect()), span: value.span }
    }

    fn string(&mut self, text: &str, span: Span) -> Expr {
        let parse = match self.reading {
            Reading::Literal => return Expr { kind: ExprKind::String(normalized(text)), span },
            // Most strings have no sequences; text and template are then the same.
            Reading::Template if !text.contains(['$', '%', '\r']) => {
                return Expr { kind: ExprKind::String(normalized(text)), span };
            }
            Reading::Template => parse_template,
            Reading::Expression => parse_expression,
        };
        let (expr, diagnostics) = parse(span.file, text.as_bytes(), span.start + 1);
        self.diagnostics.extend(diagnostics);
        expr
    }

    fn members(&mut self, members: &[JsonMember]) -> Vec<ObjectItem> {
        let mut first = HashMap::with_capacity(members.len());
        let mut items = Vec::with_capacity(members.len());
        for member in members {
            let key = match self.reading {
                Reading::Expression => {
                    Expr { kind: ExprKind::String(normalized(&member.key)), span: member.key_span }
                }
                _ => self.string(&member.key, member.key_span),
            };
            if let ExprKind::String(text) = &key.kind
                && let Some(before) = first.insert(text.clone(), member.key_span)
            {
                let detail = format!("An object can have the key \"{text}\" only once.");
                let diagnostic = error("Duplicate object attribute", detail, member.key_span);
                self.diagnostics.push(diagnostic.at_with(
                    Role::Value,
                    before,
                    "first defined here",
                ));
                first.insert(text.clone(), before);
            }
            let key = match key.kind {
                ExprKind::String(_) => ObjectKey::Expr(key),
                _ => ObjectKey::Template(key),
            };
            items.push(ObjectItem { key, value: self.value(&member.value) });
        }
        items
    }
}

/// Numbers of the native tree have no sign.
fn number(text: &str, span: Span) -> ExprKind {
    match text.strip_prefix('-') {
        None => ExprKind::Number(text.into()),
        Some(text) => {
            let operand = Expr { kind: ExprKind::Number(text.into()), span };
            ExprKind::Unary { op: UnaryOp::Negate, operand: Box::new(operand) }
        }
    }
}
