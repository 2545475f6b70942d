//! Bodies of either syntax behind one interface.
//!
//! JSON does not distinguish an attribute from a block, so a body is read against a [`BodySchema`]. The rules are those
//! of HCL: any level of a JSON body may be an array, `"//"` is a comment.

mod json_body;

use std::{borrow::Cow, sync::Arc};

use super::{Attribute, Block, Body, Expr, Ident, Item, json, parse_body};
use diagnostics::{Diagnostic, Diagnostics, FileId, Role, Span, lints, near_word};
use json_body::{Reading, convert, convert_labelled};
use smol_str::SmolStr;

/// The attributes and blocks that a body may hold.
#[derive(Clone, Copy, Debug)]
pub struct BodySchema {
    pub attributes: &'static [AttributeSchema],
    pub blocks: &'static [BlockSchema],
}

#[derive(Clone, Copy, Debug)]
pub struct AttributeSchema {
    pub name: &'static str,
    pub required: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct BlockSchema {
    pub kind: &'static str,
    /// The meaning of each label, for messages.
    pub labels: &'static [&'static str],
}

/// A parsed file of either syntax.
#[derive(Clone, Debug, PartialEq)]
pub enum ConfigFile {
    Native(Body),
    Json(json::JsonValue),
}

/// A body of either syntax.
#[derive(Clone, Copy, Debug)]
pub enum ConfigBody<'a> {
    Native(&'a Body),
    /// An object, or an array of objects that form one body.
    Json(&'a json::JsonValue),
}

/// The attributes and blocks found in a body.
#[derive(Clone, Debug, Default)]
pub struct BodyContent<'a> {
    /// In source order, each name once.
    pub attributes: Vec<ConfigAttribute<'a>>,
    /// In source order.
    pub blocks: Vec<ConfigBlock<'a>>,
}

/// A block of either syntax.
#[derive(Clone, Debug)]
pub struct ConfigBlock<'a> {
    /// In JSON the span includes the quotes.
    pub kind: Ident,
    pub labels: Vec<ConfigLabel>,
    pub body: ConfigBody<'a>,
    /// Native: from the type to the last label. JSON: the bracket that opens the body.
    pub header: Span,
}

/// A label: text after escapes, and its place with its quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigLabel {
    pub text: SmolStr,
    pub span: Span,
}

impl ConfigBlock<'_> {
    /// Whether the block is an element of a JSON array, whose elements share one header.
    pub fn is_in_array(&self) -> bool {
        matches!(self.body, ConfigBody::Json(value) if value.start() != self.header)
    }
}

impl ConfigFile {
    /// Parses native syntax.
    pub fn native(file: FileId, bytes: &[u8]) -> (ConfigFile, Diagnostics) {
        let (body, diagnostics) = parse_body(file, bytes);
        (ConfigFile::Native(body), diagnostics)
    }

    /// Parses JSON syntax. The root must be an object or an array of objects.
    pub fn json(file: FileId, bytes: &[u8]) -> (ConfigFile, Diagnostics) {
        let (value, mut diagnostics) = json::parse(file, bytes);
        let container =
            matches!(value.kind, json::ValueKind::Object(_) | json::ValueKind::Array(_));
        if !container && diagnostics.is_empty() {
            let detail = format!("Expected an object, found {}.", value.describe());
            diagnostics.push(
                Diagnostic::new(&lints::INVALID_SYNTAX, "The root is not a JSON object")
                    .detail(detail)
                    .at(Role::Value, value.span),
            );
        }
        (ConfigFile::Json(value), diagnostics)
    }

    pub fn body(&self) -> ConfigBody<'_> {
        match self {
            ConfigFile::Native(body) => ConfigBody::Native(body),
            ConfigFile::Json(value) => ConfigBody::Json(value),
        }
    }
}

impl<'a> ConfigBody<'a> {
    /// Reads the body; an attribute or block outside of the schema is an error.
    pub fn content(self, schema: &BodySchema) -> (BodyContent<'a>, Diagnostics) {
        match self {
            ConfigBody::Native(body) => content(body, schema, true),
            ConfigBody::Json(value) => json_body::content(value, schema, true),
        }
    }

    /// Reads the body; attributes and blocks outside of the schema are skipped.
    pub fn partial_content(self, schema: &BodySchema) -> (BodyContent<'a>, Diagnostics) {
        match self {
            ConfigBody::Native(body) => content(body, schema, false),
            ConfigBody::Json(value) => json_body::content(value, schema, false),
        }
    }

    /// All attributes, in source order. A block in native syntax is an error; in JSON everything
    /// is an attribute.
    pub fn just_attributes(self) -> (Vec<ConfigAttribute<'a>>, Diagnostics) {
        match self {
            ConfigBody::Native(body) => just_attributes(body),
            ConfigBody::Json(value) => json_body::just_attributes(value),
        }
    }

    /// All arguments and blocks of a body without a known schema. In JSON everything is an argument, and an array is
    /// one body.
    pub fn everything(self) -> (Vec<ConfigAttribute<'a>>, Vec<ConfigBlock<'a>>) {
        match self {
            ConfigBody::Native(body) => everything(body),
            ConfigBody::Json(value) => (json_body::everything(value), Vec::new()),
        }
    }

    /// Native: between the braces, or the whole file. JSON: the value.
    pub fn span(self) -> Span {
        match self {
            ConfigBody::Native(body) => body.span,
            ConfigBody::Json(value) => value.span,
        }
    }
}

impl<'a> BodyContent<'a> {
    pub fn attribute(&self, name: &str) -> Option<&ConfigAttribute<'a>> {
        self.attributes.iter().find(|it| it.name.name == name)
    }

    pub fn blocks_of<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s ConfigBlock<'a>> {
        self.blocks.iter().filter(move |it| it.kind.name == kind)
    }
}

