//! Reads `terraform` blocks: required versions and providers.

use super::{lifecycle, module_call::calls_function, static_expression};
use crate::{
    diagnostic::Span,
    eval::references,
    module::{
        Body, RequiredProvider, RequiredVersion,
        file::{Declared, Demand, FileContent},
        names,
        reader::BlockReader,
        requirement,
    },
    release::changes,
    syntax::{
        Expr, ExprKind, ObjectItem, ObjectKey,
        analysis::{as_keyword, as_list, as_map},
        config::{AttributeSchema, BlockSchema, ConfigAttribute, ConfigBlock, Schema},
    },
};

const SCHEMA: Schema = Schema {
    attributes: &[
        AttributeSchema { name: "required_version", required: false },
        AttributeSchema { name: "experiments", required: false },
        AttributeSchema { name: "language", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "required_providers", labels: &[] },
        BlockSchema { kind: "backend", labels: &["type"] },
        BlockSchema { kind: "cloud", labels: &[] },
        BlockSchema { kind: "encryption", labels: &[] },
        BlockSchema { kind: "provider_meta", labels: &["provider"] },
    ],
};

const LANGUAGE: Schema =
    Schema { attributes: &[], blocks: &[BlockSchema { kind: "compatible_with", labels: &[] }] };

const COMPATIBLE: Schema =
    Schema { attributes: &[AttributeSchema { name: "opentofu", required: false }], blocks: &[] };

/// Reads a `terraform` block into the declarations of its file.
pub(in crate::module) fn read_settings(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    file: &mut FileContent,
) {
    let content = reader.content(block.body, &SCHEMA);
    let release = reader.options.release;
    let looks = !release.has(&changes::EXPERIMENTS_IGNORED);
    if let Some(experiments) = content.attribute("experiments").filter(|_| looks) {
        let detail = "Released versions of Terraform have no experimental features.";
        reader.error("Module uses experimental features", detail, experiments.value_span());
    }
    if let Some(argument) = content.attribute("language").filter(|_| looks) {
        check_language(reader, argument);
    }
    if let Some(argument) = content.attribute("required_version") {
        let before = reader.diagnostics.len();
        file.required_versions.extend(reader.required_version(argument));
        if !reader.is_of_tofu && release.has(&changes::REQUIRED_VERSION_IGNORED) {
            reader.diagnostics.truncate(before);
        }
    }
    for it in &content.blocks {
        if it.kind.name == "encryption" {
            read_encryption(reader, it);
            continue;
        }
        file.declared.push(once(it));
        if it.kind.name == "backend" {
            check_backend(reader, it);
        }
        if it.kind.name == "required_providers" {
            read_providers(reader, it, file);
        }
    }
}

/// Reads the part of a `language` block that says which releases run the module.
pub(in crate::module) fn read_language(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    file: &mut FileContent,
) {
    let (content, problems) = block.body.partial_content(&LANGUAGE);
    reader.add(problems);
    for it in content.blocks_of("compatible_with") {
        let (content, problems) = it.body.partial_content(&COMPATIBLE);
        reader.add(problems);
        let Some(argument) = content.attribute("opentofu") else { continue };
        if let Some(Demand::Version(it)) = reader.required_version(argument) {
            let demand = RequiredVersion { is_of_tofu: true, ..it };
            file.required_versions.push(Demand::Version(demand));
        }
    }
}

/// Reads the references of an `encryption` block to variables and locals.
fn read_encryption(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    reader.block_since(block, &changes::ENCRYPTION);
    if reader.options.release.has(&changes::SOURCE_VARIABLES) {
        return;
    }
    let body = Body::read(reader, block.body, &[]);
    let mut exprs = Vec::new();
    body.expressions(&mut exprs);
    let refers =
        |expr: &&&Expr| references(expr).iter().any(|it| matches!(it.name, "var" | "local"));
    if let Some(it) = exprs.iter().find(refers) {
        let detail = "Neither variables nor locals can be referred to here.";
        reader.error("Variables not allowed", detail, it.span);
    }
}

