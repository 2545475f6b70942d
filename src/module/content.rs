//! What a body holds once a schema has told arguments from blocks.

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{INVALID_VARIABLE, UNSUPPORTED_ARGUMENT};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span},
    syntax::{Attribute, Block, Body, Ident, Item},
};

/// The names that a body may hold.
pub(super) struct Schema {
    pub attributes: &'static [&'static str],
    pub required: &'static [&'static str],
    pub blocks: &'static [BlockKind],
}

/// A block type and what its labels are called.
pub(super) struct BlockKind {
    pub name: &'static str,
    pub labels: &'static [&'static str],
}

/// Arguments by name and blocks in source order.
pub(super) struct Content<'a> {
    pub attributes: IndexMap<SmolStr, &'a Attribute>,
    pub blocks: Vec<&'a Block>,
}

/// Sorts a body's items. An item that the schema does not know, a missing argument and a wrong
/// number of labels are diagnostics, the last two of `rule`; such a block is left out.
pub(super) fn content<'a>(
    body: &'a Body,
    schema: &Schema,
    rule: &'static str,
    diagnostics: &mut Diagnostics,
) -> Content<'a> {
    let mut content = Content { attributes: IndexMap::new(), blocks: Vec::new() };
    for item in &body.items {
        match item {
            Item::Attribute(it) if schema.attributes.contains(&it.name.name.as_str()) => {
                content.attributes.entry(it.name.name.clone()).or_insert(it);
            }
            Item::Attribute(it) => diagnostics.push(unsupported("argument", &it.name)),
            Item::Block(it) => match schema.blocks.iter().find(|kind| kind.name == it.kind.name) {
                Some(kind) => match check_labels(it, kind, rule) {
                    None => content.blocks.push(it),
                    Some(problem) => diagnostics.push(problem),
                },
                None => diagnostics.push(unsupported("block type", &it.kind)),
            },
        }
    }
    for name in schema.required {
        if !content.attributes.contains_key(*name) {
            diagnostics.push(missing(rule, name, body.span));
        }
    }
    content
}

pub(super) fn unsupported(what: &str, name: &Ident) -> Diagnostic {
    Diagnostic::error(UNSUPPORTED_ARGUMENT, format!("Unsupported {what}"))
        .detail(format!("\"{}\" is not expected here.", name.name))
        .at(Role::Declaration, name.span)
}

/// The argument is required in the body, and is not there.
pub(super) fn missing(rule: &'static str, name: &str, body: Span) -> Diagnostic {
    let start = Span { end: body.start + 1, ..body };
    Diagnostic::error(rule, "Missing required argument")
        .detail(format!("The argument \"{name}\" is required here."))
        .at(Role::Declaration, start)
}

fn check_labels(block: &Block, kind: &BlockKind, rule: &'static str) -> Option<Diagnostic> {
    let (given, wanted) = (block.labels.len(), kind.labels.len());
    if given == wanted {
        return None;
    }
    let is_variable = kind.name == "variable";
    let rule = if is_variable { INVALID_VARIABLE } else { rule };
    let names = kind.labels.join(", ");
    let labels =
        if names.is_empty() { "no labels".to_owned() } else { format!("the labels: {names}") };
    let detail = format!("A \"{}\" block has {labels}.", kind.name);
    let diagnostic = match block.labels.get(wanted) {
        Some(extra) => Diagnostic::error(rule, format!("Extraneous label for {}", kind.name))
            .at(Role::Declaration, extra.span),
        None => {
            let missing = kind.labels.get(given).unwrap_or(&"name");
            Diagnostic::error(rule, format!("Missing {missing} for {}", kind.name))
                .at(Role::Declaration, block.header)
        }
    };
    let diagnostic = diagnostic.detail(detail);
    Some(match block.labels.first() {
        Some(name) if is_variable => diagnostic.variable(name.text.clone()),
        _ => diagnostic,
    })
}
