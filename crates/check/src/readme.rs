//! Calls of a module, and values for it, that are written in the fenced code of a README.
//!
//! A README is read once a run: [`Readmes`](super::readmes::Readmes) keeps which code is about which module. Code that
//! does not parse is skipped, because documentation leaves things out.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{
    examples,
    inputs::SET,
    readmes::{Fence, Named, Readme},
    rules::schema_violation::Validator,
    subject::{CheckedModule, RunContext},
};
use diagnostics::{FileId, Span, has_errors};
use hcl::{Attribute, Block, Body, ExprKind, Item};
use module::inputs::{
    GivenValue, InputSource, Layer, ValuesEntry,
    example::{left_out, parse_example},
};
use projection::schema::Schema;
use system::paths;

/// Arguments of a `module` block that the called module does not declare.
const META: [&str; 7] =
    ["count", "depends_on", "for_each", "lifecycle", "providers", "source", "version"];

/// Whether a README of the run has code about the module.
pub(super) fn is_any(subject: &CheckedModule<'_>, context: &RunContext<'_>) -> bool {
    let dir = absolute(subject);
    dir.is_some_and(|it| context.readmes.about(&it).next().is_some())
}

/// Judges the calls of the module, and the values for it, in the READMEs of the run.
pub(super) fn check(subject: &mut CheckedModule<'_>, context: &RunContext<'_>, schema: &Schema) {
    let Some(dir) = absolute(subject) else { return };
    let schema_options = subject.settings.schema.clone();
    let validator = Validator::new(schema, &schema_options);
    for (readme, fences) in context.readmes.about(&dir) {
        check_readme(subject, readme, fences, &dir, &validator);
    }
}

fn absolute(subject: &CheckedModule<'_>) -> Option<PathBuf> {
    let current = subject.system().current_dir().ok()?;
    Some(paths::clean(&current.join(subject.dir)))
}

/// Judges the code of a README about the module in a directory (absolute).
fn check_readme<'r>(
    subject: &mut CheckedModule<'_>,
    readme: &Readme,
    about: impl Iterator<Item = &'r Fence>,
    module: &Path,
    validator: &Validator<'_>,
) {
    let shown = paths::display(&readme.path);
    let sources = subject.module.sources_mut();
    let file = sources.find(&shown);
    let file = file.unwrap_or_else(|| sources.add(shown.clone(), readme.bytes.clone()));
    let mut found = Vec::new();
    for fence in about {
        if !subject.meter.charge_text(fence.body.len()) {
            return;
        }
        let Some((body, left_out)) = parsed(readme, fence, file) else { continue };
        let is_own = readme.owner(fence).as_deref() == Some(module);
        if is_own && !body.items.iter().any(|it| matches!(it, Item::Block(_))) {
            let attributes = body.items.iter().filter_map(attribute);
            found.push(Example::new(attributes, Named::Perhaps, &left_out));
            continue;
        }
        for block in body.items.iter().filter_map(block) {
            let Some((dir, named)) = source(block).and_then(|it| readme.module(it)) else {
                continue;
            };
            if dir == module {
                let attributes = block.body.items.iter().filter_map(attribute);
                let example = Example::new(attributes, named, &left_out);
                found.push(Example { version: version(block), ..example });
            }
        }
    }
    let newest = found.iter().filter_map(|it| it.version).max();
    for it in found {
        let is_old = it.version.is_some() && it.version < newest;
        if is_old || !it.is_of(subject) || !subject.meter.charge(SET) {
            continue;
        }
        let layer = Layer {
            origin: InputSource::File(shown.clone()),
            entries: it.entries,
            repeated: Vec::new(),
        };
        let read = subject.module.read_by(|_| (vec![layer], Vec::new()));
        examples::judge(subject, &shown, read, validator);
    }
}

/// The code of a fence with its places in the file, and where it leaves something out; `None` if it does not parse.
fn parsed(readme: &Readme, fence: &Fence, file: FileId) -> Option<(Body, Arc<[Span]>)> {
    let offset = u32::try_from(fence.body.start).ok()?;
    let code = fence.code(&readme.bytes);
    let (body, problems) = parse_example(file, &code, offset);
    (!has_errors(&problems)).then(|| (body, left_out(file, &code, offset).into()))
}

/// Values that are given in code.
struct Example {
    entries: IndexMap<SmolStr, ValuesEntry>,
    /// How surely they are for this module.
    named: Named,
    /// The major version of the module that the code asks for.
    version: Option<u64>,
}

impl Example {
    fn new<'a>(
        attributes: impl Iterator<Item = &'a Attribute>,
        named: Named,
        left_out: &Arc<[Span]>,
    ) -> Example {
        let own = attributes.filter(|it| !META.contains(&it.name.name.as_str()));
        let entries = own.map(|it| {
            let given = Box::new(GivenValue::Expr(hcl::Expr::clone(&it.value)));
            let left_out = Arc::clone(left_out);
            let given = GivenValue::Example { given, is_call: true, left_out }.into();
            (it.name.name.clone(), ValuesEntry { name_span: it.name.span, given })
        });
        Example { entries: entries.collect(), named, version: None }
    }

    /// Whether they are for this module. If only a name says so, it must declare half of them.
    fn is_of(&self, subject: &CheckedModule<'_>) -> bool {
        let is_declared = |it: &&SmolStr| subject.module.variables.contains_key(it.as_str());
        let declared = self.entries.keys().filter(is_declared).count();
        !self.entries.is_empty()
            && (self.named == Named::Surely || declared * 2 >= self.entries.len())
    }
}

fn attribute(item: &Item) -> Option<&Attribute> {
    if let Item::Attribute(it) = item { Some(it) } else { None }
}

fn block(item: &Item) -> Option<&Block> {
    if let Item::Block(it) = item { Some(it) } else { None }
}

fn text<'b>(block: &'b Block, name: &str) -> Option<&'b str> {
    let mut attributes = block.body.items.iter().filter_map(attribute);
    match &attributes.find(|it| it.name.name == name)?.value.kind {
        ExprKind::String(it) => Some(it),
        _ => None,
    }
}

/// The source of a `module` block.
fn source(block: &Block) -> Option<&str> {
    let is_call = block.kind.name == "module" && block.labels.len() == 1;
    text(block, "source").filter(|_| is_call)
}

/// The major version that a `module` block asks for.
fn version(block: &Block) -> Option<u64> {
    let of_source = || source(block)?.split_once("ref=").map(|it| it.1);
    let text = text(block, "version").or_else(of_source)?;
    let digits = text.trim_start_matches(|it: char| !it.is_ascii_digit());
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    // A commit is not a version.
    let is_version = digits[end..].starts_with('.') || digits.len() == end;
    digits[..end].parse().ok().filter(|_| is_version)
}
