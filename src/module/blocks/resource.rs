//! Checks `resource`, `data` and `ephemeral` blocks, as far as their provider is not needed for it.

use super::{lifecycle, refuse_count_with_for_each, refuse_reserved, refuse_second};
use crate::{
    module::{depends_on, names, reader::Reader},
    syntax::config::{AttributeSchema, BlockSchema, ConfigBlock, Schema},
};

/// What makes a kind of resource.
pub(super) struct Mode {
    /// What its type is called.
    ty: &'static str,
    schema: Schema,
    /// What it is called, if Terraform does not manage it.
    unmanaged: Option<&'static str>,
}

pub(super) const MANAGED: Mode = Mode {
    ty: "resource type name",
    schema: Schema {
        attributes: ARGUMENTS,
        blocks: &[
            BlockSchema { kind: "lifecycle", labels: &[] },
            BlockSchema { kind: "locals", labels: &[] },
            BlockSchema { kind: "_", labels: &[] },
            BlockSchema { kind: "connection", labels: &[] },
            BlockSchema { kind: "provisioner", labels: &["type"] },
        ],
    },
    unmanaged: None,
};

pub(super) const DATA: Mode =
    Mode { ty: "data source name", schema: UNMANAGED, unmanaged: Some("data") };

pub(super) const EPHEMERAL: Mode =
    Mode { ty: "ephemeral resource type", schema: UNMANAGED, unmanaged: Some("ephemeral") };

const UNMANAGED: Schema = Schema {
    attributes: ARGUMENTS,
    blocks: &[
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "locals", labels: &[] },
        BlockSchema { kind: "_", labels: &[] },
    ],
};

const ARGUMENTS: &[AttributeSchema] = &[
    AttributeSchema { name: "count", required: false },
    AttributeSchema { name: "for_each", required: false },
    AttributeSchema { name: "provider", required: false },
    AttributeSchema { name: "depends_on", required: false },
];

pub(super) fn check(reader: &mut Reader<'_>, block: &ConfigBlock<'_>, mode: &Mode) {
    if let Some(ty) = block.labels.first() {
        reader.diagnostics.extend(names::check(reader.rule, mode.ty, &ty.text, ty.span));
    }
    let (content, problems) = block.body.partial_content(&mode.schema);
    reader.add(problems);
    refuse_count_with_for_each(reader, &content);
    refuse_reserved(reader, &content, &["locals"], &block.kind.name);
    refuse_second(reader, &content, &["lifecycle", "connection", "_"]);
    depends_on::read(reader, content.attribute("depends_on"));
    if let Some(it) = content.attribute("provider") {
        lifecycle::check_provider(reader, it);
    }
    content.blocks_of("lifecycle").for_each(|it| lifecycle::check(reader, it, mode.unmanaged));
    content.blocks_of("provisioner").for_each(|it| lifecycle::check_provisioner(reader, it));
}
