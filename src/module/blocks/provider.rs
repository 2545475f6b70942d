//! Checks `provider` blocks, as far as the provider is not needed for it.

use smol_str::SmolStr;

use super::refuse_reserved;
use crate::{
    module::{file::Declared, names, reader::Reader},
    syntax::config::{AttributeSchema, BlockSchema, ConfigBlock, Schema},
};

const RESERVED: [&str; 6] = ["count", "depends_on", "for_each", "source", "lifecycle", "locals"];

const SCHEMA: Schema = Schema {
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
    ],
};

/// Gives its name, with its alias behind a dot: a module configures each only once.
pub(super) fn read(reader: &mut Reader<'_>, block: &ConfigBlock<'_>) -> Option<Declared> {
    let label = block.labels.first()?;
    reader.diagnostics.extend(names::check_provider(reader.rule, &label.text, label.span));
    let (content, problems) = block.body.partial_content(&SCHEMA);
    reader.add(problems);
    refuse_reserved(reader, &content, &RESERVED, "provider");
    if let Some(it) = content.attribute("version") {
        reader.required_version(it);
    }
    let mut name = label.text.clone();
    if let Some(argument) = content.attribute("alias") {
        let alias = reader.string(Some(argument))?;
        let what = "provider configuration alias";
        reader.diagnostics.extend(names::check(reader.rule, what, &alias, argument.value_span()));
        name = SmolStr::new(format!("{name}.{alias}"));
    }
    Some(Declared { kind: "provider".into(), name, span: block.header })
}
