//! Reads `provisioner` and `connection` blocks.

use super::{refuse_reserved, refuse_second, static_expression, word};
use crate::{Connection, Provisioner, WrittenBody, body::NOTHING, reader::BlockReader};
use hcl::{
    Expr,
    config::{AttributeSchema, BlockSchema, BodyContent, BodySchema, ConfigBlock},
};
use tf_eval::{ReferenceStep, references};

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "when", required: false },
        AttributeSchema { name: "on_failure", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "connection", labels: &[] },
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "_", labels: &[] },
    ],
};

/// Provisioners that were part of Terraform.
const REMOVED: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// Reads a `provisioner` block.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Provisioner> {
    let (content, problems) = block.body.partial_content(&SCHEMA);
    reader.add(problems);
    refuse_second(reader, &content, &["connection", "_"]);
    refuse_reserved(reader, &content, &["lifecycle"], "provisioner");
    let words = [("when", ["create", "destroy"]), ("on_failure", ["continue", "fail"])];
    let mut is_of_destruction = false;
    for (name, [one, other]) in words {
        let Some(argument) = content.attribute(name) else { continue };
        let expr = static_expression(reader, argument);
        is_of_destruction |= word(&expr) == Some("destroy");
        if !word(&expr).is_some_and(|it| it == one || it == other) {
            let detail = format!("The value must be {one} or {other}.");
            reader.error(&format!("Invalid \"{name}\" keyword"), detail, argument.value_span());
        }
    }
    let label = block.labels.first()?;
    if REMOVED.contains(&label.text.as_str()) {
        let detail = "Terraform 0.15 removed it.";
        let summary = format!("The {:?} provisioner has been removed", label.text);
        reader.error(&summary, detail, label.span);
    }
    let mut body = WrittenBody::read_expanded(reader, block.body, &SCHEMA);
    body.read_escaped(reader, &content);
    Some(Provisioner {
        kind: label.text.clone(),
        span: block.header,
        body,
        connection: connection(reader, &content),
        is_of_destruction,
    })
}

/// Reads the `connection` block.
pub(super) fn connection(
    reader: &mut BlockReader<'_>,
    content: &BodyContent<'_>,
) -> Option<Connection> {
    let block = content.blocks_of("connection").last()?;
    Some(Connection { span: block.header, body: WrittenBody::read(reader, block.body, &NOTHING) })
}

/// Refuses references in destroy-time provisioners to anything but the destroyed resource.
pub(super) fn check_references(
    reader: &mut BlockReader<'_>,
    provisioners: &[Provisioner],
    common: Option<&Connection>,
) {
    let mut bodies = Vec::new();
    for it in provisioners.iter().filter(|it| it.is_of_destruction) {
        bodies.push(&it.body);
        bodies.extend(it.connection.iter().chain(common).map(|it| &it.body));
    }
    for it in bodies.iter().flat_map(|it| &it.arguments) {
        if refers_to_others(&it.expr) {
            let detail = "A destroy-time provisioner can refer only to self, count.index, \
                each.key, path and terraform.";
            reader.error("Invalid reference from destroy provisioner", detail, it.expr.span);
        }
    }
}

fn refers_to_others(expr: &Expr) -> bool {
    references(expr).iter().any(|root| match root.name {
        "self" | "path" | "terraform" => false,
        "count" => root.steps() != [ReferenceStep::Attribute("index")],
        "each" => root.steps() != [ReferenceStep::Attribute("key")],
        _ => true,
    })
}
