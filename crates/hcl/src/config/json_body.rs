//! Reads JSON bodies against a schema.

use std::collections::HashMap;

use super::{
    BodyContent, BodySchema, ConfigAttribute, ConfigBlock, ConfigBody, ConfigLabel, error,
    missing_attributes, unsupported,
};
use crate::{
    Expr, ExprKind, Ident, ObjectItem, ObjectKey, UnaryOp,
    json::{JsonMember, JsonValue, ValueKind},
    native::normalized,
    parse_expression, parse_template,
};
use diagnostics::{Diagnostics, Role, Span, near_word};
use stack::guarded;

/// The key of a comment.
const COMMENT: &str = "//";

pub fn content<'a>(
    value: &'a JsonValue,
    schema: &BodySchema,
    all: bool,
) -> (BodyContent<'a>, Diagnostics) {
    let mut content = BodyContent::default();
    let mut diagnostics = Vec::new();
    let members = members(value, &mut diagnostics);
    let mut unknown = Vec::new();
    for member in &members {
        let name = &member.key;
        if schema.attributes.iter().any(|it| it.name == name) {
            add_attribute(member, &mut content, &mut diagnostics);
        } else if let Some(schema) = schema.blocks.iter().find(|it| it.kind == name) {
            let mut blocks = Blocks {
                kind: Ident { name: name.clone(), span: member.key_span },
                labels: Vec::new(),
                content: &mut content,
                diagnostics: &mut diagnostics,
            };
            blocks.unpack(&member.value, schema.labels);
        } else if all && name != COMMENT {
            let detail =
                format!("An argument or block type named \"{name}\" is not expected here.");
            let mut found = unsupported("Extraneous JSON object property", detail, member.key_span);
            let attributes = schema.attributes.iter().map(|it| it.name);
            found.help = near_word(name, attributes.chain(schema.blocks.iter().map(|it| it.kind)));
            unknown.push(found);
        }
    }
    diagnostics.extend(missing_attributes(&content, schema, value.span));
    diagnostics.extend(unknown);
    (content, diagnostics)
}

/// The members of an object, or of all objects of an array.
fn members<'a>(value: &'a JsonValue, diagnostics: &mut Diagnostics) -> Vec<&'a JsonMember> {
    match &value.kind {
        ValueKind::Null => Vec::new(),
        ValueKind::Object(members) => members.iter().collect(),
        ValueKind::Array(elements) => {
            let mut found = Vec::new();
            for element in elements {
                match &element.kind {
                    ValueKind::Object(members) => found.extend(members),
                    _ => diagnostics.push(not_an_object(element, "an object")),
                }
            }
            found
        }
        _ => {
            diagnostics.push(not_an_object(value, "an object or an array of objects"));
            Vec::new()
        }
    }
}

fn not_an_object(value: &JsonValue, expected: &str) -> diagnostics::Diagnostic {
    let detail = format!("Expected {expected}, found {}.", value.describe());
    error("Incorrect JSON value type", detail, value.start())
}

fn add_attribute<'a>(
    member: &'a JsonMember,
    content: &mut BodyContent<'a>,
    diagnostics: &mut Diagnostics,
) {
    if let Some(first) = content.attribute(&member.key) {
        let detail = format!("The argument \"{}\" may be set only once in a body.", member.key);
        let summary = "Duplicate attribute definition";
        let diagnostic = error(summary, detail, member.key_span);
        diagnostics.push(diagnostic.at_with(Role::Value, first.name.span, "first set here"));
        return;
    }
    content.attributes.push(ConfigAttribute::json(member));
}

/// Unpacks the nested objects that name a block's labels.
struct Blocks<'a, 'c> {
    kind: Ident,
    labels: Vec<ConfigLabel>,
    content: &'c mut BodyContent<'a>,
    diagnostics: &'c mut Diagnostics,
}

impl<'a> Blocks<'a, '_> {
    fn unpack(&mut self, value: &'a JsonValue, left: &[&str]) {
        let Some((label, left)) = left.split_first() else { return self.bodies(value) };
        let before = self.diagnostics.len();
        let members = members(value, self.diagnostics);
        if members.is_empty() && self.diagnostics.len() == before {
            let detail = format!(
                "Write a \"{}\" block as an object whose keys are the block's {label}.",
                self.kind.name
            );
            self.diagnostics.push(error("Missing block label", detail, value.start()));
        }
        for member in members {
            self.labels.push(ConfigLabel { text: member.key.clone(), span: member.key_span });
            self.unpack(&member.value, left);
            self.labels.pop();
        }
    }

    fn bodies(&mut self, value: &'a JsonValue) {
        match &value.kind {
            ValueKind::Null => {}
            ValueKind::Object(_) => self.push(value, value),
            ValueKind::Array(elements) => elements.iter().for_each(|it| self.push(it, value)),
            _ => self.diagnostics.push(not_an_object(value, "an object or an array of objects")),
        }
    }

    fn push(&mut self, body: &'a JsonValue, whole: &JsonValue) {
        self.content.blocks.push(ConfigBlock {
            kind: self.kind.clone(),
            labels: self.labels.clone(),
            body: ConfigBody::Json(body),
            header: whole.start(),
        });
    }
}

/// All members but comments, of one object or of all objects in an array.
pub fn everything(value: &JsonValue) -> Vec<ConfigAttribute<'_>> {
    let found = members(value, &mut Vec::new()).into_iter();
    found.filter(|it| it.key != COMMENT).map(ConfigAttribute::json).collect()
}

pub fn just_attributes(value: &JsonValue) -> (Vec<ConfigAttribute<'_>>, Diagnostics) {
    let mut content = BodyContent::default();
    let mut diagnostics = Vec::new();
    let Some(members) = value.members() else {
        diagnostics.push(not_an_object(value, "an object"));
        return (Vec::new(), diagnostics);
    };
    for member in members {
        if member.key != COMMENT {
            add_attribute(member, &mut content, &mut diagnostics);
        }
    }
    (content.attributes, diagnostics)
}

// Reads JSON values as expressions.

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
