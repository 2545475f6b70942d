//! Reads `module` blocks.

use smol_str::SmolStr;

use super::{
    lifecycle, refuse_count_with_for_each, refuse_reserved, refuse_second, refuse_with_enabled,
    repetition, static_expression,
};
use crate::{
    BodyArgument, ByName, ModuleCall, Repetition, constant::evaluate_constant, depends_on, names,
    reader::BlockReader, source_address,
};
use diagnostics::Span;
use hcl::{
    Expr, ExprKind, ObjectKey,
    analysis::as_map,
    config::{AttributeSchema, BlockSchema, BodySchema, ConfigAttribute, ConfigBlock},
};
use release::{Product, changes};
use stack::guarded;
use tf_eval::references;
use tf_value::{Type, convert};

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "source", required: false },
        AttributeSchema { name: "version", required: false },
        AttributeSchema { name: "providers", required: false },
        AttributeSchema { name: "count", required: false },
        AttributeSchema { name: "for_each", required: false },
        AttributeSchema { name: "depends_on", required: false },
    ],
    blocks: &[
        BlockSchema { kind: "_", labels: &[] },
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "locals", labels: &[] },
        BlockSchema { kind: "provider", labels: &["type"] },
    ],
};

const KNOWN: [&str; 4] = ["_", "lifecycle", "locals", "provider"];

/// Arguments of the call itself, not of the called module.
const META: [&str; 6] = ["source", "version", "providers", "count", "for_each", "depends_on"];

/// Reads a block, which has its label.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<ModuleCall> {
    let name = block.labels.first()?.text.clone();
    let (content, problems) = block.body.partial_content(&SCHEMA);
    reader.add(problems);
    refuse_count_with_for_each(reader, &content);
    let mut enabled = None;
    if reader.options.release.has(&changes::ENABLED) {
        for it in content.blocks_of("lifecycle") {
            enabled = lifecycle::read_of_call(reader, it);
        }
        refuse_second(reader, &content, &["lifecycle"]);
        refuse_with_enabled(reader, &content, enabled.as_ref());
        refuse_reserved(reader, &content, &["locals", "provider"], "module");
    } else {
        refuse_reserved(reader, &content, &["lifecycle", "locals", "provider"], "module");
    }
    let depends_on = depends_on::read(reader, content.attribute("depends_on"));
    let providers = content.attribute("providers");
    let providers = providers.map(|it| read_providers(reader, it)).unwrap_or_default();
    match content.attribute("source") {
        Some(it) => check_source(reader, it, content.attribute("version")),
        None if reader.is_override => (),
        None => {
            let detail = "The argument \"source\" is required here.";
            reader.error("Missing required argument", detail, block.header);
        }
    }
    refuse_second(reader, &content, &["_"]);
    let (mut arguments, mut blocks) = block.body.everything();
    arguments.retain(|it| !META.contains(&it.name.name.as_str()));
    blocks.retain(|it| !KNOWN.contains(&it.kind.name.as_str()));
    // What is in the block `_` belongs to the called module, even if a call reserves the name.
    for it in content.blocks_of("_") {
        let escaped = it.body.everything();
        arguments.extend(escaped.0);
        blocks.extend(escaped.1);
    }
    let unknown_blocks = blocks.iter().map(|it| it.kind.clone()).collect();
    let arguments = arguments.iter();
    let arguments: ByName<BodyArgument> =
        arguments.map(|it| (it.name.name.clone(), BodyArgument::read(reader, it))).collect();
    let source = content.attribute("source");
    let constant_source = source.and_then(|it| constant(reader, it));
    let computed = source.filter(|_| constant_source.is_none());
    let computed_source = computed.map(|it| BodyArgument::read(reader, it));
    let version = content.attribute("version");
    let is_computed = [source, version].into_iter().flatten().any(is_evaluable);
    let computed = version.filter(|_| is_computed);
    let computed_version = computed.map(|it| BodyArgument::read(reader, it));
    Some(ModuleCall {
        unknown_blocks,
        name,
        span: block.header,
        source: constant_source.map(|(text, span)| (with_slashes(text), span)),
        computed_source,
        version: version.and_then(|it| constant(reader, it)),
        computed_version,
        arguments,
        overridden: None,
        providers,
        repetition: Repetition { enabled, ..repetition(reader, &content) },
        depends_on,
    })
}

/// The value of a constant string, with its place. `None` for one that refers to something, and after an error, which
/// is reported elsewhere.
fn constant(reader: &BlockReader<'_>, argument: &ConfigAttribute<'_>) -> Option<(SmolStr, Span)> {
    let (expr, _) = argument.literal();
    if let ExprKind::String(text) = &expr.kind {
        return Some((text.clone(), argument.value_span()));
    }
    if is_evaluable(argument) {
        return None;
    }
    let (rule, release) = (reader.rule, reader.options.release);
    let (value, problems) = evaluate_constant(&expr, rule, release, reader.meter);
    let text = convert(&value, &Type::String).ok().filter(|_| problems.is_empty())?;
    Some((text.as_str()?.into(), argument.value_span()))
}

