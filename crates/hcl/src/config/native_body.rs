//! Reads native bodies against a schema.

use super::{
    BlockSchema, BodyContent, BodySchema, ConfigAttribute, ConfigBlock, ConfigBody, ConfigLabel,
    error, missing_attributes, unsupported,
};
use crate::{Block, Body, Item};
use diagnostics::{Diagnostics, Span, near_word};

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
