//! Reads `terraform` blocks: required versions and providers.

use std::sync::Arc;

use super::{lifecycle, module_call::calls_function, static_expression};
use crate::{
    BackendValue, BlockContent, BodyArgument, RequiredProvider, RequiredVersion, WrittenBody,
    admitted, backends,
    body::NOTHING,
    evaluate_constant,
    file::{Backend, Declared, Demand, FileContent},
    names, provider_address,
    reader::BlockReader,
    source_address,
};
use diagnostics::{Diagnostics, Span};
use hcl::{
    Expr, ExprKind, ObjectItem, ObjectKey,
    analysis::{as_keyword, as_list, as_map},
    config::{AttributeSchema, BlockSchema, BodySchema, ConfigAttribute, ConfigBlock},
};
use release::{Product, changes};
use smol_str::SmolStr;
use tf_eval::references;
use tf_value::{Type, Value, convert};

const SCHEMA: BodySchema = BodySchema {
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

const CLOUD: BodySchema =
    BodySchema { attributes: &[], blocks: &[BlockSchema { kind: "workspaces", labels: &[] }] };

const LANGUAGE: BodySchema =
    BodySchema { attributes: &[], blocks: &[BlockSchema { kind: "compatible_with", labels: &[] }] };

const COMPATIBLE: BodySchema = BodySchema {
    attributes: &[AttributeSchema { name: "opentofu", required: false }],
    blocks: &[],
};

/// Reads a `terraform` block into the declarations of its file.
pub fn read_settings(
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
        match it.kind.name.as_str() {
            kind @ ("backend" | "cloud") => {
                let is_cloud = kind == "cloud";
                let check = if is_cloud { check_cloud } else { check_backend };
                let (problems, values) = check(reader, it);
                file.backends.push(Backend { is_cloud, span: it.header, problems, values });
            }
            "provider_meta" => check_meta(reader, it),
            _ => (),
        }
        if it.kind.name == "required_providers" {
            read_providers(reader, it, file);
        }
    }
}

/// Reads the part of a `language` block that says which releases run the module.
pub fn read_language(
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
    let body = WrittenBody::read(reader, block.body, &NOTHING);
    let mut exprs = Vec::new();
    body.expressions(&mut exprs);
    let refers =
        |expr: &&&Expr| references(expr).iter().any(|it| matches!(it.name, "var" | "local"));
    if let Some(it) = exprs.iter().find(refers) {
        let detail = "This value cannot refer to variables or locals.";
        reader.error("Variables not allowed", detail, it.span);
    }
}

/// The errors of a backend: an unknown type, names that it does not take, and references in its arguments. With the
/// values that refer to something.
fn check_backend(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
) -> (Diagnostics, Vec<BackendValue>) {
    let before = reader.diagnostics.len();
    let label = block.labels.first();
    if let Some(label) = label {
        let release = reader.options.release;
        let change = names::backend_change(&label.text);
        if let Some(change) = change {
            reader.uses(change, label.span);
        }
        if !names::is_backend(&label.text, release) {
            let detail = match change.map(|it| it.since(release.product())) {
                Some(came) => {
                    format!("{release} does not know the backend {:?}, which {came}.", label.text)
                }
                None => format!("Terraform has no backend named {:?}.", label.text),
            };
            reader.error("Unsupported backend type", detail, label.span);
        }
    }
    refuse_other_json(reader, block);
    let body = WrittenBody::read(reader, block.body, &NOTHING);
    let ty = label.map_or("", |it| it.text.as_str());
    let strings: &[&str] = match ty {
        "local" => &["path", "workspace_dir"],
        "inmem" => &["lock_id"],
        _ => &[],
    };
    if !strings.is_empty() {
        check_names(reader, &body, strings, &[]);
    } else if let Some(known) = backends::arguments_of(ty)
        && reader.options.release.product() == Product::Terraform
    {
        let blocks: Vec<&str> =
            known.iter().filter(|it| backends::type_of(ty, it).is_none()).copied().collect();
        check_names(reader, &body, &known, &blocks);
    }
    if matches!(ty, "remote" | "cos" | "oss" | "kubernetes") {
        check_blocks(reader, block, &["workspaces", "exec", "assume_role"]);
    }
    // Of arguments that another product may have too, only those of its own backends are known.
    let is_known = !strings.is_empty() || reader.options.release.product() == Product::Terraform;
    let type_of = |name: &str| backends::type_of(ty, name).filter(|_| is_known);
    let values = check_values(reader, block, &body, &type_of);
    (reader.diagnostics.split_off(before), values)
}