/// Errors for required attributes that are missing, at the body's beginning.
fn missing_attributes(content: &BodyContent, schema: &BodySchema, body: Span) -> Diagnostics {
    let required = schema.attributes.iter().filter(|it| it.required);
    let missing = required.filter(|it| content.attribute(it.name).is_none());
    missing
        .map(|attribute| {
            let place = Span { end: body.start, ..body };
            Diagnostic::new(&lints::INVALID_SYNTAX, "Missing required argument")
                .detail(format!("The argument \"{}\" is required here.", attribute.name))
                .at(Role::Declaration, place)
        })
        .collect()
}

fn unsupported(summary: &str, detail: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, summary)
        .detail(detail)
        .at(Role::Declaration, span)
}

fn error(summary: impl Into<String>, detail: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::INVALID_SYNTAX, summary).detail(detail).at(Role::Value, span)
}

// An attribute of either syntax, and the ways to read its value.

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
    fn native(attribute: &'a Attribute) -> Self {
        ConfigAttribute {
            name: attribute.name.clone(),
            span: attribute.span,
            value: Source::Native(&attribute.value),
        }
    }

    fn json(member: &'a json::JsonMember) -> Self {
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

// Reads native bodies against a schema.

pub fn content<'a>(
    body: &'a Body,
    schema: &BodySchema,
    all: bool,
) -> (BodyContent<'a>, Diagnostics) {
    let mut content = BodyContent::default();
    content.attributes.reserve(body.items.len().min(schema.attributes.len()));
    let mut diagnostics = Vec::new();
    for item in &body.items {
        match item {
            Item::Attribute(it) => {
                let name = &it.name.name;
                if schema.attributes.iter().any(|it| it.name == name) {
                    content.attributes.push(ConfigAttribute::native(it));
                } else if all {
                    let block = schema.blocks.iter().any(|it| it.kind == name);
                    let detail = if block {
                        format!("\"{name}\" is a block: write it without the equals sign.")
                    } else {
                        format!("An argument named \"{name}\" is not expected here.")
                    };
                    let mut found = unsupported("Unsupported argument", detail, it.name.span);
                    found.help = near_word(name, schema.attributes.iter().map(|it| it.name));
                    diagnostics.push(found);
                }
            }
            Item::Block(it) => {
                let kind = &it.kind.name;
                if let Some(schema) = schema.blocks.iter().find(|it| it.kind == kind) {
                    match block(it, schema) {
                        Ok(block) => content.blocks.push(block),
                        Err(found) => diagnostics.extend(found),
                    }
                } else if all {
                    let attribute = schema.attributes.iter().any(|it| it.name == kind);
                    let detail = if attribute {
                        format!("\"{kind}\" is an argument: write \"{kind} = …\".")
                    } else {
                        format!("Blocks of type \"{kind}\" are not expected here.")
                    };
                    let mut found = unsupported("Unsupported block type", detail, it.kind.span);
                    found.help = near_word(kind, schema.blocks.iter().map(|it| it.kind));
                    diagnostics.push(found);
                }
            }
        }
    }
    diagnostics.extend(missing_attributes(&content, schema, body.span));
    (content, diagnostics)
}

/// All attributes and blocks, whatever their labels are.
pub fn everything(body: &Body) -> (Vec<ConfigAttribute<'_>>, Vec<ConfigBlock<'_>>) {
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for item in &body.items {
        match item {
            Item::Attribute(it) => attributes.push(ConfigAttribute::native(it)),
            Item::Block(it) => blocks.push(as_config(it)),
        }
    }
    (attributes, blocks)
}

fn block<'a>(block: &'a Block, schema: &BlockSchema) -> Result<ConfigBlock<'a>, Diagnostics> {
    let kind = &block.kind.name;
    let expected = schema.labels.len();
    if let Some(extra) = block.labels.get(expected) {
        let detail = format!("A \"{kind}\" block has {}.", labels(schema));
        let summary = format!("Extraneous label for {kind}");
        return Err(vec![error(summary, detail, extra.span)]);
    }
    if let Some(missing) = schema.labels.get(block.labels.len()) {
        let place = Span { start: block.header.end, end: block.header.end, ..block.header };
        let detail = format!("A \"{kind}\" block has {}.", labels(schema));
        let summary = format!("Missing {missing} for {kind}");
        return Err(vec![error(summary, detail, place)]);
    }
    Ok(as_config(block))
}

fn as_config(block: &Block) -> ConfigBlock<'_> {
    let found = block.labels.iter();
    ConfigBlock {
        kind: block.kind.clone(),
        labels: found.map(|it| ConfigLabel { text: it.text.clone(), span: it.span }).collect(),
        body: ConfigBody::Native(&block.body),
        header: block.header,
    }
}

fn labels(schema: &BlockSchema) -> String {
    match schema.labels {
        [] => "no labels".into(),
        [one] => format!("one label, its {one}"),
        more => format!("{} labels: {}", more.len(), more.join(", ")),
    }
}

pub fn just_attributes(body: &Body) -> (Vec<ConfigAttribute<'_>>, Diagnostics) {
    let mut attributes = Vec::new();
    let mut diagnostics = Vec::new();
    for item in &body.items {
        match item {
            Item::Attribute(it) => attributes.push(ConfigAttribute::native(it)),
            Item::Block(it) => {
                let summary = format!("Unexpected \"{}\" block", it.kind.name);
                diagnostics.push(error(summary, "Blocks are not allowed here.", it.kind.span));
            }
        }
    }
    (attributes, diagnostics)
}
