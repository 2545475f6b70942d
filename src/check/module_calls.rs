//! Object literals in the arguments of `module` blocks, held against the types of a called module
//! that stands in a directory nearby.

use std::path::Path;

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{rules::unknown_attribute, subject::Subject};
use crate::{
    diagnostic::{Diagnostics, FileId, Span},
    inputs::{Given, Input, Origin},
    module::{self, Module},
    syntax::{
        Expr, ExprKind, ObjectItem, ObjectKey,
        config::{BlockSchema, ConfigAttribute, ConfigFile, Schema},
    },
    system::{System, paths},
    value::{Type, Value, nfc},
};

/// Arguments of a call by their names; an override's stands in place of the overridden one.
type Arguments = IndexMap<SmolStr, (Span, Expr)>;

const BLOCKS: Schema =
    Schema { attributes: &[], blocks: &[BlockSchema { kind: "module", labels: &["name"] }] };

/// Attributes of object literals that the called module's types lack.
pub(super) fn check(subject: &Subject<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for arguments in calls(subject).values() {
        let Some(called) = called(subject, arguments) else { continue };
        for (name, (name_span, expr)) in arguments {
            let Some(variable) = called.variables.get(name) else { continue };
            let input = Input {
                value: shape(expr),
                origin: Origin::File(String::new()),
                name_span: *name_span,
                given: Given::Expr(expr.clone()).into(),
            };
            found.extend(unknown_attribute::check(variable, &input, &subject.module.sources));
        }
    }
    // The other places are in the called module, whose texts are not among these sources.
    for it in &mut found {
        it.labels.truncate(1);
        // It is no input: the author of the call decides.
        it.fix = None;
    }
    found
}

/// The calls of a module by their names.
fn calls(subject: &Subject<'_>) -> IndexMap<SmolStr, Arguments> {
    let mut calls: IndexMap<SmolStr, Arguments> = IndexMap::new();
    for (id, file) in subject.module.sources.files() {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let is_source = module::is_module_file(name, subject.settings.opentofu);
        if !is_source || memchr::memmem::find(&file.bytes, b"module").is_none() {
            continue;
        }
        for (name, arguments) in calls_of(id, &file.path, &file.bytes) {
            calls.entry(name).or_default().extend(arguments);
        }
    }
    calls
}

fn calls_of(id: FileId, path: &str, bytes: &[u8]) -> Vec<(SmolStr, Arguments)> {
    let is_json = Path::new(path).extension().is_some_and(|it| it == "json");
    let parse = if is_json { ConfigFile::json } else { ConfigFile::native };
    let (config, _) = parse(id, bytes);
    let (content, _) = config.body().partial_content(&BLOCKS);
    let blocks = content.blocks.iter().filter_map(|it| {
        let name = it.labels.first()?.text.clone();
        let arguments = it.body.just_attributes().0;
        Some((name, arguments.iter().map(argument).collect()))
    });
    blocks.collect()
}

fn argument(it: &ConfigAttribute<'_>) -> (SmolStr, (Span, Expr)) {
    (it.name.name.clone(), (it.name.span, it.expression().0.into_owned()))
}

/// The called module, where its source is a directory nearby that can be read.
fn called(subject: &Subject<'_>, arguments: &Arguments) -> Option<Module> {
    let ExprKind::String(source) = &arguments.get("source")?.1.kind else { return None };
    if !source.starts_with("./") && !source.starts_with("../") {
        return None;
    }
    let dir = paths::clean(&subject.dir.join(source.as_str()));
    let settings = &subject.settings;
    let options = module::Options {
        version: subject.version,
        opentofu: settings.opentofu,
        skip_unrelated: true,
    };
    let system: &dyn System = &subject.system;
    module::load_metered(system, &dir, &options, &subject.meter).ok().map(|(module, _)| module)
}

/// What an expression shows of its value without being evaluated: the attributes of objects.
fn shape(expr: &Expr) -> Value {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &expr.kind {
        ExprKind::Paren(it) => shape(it),
        ExprKind::Object(items) => Value::object(items.iter().filter_map(attribute).collect()),
        ExprKind::Tuple(elements) => Value::tuple(elements.iter().map(shape).collect()),
        _ => Value::unknown(Type::Dynamic),
    })
}

fn attribute(item: &ObjectItem) -> Option<(SmolStr, Value)> {
    let name = match &item.key {
        ObjectKey::Name(it) => &it.name,
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => it,
        ObjectKey::Expr(_) => return None,
    };
    Some((nfc(name), shape(&item.value)))
}