/// Refuses a body in JSON that is not an object.
fn refuse_other_json(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    let (_, problems) = block.body.partial_content(&NOTHING);
    reader.add(problems);
}

/// Refuses values that are not known before everything else, which a backend needs. Those that refer to something are
/// the result: OpenTofu evaluates them.
fn check_values(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    body: &WrittenBody,
    type_of: &dyn Fn(&str) -> Option<Type>,
) -> Vec<BackendValue> {
    let is_evaluated = reader.options.release.has(&changes::BACKEND_VARIABLES);
    let mut exprs = Vec::new();
    body.expressions(&mut exprs);
    let (arguments, _) = block.body.everything();
    arguments.iter().for_each(|it| check_constant(reader, it, type_of(&it.name.name)));
    // In JSON a text is not a template here.
    if !is_evaluated && arguments.iter().any(|it| it.json_value().is_some()) {
        exprs.clear();
    }
    for expr in exprs {
        let found = references(expr);
        let roots = ["var", "local", "path", "terraform", "tofu"];
        let other = found.iter().find(|it| !is_evaluated || !roots.contains(&it.name));
        if let Some(it) = other {
            let detail = "Terraform needs this value before it knows what the expression refers \
                to.";
            reader.error("Variables not allowed", detail, it.span);
        } else if !is_evaluated && calls_function(expr) {
            let detail = "Functions cannot be called here.";
            reader.error("Function calls not allowed", detail, expr.span);
        }
    }
    let refers = |it: &&BodyArgument| is_evaluated && !references(&it.expr).is_empty();
    let value =
        |it: &BodyArgument| BackendValue { expr: Arc::clone(&it.expr), ty: type_of(&it.name.name) };
    body.arguments.iter().filter(refers).map(value).collect()
}

/// Refuses a constant that cannot be evaluated, or that is not of the type.
fn check_constant(reader: &mut BlockReader<'_>, argument: &ConfigAttribute<'_>, ty: Option<Type>) {
    let (expr, problems) = argument.literal();
    if !problems.is_empty() || !references(&expr).is_empty() || calls_function(&expr) {
        return;
    }
    if let Some(value) = reader.constant(&expr)
        && let Some(ty) = ty
        && let Err(error) = convert(&value, &ty)
    {
        let detail = format!("The argument {:?}: {}.", argument.name.name, error.reason);
        reader.error("Incorrect attribute value type", detail, argument.value_span());
    }
}

/// The errors of a `cloud` block.
fn check_cloud(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
) -> (Diagnostics, Vec<BackendValue>) {
    let before = reader.diagnostics.len();
    refuse_other_json(reader, block);
    let body = WrittenBody::read(reader, block.body, &NOTHING);
    let arguments = ["hostname", "organization", "token", "workspaces"];
    check_names(reader, &body, &arguments, &["workspaces"]);
    check_blocks(reader, block, &["workspaces"]);
    for (index, it) in body.blocks.iter().filter(|it| it.kind.name == "workspaces").enumerate() {
        if index > 0 {
            let detail = "Only one \"workspaces\" block is allowed here.";
            reader.error("Duplicate workspaces block", detail, it.kind.span);
        }
        if let BlockContent::Plain(body) = &it.content {
            check_names(reader, body, &["name", "project", "tags"], &[]);
        }
    }
    let values = check_values(reader, block, &body, &|name| backends::type_of("cloud", name));
    let (content, _) = block.body.partial_content(&CLOUD);
    content.blocks.iter().for_each(|it| check_workspaces(reader, it));
    (reader.diagnostics.split_off(before), values)
}

/// Refuses values in a `workspaces` block that no environment mends. What it lacks, `TF_WORKSPACE` may give.
fn check_workspaces(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    let (arguments, _) = block.body.everything();
    let mut strategies = Vec::new();
    for argument in &arguments {
        let (expr, problems) = argument.literal();
        let is_literal =
            problems.is_empty() && references(&expr).is_empty() && !calls_function(&expr);
        let value = if is_literal { constant(reader, &expr) } else { None };
        let Some(value) = value.filter(|it| !it.is_null()) else { continue };
        let name = argument.name.name.as_str();
        if matches!(name, "name" | "tags") {
            strategies.push(argument.name.span);
        }
        if name == "tags" && value.ty().is_primitive() {
            let detail = "The argument \"tags\" takes a list of texts, or an object of texts.";
            reader.error("Incorrect attribute value type", detail, argument.value_span());
        } else if matches!(name, "name" | "project") {
            check_constant(reader, argument, Some(Type::String));
        }
    }
    if let [_, second] = strategies[..] {
        let detail = "A \"workspaces\" block takes either \"name\" or \"tags\", not both.";
        reader.error("Invalid workspaces configuration", detail, second);
    }
}

