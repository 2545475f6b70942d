//! Reads `output` blocks: the verdict needs their values and preconditions.

use super::{Output, depends_on, names, reader::BlockReader, rule};
use hcl::config::{AttributeSchema, BlockSchema, BodySchema, ConfigBlock};
use release::changes;

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "description", required: false },
        AttributeSchema { name: "value", required: false },
        AttributeSchema { name: "sensitive", required: false },
        AttributeSchema { name: "ephemeral", required: false },
        AttributeSchema { name: "depends_on", required: false },
        AttributeSchema { name: "deprecated", required: false },
        AttributeSchema { name: "type", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "precondition", labels: &[] },
        BlockSchema { kind: "postcondition", labels: &[] },
    ],
};

/// Reads an `output` block, which has its one label.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Output> {
    let label = block.labels.first()?;
    let kind = "output name";
    reader.diagnostics.extend(names::check(reader.rule, kind, &label.text, label.span));
    let content = reader.content(block.body, &SCHEMA);
    let argument = |name: &str| content.attribute(name);
    if argument("value").is_none() && !reader.is_override {
        let detail = "The argument \"value\" is required here.";
        reader.error("Missing required argument", detail, block.header);
    }
    reader.since(argument("ephemeral"), &changes::EPHEMERAL);
    reader.since(argument("deprecated"), &changes::DEPRECATED);
    reader.since(argument("type"), &changes::OUTPUT_TYPE);
    let mut output = Output {
        name: label.text.clone(),
        description: reader.string(argument("description")),
        value: argument("value").map(|it| reader.expression(it)),
        sensitive: reader.bool(argument("sensitive")),
        ephemeral: reader.bool(argument("ephemeral")),
        deprecated: reader.string(argument("deprecated")),
        constraint: argument("type").map(|it| reader.type_constraint(it)),
        preconditions: Vec::new(),
        depends_on: depends_on::read(reader, argument("depends_on")),
        span: block.header,
    };
    for it in &content.blocks {
        if reader.is_override {
            let summary = format!("Can't override {} blocks", it.kind.name);
            let detail = "An override file cannot change an output's conditions.";
            reader.error(&summary, detail, it.header);
        } else if it.kind.name == "precondition" {
            reader.came_with(&changes::PRECONDITION, "\"precondition\"", it.header);
            output.preconditions.extend(rule::read_condition(reader, it, "precondition"));
        } else {
            let detail = "An output can have preconditions, but no postconditions.";
            reader.error("Postconditions are not allowed", detail, it.header);
        }
    }
    Some(output)
}