/// Only modules of a registry have versions. Whether the module exists is not checked.
fn check_source(
    reader: &mut BlockReader<'_>,
    source: &ConfigAttribute<'_>,
    version: Option<&ConfigAttribute<'_>>,
) {
    // Errors that only an evaluation finds are left to the tree of called modules.
    let is_evaluated = reader.options.release.has(&changes::SOURCE_VARIABLES);
    let is_null_taken = reader.options.release.has(&changes::VERSION_NULL);
    let mut written = [Some(source), version].into_iter().flatten();
    let computed = written.find(|it| is_evaluable(it));
    if let Some(it) = computed {
        reader.uses(&changes::SOURCE_VARIABLES, it.value_span());
    }
    if is_evaluated && computed.is_some() {
        let is_local = constant(reader, source).is_some_and(|it| it.0.starts_with('.'));
        if let (true, Some(it), false) = (is_local, version, is_null_taken) {
            let detail = "Only modules from a registry can have a version.";
            reader.error("Invalid registry module source address", detail, it.name.span);
        }
        return;
    }
    let before = reader.diagnostics.len();
    let text = reader.string(Some(source));
    if computed.is_some() {
        advise(reader, before);
    }
    let Some(text) = text.map(|it| with_slashes(it.into())) else { return };
    // Where a version may be computed, null means no version.
    let version = version.filter(|it| !(is_null_taken && is_null(it)));
    let refusal = match version {
        Some(_) => source_address::registry_refusal(&text)
            .map(|it| ("Invalid registry module source address", it.to_owned())),
        None => source_address::refusal(&text).map(|it| ("Invalid module source address", it)),
    };
    if let Some((summary, detail)) = refusal {
        reader.error(summary, detail, source.value_span());
    } else if let Some(version) = version {
        reader.required_version(version);
    }
}

/// A local path, whose backslashes Terraform takes for slashes on every system; any other address as it is.
fn with_slashes(source: SmolStr) -> SmolStr {
    if source_address::is_local(&source) { source.replace('\\', "/").into() } else { source }
}

/// Adds to the diagnostics from this one on which release accepts a computed source.
fn advise(reader: &mut BlockReader<'_>, from: usize) {
    let product = reader.options.release.product();
    let came = changes::SOURCE_VARIABLES.since(product);
    let which = match product {
        Product::Terraform => "variables with `const = true`",
        Product::OpenTofu => "variables",
    };
    let help = format!("a `source` of {which} and locals {came}");
    let found = reader.diagnostics.iter_mut().skip(from);
    found.for_each(|it| it.help = Some(help.clone()));
}

/// Whether the value refers to something or calls a function.
fn is_evaluable(argument: &ConfigAttribute<'_>) -> bool {
    let (expr, _) = argument.expression();
    !references(&expr).is_empty() || calls_function(&expr)
}

pub(super) fn calls_function(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Call { .. });
    guarded(|| expr.for_each_child(&mut |it| found = found || calls_function(it)));
    found
}

fn is_null(argument: &ConfigAttribute<'_>) -> bool {
    matches!(argument.expression().0.kind, ExprKind::Null)
}

/// Reads the entries: the called module's name of each configuration, and the caller's.
fn read_providers(
    reader: &mut BlockReader<'_>,
    argument: &ConfigAttribute<'_>,
) -> Vec<(SmolStr, SmolStr)> {
    let expr = static_expression(reader, argument);
    let Some(items) = as_map(&expr) else {
        reader.error("Invalid expression", "A map is required here.", argument.value_span());
        return Vec::new();
    };
    let mut names: Vec<(SmolStr, SmolStr)> = Vec::new();
    for it in items {
        let (inner, span) = match &it.key {
            ObjectKey::Name(name) => {
                let problem = names::check_provider(reader.rule, &name.name, name.span);
                reader.diagnostics.extend(problem);
                (Some(name.name.clone()), name.span)
            }
            ObjectKey::Expr(key) | ObjectKey::Template(key) => {
                (lifecycle::read_provider_name(reader, key), key.span)
            }
        };
        let outer = lifecycle::read_provider_name(reader, &it.value);
        let (Some(inner), Some(outer)) = (inner, outer) else { continue };
        if names.iter().any(|it| it.0 == inner) {
            let detail = format!("{inner} is already passed.");
            reader.error("Duplicate provider address", detail, span);
        } else {
            names.push((inner, outer));
        }
    }
    names
}
