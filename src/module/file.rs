//! Reads the blocks of one module file.

use smol_str::SmolStr;

use super::{
    Local, Output, Variable,
    content::{BlockKind, Content, Schema, content, unsupported},
    names, output,
    reader::Reader,
    variable,
};
use crate::{
    diagnostic::Span,
    syntax::{Block, Body, Item},
    version::Version,
};

/// What one file declares, in source order.
#[derive(Debug, Default)]
pub(super) struct FileContent {
    pub variables: Vec<Variable>,
    pub locals: Vec<Local>,
    pub outputs: Vec<Output>,
    pub required_versions: Vec<(String, Span)>,
    pub declared: Vec<Declared>,
}

/// A resource, data source, module call or check: only its address counts.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The resource type, `data.TYPE`, `ephemeral.TYPE`, `module` or `check`.
    pub kind: SmolStr,
    pub name: SmolStr,
    pub span: Span,
}

const SCHEMA: Schema = Schema {
    attributes: &[],
    required: &[],
    blocks: &[
        BlockKind { name: "terraform", labels: &[] },
        BlockKind { name: "variable", labels: &["name"] },
        BlockKind { name: "locals", labels: &[] },
        BlockKind { name: "output", labels: &["name"] },
        BlockKind { name: "provider", labels: &["name"] },
        BlockKind { name: "module", labels: &["name"] },
        BlockKind { name: "resource", labels: &["type", "name"] },
        BlockKind { name: "data", labels: &["type", "name"] },
        BlockKind { name: "ephemeral", labels: &["type", "name"] },
        BlockKind { name: "action", labels: &["type", "name"] },
        BlockKind { name: "check", labels: &["name"] },
        BlockKind { name: "moved", labels: &[] },
        BlockKind { name: "import", labels: &[] },
        BlockKind { name: "removed", labels: &[] },
    ],
};

const TERRAFORM: Schema = Schema {
    attributes: &["required_version", "experiments", "language"],
    required: &[],
    blocks: &[
        BlockKind { name: "required_providers", labels: &[] },
        BlockKind { name: "backend", labels: &["type"] },
        BlockKind { name: "cloud", labels: &[] },
        BlockKind { name: "provider_meta", labels: &["provider"] },
        BlockKind { name: "state_store", labels: &["type"] },
        BlockKind { name: "encryption", labels: &[] },
    ],
};

/// Reads a file. Blocks that are not about variables, locals, outputs or versions are only listed.
pub(super) fn read(reader: &mut Reader<'_>, body: &Body) -> FileContent {
    let mut file = FileContent::default();
    let Content { blocks, .. } = content(body, &SCHEMA, reader.rule, &mut reader.diagnostics);
    for block in blocks {
        match block.kind.name.as_str() {
            "variable" => file.variables.extend(variable::read(reader, block)),
            "locals" => read_locals(reader, block, &mut file.locals),
            "output" => file.outputs.extend(output::read(reader, block)),
            "terraform" => read_terraform(reader, block, &mut file.required_versions),
            _ => file.declared.extend(read_declared(reader, block)),
        }
    }
    file
}

fn read_locals(reader: &mut Reader<'_>, block: &Block, locals: &mut Vec<Local>) {
    for item in &block.body.items {
        match item {
            Item::Attribute(it) => {
                let name = it.name.name.clone();
                let kind = "local value name";
                reader.diagnostics.extend(names::check(reader.rule, kind, &name, it.name.span));
                locals.push(Local { name, expr: it.value.clone(), span: it.span });
            }
            Item::Block(it) => {
                let summary = format!("Unexpected \"{}\" block", it.kind.name);
                reader.error(&summary, "Only arguments can stand here.", it.kind.span);
            }
        }
    }
}

fn read_terraform(reader: &mut Reader<'_>, block: &Block, versions: &mut Vec<(String, Span)>) {
    let content = content(&block.body, &TERRAFORM, reader.rule, &mut reader.diagnostics);
    let argument = content.attributes.get("required_version").copied();
    if let (Some(text), Some(argument)) = (reader.string(argument), argument) {
        versions.push((text, argument.value.span));
    }
}

fn read_declared(reader: &mut Reader<'_>, block: &Block) -> Option<Declared> {
    let (first, last) = (block.labels.first()?, block.labels.last()?);
    let typed = |prefix: &str| SmolStr::new(format!("{prefix}{}", first.text));
    let (kind, what) = match block.kind.name.as_str() {
        "resource" => (typed(""), "resource name"),
        "data" => (typed("data."), "data resource name"),
        "ephemeral" => (typed("ephemeral."), "ephemeral resource name"),
        "action" => (typed("action."), "action name"),
        "module" => (SmolStr::new("module"), "module instance name"),
        "check" => (SmolStr::new("check"), "check block name"),
        _ => return None,
    };
    if block.kind.name == "action" && reader.options.version < Version::new(1, 14, 0) {
        reader.diagnostics.push(unsupported("block type", &block.kind));
    }
    reader.diagnostics.extend(names::check(reader.rule, what, &last.text, last.span));
    Some(Declared { kind, name: last.text.clone(), span: block.header })
}
