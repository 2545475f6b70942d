//! Reads those parts of `resource`, `data` and `ephemeral` blocks that need no provider.

use super::{
    lifecycle::{self, Lifecycle},
    provisioner, refuse_count_with_for_each, refuse_reserved, refuse_second, refuse_with_enabled,
    repetition,
};
use smol_str::SmolStr;

use crate::{
    BodyBlock, Mode, Repetition, Resource, Validation, WrittenBody, depends_on, names,
    reader::BlockReader,
};
use hcl::config::{AttributeSchema, BlockSchema, BodySchema, ConfigBlock};
use release::changes;
use tf_eval::{ReferenceStep, references};

/// The words for a kind of resource.
pub(super) struct Form {
    mode: Mode,
    /// The word for its type.
    ty: &'static str,
    schema: BodySchema,
    /// The word for its kind, if Terraform does not manage it.
    unmanaged: Option<&'static str>,
}

pub(super) const MANAGED: Form = Form {
    mode: Mode::Managed,
    ty: "resource type name",
    schema: BodySchema {
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

pub(super) const DATA: Form =
    Form { mode: Mode::Data, ty: "data source name", schema: UNMANAGED, unmanaged: Some("data") };

pub(super) const EPHEMERAL: Form = Form {
    mode: Mode::Ephemeral,
    ty: "ephemeral resource type",
    schema: UNMANAGED,
    unmanaged: Some("ephemeral"),
};

const UNMANAGED: BodySchema = BodySchema {
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

/// Reads a block, which has its two labels.
pub(super) fn read(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    form: &Form,
) -> Option<Resource> {
    let [ty, name] = block.labels.as_slice() else { return None };
    reader.diagnostics.extend(names::check(reader.rule, form.ty, &ty.text, ty.span));
    let (content, problems) = block.body.partial_content(&form.schema);
    reader.add(problems);
    refuse_count_with_for_each(reader, &content);
    refuse_reserved(reader, &content, &["locals"], &block.kind.name);
    refuse_second(reader, &content, &["lifecycle", "connection", "_"]);
    let depends_on = depends_on::read(reader, content.attribute("depends_on"));
    let provider = content.attribute("provider");
    let provider = provider.and_then(|it| lifecycle::read_provider(reader, it));
    let mut lifecycle = Lifecycle::default();
    for it in content.blocks_of("lifecycle") {
        lifecycle = lifecycle::read(reader, it, form.unmanaged);
    }
    refuse_with_enabled(reader, &content, lifecycle.enabled.as_ref());
    for it in lifecycle.preconditions.iter().chain(&lifecycle.postconditions) {
        check_own(reader, it, form.mode, &ty.text, &name.text);
    }
    let mut provisioners = Vec::new();
    for it in content.blocks_of("provisioner") {
        provisioners.extend(provisioner::read(reader, it));
    }
    let connection = provisioner::connection(reader, &content);
    provisioner::check_references(reader, &provisioners, connection.as_ref());
    let mut body = WrittenBody::read_expanded(reader, block.body, &form.schema);
    body.read_escaped(reader, &content);
    let refuses =
        form.mode == Mode::Ephemeral && reader.options.release.has(&changes::EPHEMERAL_CONNECTION);
    let own = |it: &&BodyBlock| matches!(it.kind.name.as_str(), "connection" | "provisioner");
    if let (Some(it), true) = (body.blocks.iter().find(own), refuses) {
        let detail = "An ephemeral resource cannot have provisioners or connections.";
        reader.error("Invalid configuration block for ephemeral resource", detail, it.kind.span);
    }
    Some(Resource {
        mode: form.mode,
        ty: ty.text.clone(),
        name: name.text.clone(),
        span: block.header,
        repetition: Repetition { enabled: lifecycle.enabled, ..repetition(reader, &content) },
        body,
        preconditions: lifecycle.preconditions,
        postconditions: lifecycle.postconditions,
        depends_on,
        provider,
        replace_triggered_by: lifecycle.replace_triggered_by,
        actions: lifecycle.actions,
        ignored: lifecycle.ignored,
        ignores_all: lifecycle.ignores_all,
        provisioners,
        check: None,
        connection,
    })
}

/// Checks a resource's own conditions, which refer to it as `self`.
fn check_own(
    reader: &mut BlockReader<'_>,
    rule: &Validation,
    mode: Mode,
    ty: &SmolStr,
    name: &SmolStr,
) {
    let exprs = std::iter::once(&rule.condition).chain(&rule.error_message);
    for it in exprs.flat_map(references) {
        let steps = it.steps();
        let prefix = match mode {
            Mode::Managed if it.name == ty.as_str() => None,
            Mode::Managed => Some("resource"),
            Mode::Data => Some("data"),
            Mode::Ephemeral => Some("ephemeral"),
        };
        let steps = match (prefix, steps.as_slice()) {
            (None, steps) => steps,
            (Some(prefix), [ReferenceStep::Attribute(kind), rest @ ..])
                if it.name == prefix && *kind == ty.as_str() =>
            {
                rest
            }
            _ => continue,
        };
        if matches!(steps.first(), Some(ReferenceStep::Attribute(it)) if *it == name.as_str()) {
            let detail = "A condition cannot refer to its own resource by address: write self.";
            reader.error("Invalid reference in a condition", detail, it.span);
        }
    }
}
