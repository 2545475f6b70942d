//! Bodies of JSON syntax in the form of the recorded data (`tests/data/syntax/README.md`).

use diagnostics::{Diagnostics, FileId, Span};
use hcl::config::{
    AttributeSchema, BlockSchema, BodyContent, BodySchema, ConfigAttribute, ConfigBlock,
    ConfigBody, ConfigFile,
};
use hcl::{ExprKind, json as spanned, parse_template};
use serde_json::{Value, json};

use super::{number, tree};

const fn optional(name: &'static str) -> AttributeSchema {
    AttributeSchema { name, required: false }
}

const ROOT: BodySchema = BodySchema {
    attributes: &[optional("title"), optional("count")],
    blocks: &[
        BlockSchema { kind: "variable", labels: &["name"] },
        BlockSchema { kind: "settings", labels: &[] },
        BlockSchema { kind: "rule", labels: &["kind", "name"] },
    ],
};
const BLOCK: BodySchema = BodySchema {
    attributes: &[optional("type"), optional("default"), optional("description")],
    blocks: &[BlockSchema { kind: "validation", labels: &[] }],
};
const VALIDATION: BodySchema =
    BodySchema { attributes: &[optional("condition"), optional("error_message")], blocks: &[] };

pub fn file(bytes: &[u8]) -> (Value, Diagnostics) {
    let (file, diagnostics) = ConfigFile::json(FileId::default(), bytes);
    if !diagnostics.is_empty() {
        return (Value::Null, diagnostics);
    }
    let (attributes, errors) = file.body().just_attributes();
    let just = json!({"attributes": all(&attributes), "errors": self::errors(&errors)});
    (json!({"content": content(file.body(), &ROOT), "just": just}), diagnostics)
}

fn content(body: ConfigBody<'_>, schema: &BodySchema) -> Value {
    let (BodyContent { attributes, blocks, .. }, diagnostics) = body.content(schema);
    let blocks: Vec<Value> = blocks.iter().map(block).collect();
    json!({"attributes": all(&attributes), "blocks": blocks, "errors": errors(&diagnostics)})
}

fn block(it: &ConfigBlock<'_>) -> Value {
    let schema = if it.kind.name == "validation" { &VALIDATION } else { &BLOCK };
    let labels = it.labels.iter();
    let labels: Value =
        labels.map(|it| node("label", it.span, vec![json!(it.text.as_str())])).collect();
    let rest = vec![
        json!(it.kind.name.as_str()),
        labels,
        json!(it.header.start),
        json!(it.header.end),
        content(it.body, schema),
    ];
    node("block", it.kind.span, rest)
}

fn all(attributes: &[ConfigAttribute<'_>]) -> Value {
    let mut attributes: Vec<_> = attributes.iter().collect();
    attributes.sort_by_key(|it| it.span.start);
    attributes
        .iter()
        .map(|it| {
            let (_, diagnostics) = it.literal();
            let value = value(it.json_value().unwrap());
            node("attr", it.span, vec![json!(it.name.name.as_str()), value, errors(&diagnostics)])
        })
        .collect()
}

fn value(it: &spanned::JsonValue) -> Value {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || value_here(it))
}

fn value_here(it: &spanned::JsonValue) -> Value {
    match &it.kind {
        spanned::ValueKind::Null => node("null", it.span, vec![]),
        spanned::ValueKind::Bool(value) => node("bool", it.span, vec![json!(value)]),
        spanned::ValueKind::Number(text) => {
            let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |it| ("-", it));
            node("num", it.span, vec![json!(format!("{sign}{}", number::canonical(text)))])
        }
        spanned::ValueKind::String(text) => string(text, it.span),
        spanned::ValueKind::Array(elements) => {
            node("arr", it.span, vec![elements.iter().map(value).collect()])
        }
        spanned::ValueKind::Object(members) => {
            let members =
                members.iter().map(|it| json!([string(&it.key, it.key_span), value(&it.value)]));
            node("obj", it.span, vec![members.collect()])
        }
        spanned::ValueKind::Invalid => node("invalid", it.span, vec![]),
    }
}

fn string(text: &str, span: Span) -> Value {
    use unicode_normalization::UnicodeNormalization;
    let normalized: String = text.nfc().collect();
    let mut rest = vec![json!(normalized)];
    let (template, diagnostics) = parse_template(span.file, text.as_bytes(), span.start + 1);
    if !diagnostics.is_empty() {
        rest.push(json!({"errors": errors(&diagnostics[..1])}));
    } else if !matches!(&template.kind, ExprKind::String(it) if *it == normalized) {
        rest.push(json!({"template": tree::expr(&template)}));
    }
    node("str", span, rest)
}

fn errors(diagnostics: &[diagnostics::Diagnostic]) -> Value {
    let places = diagnostics.iter().map(|it| it.span().unwrap());
    places.map(|it| json!([it.start, it.end])).collect()
}

/// The recorded tree with errors as places alone, each once; of a template's only the first.
pub fn recorded(tree: &Value) -> Value {
    match tree {
        Value::Array(items) if is_error(items.first()) => {
            let mut places: Vec<Value> = Vec::new();
            for error in items {
                let place = json!([error["start"], error["end"]]);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            Value::Array(places)
        }
        Value::Array(items) => items.iter().map(recorded).collect(),
        Value::Object(map) if map.len() == 1 && map.contains_key("errors") => {
            json!({"errors": [recorded(&map["errors"])[0]]})
        }
        Value::Object(map) => map.iter().map(|(key, it)| (key.clone(), recorded(it))).collect(),
        other => other.clone(),
    }
}

fn is_error(it: Option<&Value>) -> bool {
    it.is_some_and(|it| it.get("summary").is_some())
}

fn node(kind: &str, span: Span, rest: Vec<Value>) -> Value {
    let mut all = vec![json!(kind), json!(span.start), json!(span.end)];
    all.extend(rest);
    Value::Array(all)
}