/// Refuses blocks that are written as arguments, which JSON does not distinguish.
fn check_blocks(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, names: &[&str]) {
    let (arguments, _) = block.body.everything();
    for it in arguments.iter().filter(|it| it.json_value().is_none()) {
        if names.contains(&it.name.name.as_str()) {
            let detail = format!("{:?} is a block here, not an argument.", it.name.name);
            reader.error("Unsupported argument", detail, it.name.span);
        }
    }
}

/// Refuses arguments and blocks of other names.
fn check_names(
    reader: &mut BlockReader<'_>,
    body: &WrittenBody,
    arguments: &[&str],
    blocks: &[&str],
) {
    for it in body.arguments.iter().filter(|it| !arguments.contains(&it.name.name.as_str())) {
        let detail = format!("An argument named {:?} is not expected here.", it.name.name);
        reader.error("Unsupported argument", detail, it.name.span);
    }
    for it in body.blocks.iter().filter(|it| !blocks.contains(&it.kind.name.as_str())) {
        let detail = format!("Blocks of type {:?} are not expected here.", it.kind.name);
        reader.error("Unsupported block type", detail, it.kind.span);
    }
}

/// Refuses a `provider_meta` block whose label is not a provider's name, blocks in it, and arguments that are not
/// constant.
fn check_meta(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    if let Some(label) = block.labels.first() {
        reader.diagnostics.extend(names::check_provider(reader.rule, &label.text, label.span));
    }
    let (arguments, problems) = block.body.just_attributes();
    reader.add(problems);
    for it in arguments.iter().filter(|it| it.json_value().is_none()) {
        let (expr, _) = it.expression();
        if let Some(it) = references(&expr).first() {
            let detail = "Terraform needs this value before it evaluates anything.";
            reader.error("Variables not allowed", detail, it.span);
        } else if calls_function(&expr) {
            let detail = "Functions cannot be called here.";
            reader.error("Function calls not allowed", detail, it.value_span());
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
        let detail = "The only edition is TF2021, written without quotes.";
        reader.error("Invalid language edition", detail, argument.value_span());
    }
}

fn read_providers(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>, file: &mut FileContent) {
    let (providers, problems) = block.body.just_attributes();
    reader.add(problems);
    for it in providers {
        let name = &it.name;
        let expr = reader.literal(&it);
        let (source, version, aliases) = (None, None, Vec::new());
        let mut required = RequiredProvider { span: name.span, source, version, aliases };
        reader.diagnostics.extend(names::check_provider(reader.rule, &name.name, name.span));
        match constant(reader, &expr) {
            Some(value) if is_primitive(&value) => {
                let text = convert(&value, &Type::String).ok();
                required.version = read_version(reader, text.as_ref(), it.value_span());
            }
            _ => {
                let entry = Entry { name: &name.name, is_json: it.json_value().is_some() };
                entry.read(reader, &expr, &mut required);
            }
        }
        check_built_in(reader, &name.name, &required, it.value_span());
        file.required_providers.push((name.name.clone(), required));
    }
}

/// `terraform init` installs no built-in provider, so there is no version to choose.
fn check_built_in(
    reader: &mut BlockReader<'_>,
    name: &str,
    required: &RequiredProvider,
    span: Span,
) {
    let product = reader.options.release.product();
    let address = provider_address(required.source.as_deref(), name, product);
    let Some(ty) = address.strip_prefix("terraform.io/builtin/") else { return };
    let detail = match required.version {
        _ if ty != "terraform" => format!("There is no built-in provider named {ty:?}."),
        Some(_) => format!("{address} is part of the release. It takes no version constraint."),
        None => return,
    };
    reader.error("Invalid dependency on built-in provider", detail, span);
}

/// The value of an expression that refers to nothing and calls nothing.
fn constant(reader: &BlockReader<'_>, expr: &Expr) -> Option<Value> {
    let (rule, release) = (reader.rule, reader.options.release);
    let (value, problems) = evaluate_constant(expr, rule, release, reader.meter);
    problems.is_empty().then_some(value)
}

fn is_primitive(value: &Value) -> bool {
    matches!(value.ty(), Type::String | Type::Number | Type::Bool)
}

/// The text of a version constraint.
fn read_version(
    reader: &mut BlockReader<'_>,
    value: Option<&Value>,
    span: Span,
) -> Option<SmolStr> {
    let Some(text) = value.and_then(Value::as_str) else {
        reader.error("Invalid version constraint", "A version constraint is a string.", span);
        return None;
    };
    reader.diagnostics.extend(admitted::check_syntax(text, span));
    Some(text.into())
}

/// The entry of a provider.
struct Entry<'a> {
    /// The provider's local name.
    name: &'a str,
    is_json: bool,
}

