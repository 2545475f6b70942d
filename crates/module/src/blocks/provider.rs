//! Reads `provider` blocks.

use smol_str::SmolStr;

use super::{refuse_reserved, refuse_second};
use crate::{
    ProviderConfiguration, Repetition, WrittenBody,
    file::{Declared, Demand, FileContent},
    names,
    reader::BlockReader,
};
use hcl::config::{AttributeSchema, BlockSchema, BodySchema, ConfigBlock};
use release::changes;

const RESERVED: [&str; 6] = ["count", "depends_on", "for_each", "source", "lifecycle", "locals"];

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "alias", required: false },
        AttributeSchema { name: "version", required: false },
        AttributeSchema { name: "count", required: false },
        AttributeSchema { name: "depends_on", required: false },
        AttributeSchema { name: "for_each", required: false },
        AttributeSchema { name: "source", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "locals", labels: &[] },
        BlockSchema { kind: "_", labels: &[] },
    ],
};

/// Reads a `provider` block, which has its label. A module may configure each name, with its alias, only
/// once.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, file: &mut FileContent) {
    let Some(label) = block.labels.first() else { return };
    reader.diagnostics.extend(names::check_provider(reader.rule, &label.text, label.span));
    let (content, problems) = block.body.partial_content(&SCHEMA);
    reader.add(problems);
    if let Some(it) = content.attribute("for_each") {
        reader.uses(&changes::PROVIDER_FOR_EACH, it.name.span);
    }
    let has_for_each = reader.options.release.has(&changes::PROVIDER_FOR_EACH);
    let for_each = content.attribute("for_each").filter(|_| has_for_each);
    if let (Some(it), None) = (for_each, content.attribute("alias")) {
        let detail = "Only a configuration with an alias can have for_each.";
        reader.error("Alias required when using \"for_each\"", detail, it.value_span());
    }
    let for_each = for_each.map(|it| reader.expression(it));
    let is_reserved = |it: &&str| !(has_for_each && *it == "for_each");
    let reserved: Vec<&str> = RESERVED.into_iter().filter(is_reserved).collect();
    refuse_reserved(reader, &content, &reserved, "provider");
    refuse_second(reader, &content, &["_"]);
    let version = content.attribute("version").and_then(|it| reader.required_version(it));
    let version = match version {
        Some(Demand::Version(it)) => Some(it),
        _ => None,
    };
    let mut name = label.text.clone();
    if let Some(argument) = content.attribute("alias") {
        let Some(alias) = reader.string(Some(argument)) else { return };
        let what = "provider configuration alias";
        reader.diagnostics.extend(names::check(reader.rule, what, &alias, argument.value_span()));
        name = SmolStr::new(format!("{name}.{alias}"));
    }
    let mut body = WrittenBody::read_expanded(reader, block.body, &SCHEMA);
    body.read_escaped(reader, &content);
    let is_empty = body.arguments.is_empty() && body.blocks.is_empty();
    file.configurations.push(ProviderConfiguration {
        address: format!("provider.{name}"),
        span: block.header,
        repetition: Repetition { for_each, ..Repetition::default() },
        body,
        is_configured: !is_empty || content.attribute("version").is_some(),
        version,
    });
    file.declared.push(Declared { kind: "provider".into(), name, span: block.header });
}