/// Refuses references in a backend's arguments, which must be known before everything else.
fn check_backend(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    let is_evaluated = reader.options.release.has(&changes::BACKEND_VARIABLES);
    let body = Body::read(reader, block.body, &[]);
    let mut exprs = Vec::new();
    body.expressions(&mut exprs);
    for expr in exprs {
        let found = references(expr);
        let roots = ["var", "local", "path", "terraform", "tofu"];
        let other = found.iter().find(|it| !is_evaluated || !roots.contains(&it.name));
        if let Some(it) = other {
            let detail = "Terraform needs this value first, and this refers to something that it knows later.";
            reader.error("Variables not allowed", detail, it.span);
        } else if !is_evaluated && calls_function(expr) {
            let detail = "Functions cannot be called here.";
            reader.error("Function calls not allowed", detail, expr.span);
        }
    }
}

/// The block as a setting that a module may have once. A `cloud` block counts as a backend.
fn once(block: &ConfigBlock<'_>) -> Declared {
    let kind = match block.kind.name.as_str() {
        "cloud" => "backend",
        other => other,
    };
    let label = block.labels.first().filter(|_| kind == "provider_meta");
    let name = label.map_or_else(|| kind.into(), |it| it.text.clone());
    Declared { kind: kind.into(), name, span: block.header }
}

fn check_language(reader: &mut BlockReader<'_>, argument: &ConfigAttribute<'_>) {
    let expr = static_expression(reader, argument);
    if as_keyword(&expr) != Some("TF2021") {
        let detail = "There is one edition: TF2021, written without quotes.";
        reader.error("Invalid language edition", detail, argument.value_span());
    }
}

fn read_providers(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, file: &mut FileContent) {
    let (providers, problems) = block.body.just_attributes();
    reader.add(problems);
    for it in providers {
        let name = &it.name;
        reader.diagnostics.extend(names::check_provider(reader.rule, &name.name, name.span));
        let expr = reader.literal(&it);
        let (source, version, aliases) = (None, None, Vec::new());
        let mut required = RequiredProvider { span: name.span, source, version, aliases };
        match &expr.kind {
            ExprKind::String(text) => {
                check_version(reader, text, expr.span);
                required.version = Some(text.clone());
            }
            _ => {
                for it in as_map(&expr).into_iter().flatten() {
                    check_item(reader, it);
                    read_item(it, &mut required);
                }
            }
        }
        file.required_providers.push((name.name.clone(), required));
    }
}

fn read_item(item: &ObjectItem, required: &mut RequiredProvider) {
    match (key(item), &item.value.kind) {
        (Some(("source", _)), ExprKind::String(text)) => required.source = Some(text.clone()),
        (Some(("version", _)), ExprKind::String(text)) => required.version = Some(text.clone()),
        (Some(("configuration_aliases", _)), _) => {
            let aliases = as_list(&item.value).unwrap_or_default().iter();
            required.aliases.extend(aliases.filter_map(lifecycle::provider_name));
        }
        _ => (),
    }
}

fn key(item: &ObjectItem) -> Option<(&str, Span)> {
    match &item.key {
        ObjectKey::Name(it) => Some((it.name.as_str(), it.span)),
        ObjectKey::Expr(it) | ObjectKey::Template(it) => match &it.kind {
            ExprKind::String(text) => Some((text.as_str(), it.span)),
            _ => None,
        },
    }
}

/// Checks one argument of a provider's entry.
fn check_item(reader: &mut BlockReader<'_>, item: &ObjectItem) {
    let Some((name, span)) = key(item) else { return };
    match (name, &item.value.kind) {
        ("version", ExprKind::String(text)) => check_version(reader, text, item.value.span),
        ("source", ExprKind::String(text)) if !is_source(text) => {
            let detail = "It has the form [HOST/][NAMESPACE/]NAME.";
            reader.error("Invalid provider source string", detail, item.value.span);
        }
        ("version" | "source" | "configuration_aliases", _) => (),
        _ => {
            let detail = "Only its source, version and configuration_aliases are said here.";
            reader.error("Invalid required_providers object", detail, span);
        }
    }
}

fn check_version(reader: &mut BlockReader<'_>, text: &str, span: Span) {
    reader.diagnostics.extend(requirement::check_syntax(text, span));
}

fn is_source(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    let is_path = |parts: &[&str]| parts.iter().all(|it| names::is_provider_part(it));
    match parts.as_slice() {
        [host, path @ ..] if path.len() == 2 => !host.is_empty() && is_path(path),
        path => path.len() <= 2 && is_path(path),
    }
}