impl Entry<'_> {
    fn read(&self, reader: &mut BlockReader<'_>, expr: &Expr, required: &mut RequiredProvider) {
        let Some(items) = as_map(expr) else {
            let detail = "Describe a provider by a version constraint or by an object.";
            return reader.error("Invalid required_providers object", detail, expr.span);
        };
        for it in items {
            let Some((key, span)) = key(reader, it) else { continue };
            match key.as_str() {
                "version" => {
                    let value = constant(reader, &it.value);
                    required.version = read_version(reader, value.as_ref(), it.value.span);
                }
                "source" => required.source = read_source(reader, &it.value),
                "configuration_aliases" => self.read_aliases(reader, &it.value, required),
                _ => {
                    let detail = "Only source, version and configuration_aliases are allowed here.";
                    return reader.error("Invalid required_providers object", detail, span);
                }
            }
        }
    }

    fn read_aliases(
        &self,
        reader: &mut BlockReader<'_>,
        expr: &Expr,
        required: &mut RequiredProvider,
    ) {
        let Some(elements) = as_list(expr) else {
            return reader.error("Invalid expression", "A list is required here.", expr.span);
        };
        for it in elements {
            let is_text = matches!(it.kind, ExprKind::String(_)) && !self.is_json;
            let name = lifecycle::declared_provider_name(it).filter(|_| !is_text);
            let Some(name) = name else {
                let detail = format!("Names such as {}.west are required here.", self.name);
                reader.error("Invalid configuration_aliases value", detail, it.span);
                continue;
            };
            if name.split('.').next() != Some(self.name) {
                let detail = format!(
                    "The alias of a provider must begin with the provider's name: {}.",
                    self.name
                );
                reader.error("Invalid configuration_aliases value", detail, it.span);
            }
            required.aliases.push(name);
        }
    }
}

fn read_source(reader: &mut BlockReader<'_>, expr: &Expr) -> Option<SmolStr> {
    let value = constant(reader, expr);
    let Some(text) = value.as_ref().and_then(Value::as_str) else {
        reader.error("Invalid source", "A source is a string.", expr.span);
        return None;
    };
    if !is_source(text) {
        let detail = "Write [HOST/][NAMESPACE/]NAME; NAME must not begin with \"terraform-\".";
        reader.error("Invalid provider source string", detail, expr.span);
    } else if let [host, _, _] = text.split('/').collect::<Vec<_>>()[..]
        && !source_address::is_registry_host(host)
    {
        let detail =
            format!("{host:?} is not the name of a host (write Unicode letters, not xn--…).");
        reader.error("Invalid provider source hostname", detail, expr.span);
    }
    Some(text.into())
}

/// The name of an argument in an entry. `None` after an error.
fn key(reader: &mut BlockReader<'_>, item: &ObjectItem) -> Option<(SmolStr, Span)> {
    let expr = match &item.key {
        ObjectKey::Name(it) => return Some((it.name.clone(), it.span)),
        ObjectKey::Expr(it) | ObjectKey::Template(it) => it,
    };
    let value = reader.constant(expr)?;
    let Some(text) = value.as_str() else {
        reader.error("Invalid attribute", "The name of an argument is required here.", expr.span);
        return None;
    };
    Some((text.into(), expr.span))
}

fn is_source(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > 1 && parts.last().is_some_and(|it| it.starts_with("terraform-")) {
        return false;
    }
    let is_path = |parts: &[&str]| parts.iter().all(|it| names::is_provider_part(it));
    match parts.as_slice() {
        [host, path @ ..] if path.len() == 2 => !host.is_empty() && is_path(path),
        path => path.len() <= 2 && is_path(path),
    }
}
