//! Bodies of either syntax behind one interface.
//!
//! JSON does not distinguish an attribute from a block, so a body is read against a [`BodySchema`]. The rules are those
//! of HCL: any level of a JSON body may be an array, `"//"` is a comment.

mod attribute;
mod json_body;
mod json_expr;
mod native_body;

use smol_str::SmolStr;

pub use attribute::ConfigAttribute;

use super::{Body, Ident, json, parse_body};
use diagnostics::{Diagnostic, Diagnostics, FileId, Role, Span, lints};

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
            ConfigBody::Native(body) => native_body::content(body, schema, true),
            ConfigBody::Json(value) => json_body::content(value, schema, true),
        }
    }

    /// Reads the body; attributes and blocks outside of the schema are skipped.
    pub fn partial_content(self, schema: &BodySchema) -> (BodyContent<'a>, Diagnostics) {
        match self {
            ConfigBody::Native(body) => native_body::content(body, schema, false),
            ConfigBody::Json(value) => json_body::content(value, schema, false),
        }
    }

    /// All attributes, in source order. A block in native syntax is an error; in JSON everything
    /// is an attribute.
    pub fn just_attributes(self) -> (Vec<ConfigAttribute<'a>>, Diagnostics) {
        match self {
            ConfigBody::Native(body) => native_body::just_attributes(body),
            ConfigBody::Json(value) => json_body::just_attributes(value),
        }
    }

    /// All arguments and blocks of a body without a known schema. In JSON everything is an argument, and an array is
    /// one body.
    pub fn everything(self) -> (Vec<ConfigAttribute<'a>>, Vec<ConfigBlock<'a>>) {
        match self {
            ConfigBody::Native(body) => native_body::everything(body),
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
