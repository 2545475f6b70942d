//! Reads `output` blocks: the verdict needs their values and preconditions.

use super::{
    Output,
    content::{BlockKind, Schema, content, missing},
    names,
    reader::Reader,
    rule,
};
use crate::{syntax::Block, version::Version};

const SCHEMA: Schema = Schema {
    attributes: &["description", "value", "sensitive", "ephemeral", "depends_on", "deprecated"],
    required: &[],
    blocks: &[
        BlockKind { name: "precondition", labels: &[] },
        BlockKind { name: "postcondition", labels: &[] },
    ],
};

/// Reads an `output` block, which has its one label.
pub(super) fn read(reader: &mut Reader<'_>, block: &Block) -> Option<Output> {
    let label = block.labels.first()?;
    let kind = "output name";
    reader.diagnostics.extend(names::check(reader.rule, kind, &label.text, label.span));
    let content = content(&block.body, &SCHEMA, reader.rule, &mut reader.diagnostics);
    let argument = |name: &str| content.attributes.get(name).copied();
    if argument("value").is_none() && !reader.is_override {
        reader.diagnostics.push(missing(reader.rule, "value", block.body.span));
    }
    reader.since(argument("deprecated"), Version::new(1, 15, 0));
    reader.string(argument("description"));
    let mut output = Output {
        name: label.text.clone(),
        value: argument("value").map(|it| it.value.clone()),
        sensitive: reader.bool(argument("sensitive")),
        ephemeral: reader.bool(argument("ephemeral")),
        preconditions: Vec::new(),
        span: block.header,
    };
    for it in content.blocks {
        if reader.is_override {
            let summary = format!("Can't override {} blocks", it.kind.name);
            let detail = "An override file cannot change an output's conditions.";
            reader.error(&summary, detail, it.header);
        } else if it.kind.name == "precondition" {
            output.preconditions.extend(rule::read_precondition(reader, it));
        } else {
            let detail = "An output can have preconditions only.";
            reader.error("Postconditions are not allowed", detail, it.header);
        }
    }
    Some(output)
}
