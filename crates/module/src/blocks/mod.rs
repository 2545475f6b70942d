//! Reads blocks that do not concern variables, and reports what Terraform refuses in them before it
//! evaluates a value. Errors that only a provider or a backend can find are left out.

mod lifecycle;
mod module_call;
mod moves;
mod provider;
mod provisioner;
mod resource;
mod settings;

use smol_str::SmolStr;

use super::{
    ProviderConfiguration, Repetition, Resource, WrittenBody, body::NOTHING, file::FileContent,
    reader::BlockReader,
};
use diagnostics::Span;
use hcl::{
    Expr, ExprKind,
    analysis::as_keyword,
    config::{AttributeSchema, BlockSchema, BodyContent, BodySchema, ConfigAttribute, ConfigBlock},
};
use release::{LanguageChange, changes};

pub(super) use settings::{read_language, read_settings};

const ACTION: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "count", required: false },
        AttributeSchema { name: "for_each", required: false },
    ],
    blocks: &[BlockSchema { kind: "config", labels: &[] }],
};

/// Types of blocks that some version introduced.
const CAME: [&LanguageChange; 7] = [
    &changes::MOVED,
    &changes::IMPORT,
    &changes::CHECK,
    &changes::REMOVED,
    &changes::EPHEMERAL_BLOCK,
    &changes::ACTION,
    &changes::LANGUAGE_BLOCK,
];

/// Reads a block into what its file declares.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, file: &mut FileContent) {
    check_version(reader, block);
    match block.kind.name.as_str() {
        "moved" => file.moves.extend(moves::moved(reader, block)),
        "import" => file.imports.extend(moves::import(reader, block)),
        "removed" => file.removals.extend(moves::removed(reader, block)),
        "provider" => provider::read(reader, block, file),
        "action" => file.configurations.extend(action(reader, block)),
        "module" => file.calls.extend(module_call::read(reader, block)),
        "resource" => file.resources.extend(resource::read(reader, block, &resource::MANAGED)),
        "data" => file.resources.extend(resource::read(reader, block, &resource::DATA)),
        "ephemeral" => file.resources.extend(resource::read(reader, block, &resource::EPHEMERAL)),
        _ => (),
    }
}

/// Reads the one data source that a check may have.
pub(super) fn read_scoped_data(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    check: &SmolStr,
    file: &mut FileContent,
) {
    let found = resource::read(reader, block, &resource::DATA);
    file.resources.extend(found.map(|it| Resource { check: Some(check.clone()), ..it }));
}

/// Reads an `action` block; the provider's arguments are in the block `config`.
fn action(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<ProviderConfiguration> {
    let [ty, name] = block.labels.as_slice() else { return None };
    let (content, problems) = block.body.partial_content(&ACTION);
    reader.add(problems);
    let mut body = WrittenBody::default();
    for it in content.blocks_of("config") {
        body = WrittenBody::read(reader, it.body, &NOTHING);
    }
    Some(ProviderConfiguration {
        address: format!("action.{}.{}", ty.text, name.text),
        span: block.header,
        repetition: repetition(reader, &content),
        body,
        is_configured: false,
        version: None,
    })
}

fn repetition(reader: &mut BlockReader<'_>, content: &BodyContent<'_>) -> Repetition {
    let mut argument = |name: &str| Some(reader.expression(content.attribute(name)?));
    Repetition { count: argument("count"), for_each: argument("for_each"), enabled: None }
}

fn check_version(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    let kind = &block.kind.name;
    if let Some(change) = CAME.iter().find(|it| it.name == kind) {
        reader.block_since(block, change);
    }
}

/// Refuses arguments and blocks with reserved names.
fn refuse_reserved(
    reader: &mut BlockReader<'_>,
    content: &BodyContent<'_>,
    names: &[&str],
    kind: &str,
) {
    let mut refuse = |what: &str, name: &str, span: Span| {
        if names.contains(&name) {
            let detail = format!(
                "The name \"{name}\" is reserved for a future version of \
                Terraform."
            );
            reader.error(&format!("Reserved {what} name in {kind} block"), detail, span);
        }
    };
    content.attributes.iter().for_each(|it| refuse("argument", &it.name.name, it.name.span));
    content.blocks.iter().for_each(|it| refuse("block type", &it.kind.name, it.kind.span));
}

/// Refuses a second block of a type.
fn refuse_second(reader: &mut BlockReader<'_>, content: &BodyContent<'_>, kinds: &[&str]) {
    for kind in kinds {
        for it in content.blocks_of(kind).skip(1) {
            let detail = format!("Only one \"{kind}\" block is allowed here.");
            reader.error(&format!("Duplicate {kind} block"), detail, it.header);
        }
    }
}

/// Refuses `count` and `for_each` next to `enabled` in a `lifecycle` block, which decides about a single instance.
fn refuse_with_enabled(
    reader: &mut BlockReader<'_>,
    content: &BodyContent<'_>,
    enabled: Option<&Expr>,
) {
    let repeated = ["count", "for_each"].iter().find_map(|it| content.attribute(it));
    if let (Some(it), Some(_)) = (repeated, enabled) {
        let name = &it.name.name;
        let detail = "Only one of them can set the number of instances.";
        let summary = format!("Invalid combination of \"{name}\" and \"enabled\"");
        reader.error(&summary, detail, it.name.span);
    }
}

fn refuse_count_with_for_each(reader: &mut BlockReader<'_>, content: &BodyContent<'_>) {
    if let (Some(_), Some(it)) = (content.attribute("count"), content.attribute("for_each")) {
        let detail = "Only one of them can set the number of instances.";
        let summary = "Invalid combination of \"count\" and \"for_each\"";
        reader.error(summary, detail, it.name.span);
    }
}

/// The value as an expression for static analysis.
fn static_expression(reader: &mut BlockReader<'_>, argument: &ConfigAttribute<'_>) -> Expr {
    let (expr, problems) = argument.static_expression();
    reader.add(problems);
    expr.into_owned()
}

/// Reads a bare word, or a string that holds one, which is an old way to write it.
fn word(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::String(text) => Some(text),
        _ => as_keyword(expr),
    }
}
