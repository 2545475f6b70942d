//! Reads the blocks of one module file.

use smol_str::SmolStr;

use super::{
    BackendValue, Check, Import, Local, ModuleCall, Move, Output, ProviderConfiguration, Removal,
    RequiredProvider, RequiredVersion, Resource, Variable, WrittenBlock, blocks, check, names,
    output, reader::BlockReader, variable,
};
use diagnostics::{Diagnostics, Span};
use hcl::config::{BlockSchema, BodySchema, ConfigBlock, ConfigBody};

/// The declarations of one file, in source order.
#[derive(Debug, Default)]
pub(super) struct FileContent {
    pub variables: Vec<Variable>,
    pub locals: Vec<Local>,
    pub outputs: Vec<Output>,
    pub checks: Vec<Check>,
    pub required_versions: Vec<Demand>,
    pub required_providers: Vec<(SmolStr, RequiredProvider)>,
    pub declared: Vec<Declared>,
    pub calls: Vec<ModuleCall>,
    pub resources: Vec<Resource>,
    pub configurations: Vec<ProviderConfiguration>,
    pub imports: Vec<Import>,
    pub moves: Vec<Move>,
    pub removals: Vec<Removal>,
    pub blocks: Vec<WrittenBlock>,
    /// Its `backend` and `cloud` blocks.
    pub backends: Vec<Backend>,
}

/// A `backend` or `cloud` block.
#[derive(Debug)]
pub(super) struct Backend {
    pub is_cloud: bool,
    pub span: Span,
    /// The errors in its body, which Terraform reports if this is the block that counts.
    pub problems: Diagnostics,
    pub values: Vec<BackendValue>,
}

/// The content of one `required_version`.
#[derive(Debug)]
pub(super) enum Demand {
    /// Null is not a constraint. In an override file it still replaces the earlier ones.
    Nothing,
    Version(RequiredVersion),
}

/// A resource, data source, module call or check, where only the address matters, or a setting that a module may have
/// once.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The resource type, `data.TYPE`, `ephemeral.TYPE`, `module`, or one of [`UNADDRESSED`].
    pub kind: SmolStr,
    pub name: SmolStr,
    pub span: Span,
}

/// Kinds that no reference can name.
pub(super) const UNADDRESSED: [&str; 5] =
    ["check", "provider", "backend", "provider_meta", "required_providers"];

/// Read apart from the rest, because errors in its label are about a variable.
const VARIABLES: BodySchema =
    BodySchema { attributes: &[], blocks: &[BlockSchema { kind: "variable", labels: &["name"] }] };

const SCHEMA: BodySchema = BodySchema {
    attributes: &[],
    blocks: &[
        BlockSchema { kind: "terraform", labels: &[] },
        BlockSchema { kind: "variable", labels: &["name"] },
        BlockSchema { kind: "locals", labels: &[] },
        BlockSchema { kind: "output", labels: &["name"] },
        BlockSchema { kind: "provider", labels: &["name"] },
        BlockSchema { kind: "module", labels: &["name"] },
        BlockSchema { kind: "resource", labels: &["type", "name"] },
        BlockSchema { kind: "data", labels: &["type", "name"] },
        BlockSchema { kind: "ephemeral", labels: &["type", "name"] },
        BlockSchema { kind: "action", labels: &["type", "name"] },
        BlockSchema { kind: "check", labels: &["name"] },
        BlockSchema { kind: "moved", labels: &[] },
        BlockSchema { kind: "import", labels: &[] },
        BlockSchema { kind: "removed", labels: &[] },
        BlockSchema { kind: "language", labels: &[] },
    ],
};

/// Reads a file.
pub(super) fn read(reader: &mut BlockReader<'_>, body: ConfigBody<'_>) -> FileContent {
    let mut file = FileContent::default();
    let (content, problems) = body.content(&SCHEMA);
    if !problems.is_empty() {
        let (_, in_variables) = body.partial_content(&VARIABLES);
        let (of_variables, others) = problems.into_iter().partition(|it| in_variables.contains(it));
        reader.add(others);
        reader.of_variables(|reader| reader.add(of_variables));
    }
    for block in &content.blocks {
        if reader.options.keeps_blocks {
            let written = WrittenBlock::read(reader, block);
            file.blocks.push(written);
        }
        blocks::read(reader, block, &mut file);
        match block.kind.name.as_str() {
            "variable" => file.variables.extend(variable::read(reader, block)),
            "locals" => read_locals(reader, block, &mut file.locals),
            "output" => file.outputs.extend(output::read(reader, block)),
            "terraform" => blocks::read_settings(reader, block, &mut file),
            "language" => blocks::read_language(reader, block, &mut file),
            "check" => {
                file.declared.extend(read_declared(reader, block));
                if let Some((check, declared)) = check::read(reader, block, &mut file) {
                    file.checks.push(check);
                    file.declared.extend(declared);
                }
            }
            _ => file.declared.extend(read_declared(reader, block)),
        }
    }
    file
}

fn read_locals(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, locals: &mut Vec<Local>) {
    let (attributes, problems) = block.body.just_attributes();
    reader.add(problems);
    for it in attributes {
        let name = it.name.name.clone();
        let kind = "local value name";
        reader.diagnostics.extend(names::check(reader.rule, kind, &name, it.name.span));
        locals.push(Local { name, expr: reader.expression(&it), span: it.span });
    }
}

fn read_declared(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Declared> {
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
    reader.diagnostics.extend(names::check(reader.rule, what, &last.text, last.span));
    Some(Declared { kind, name: last.text.clone(), span: block.header })
}
