//! The bodies that Terraform itself knows, without any provider: resources of its built-in provider,
//! provisioners and their connections.

mod schemas;

use schemas::{
    ArgumentType, CONNECTION, FILE, LOCAL_EXEC, REMOTE_EXEC, REMOTE_STATE, STORE, Schema,
    TERRAFORM_DATA,
};

use std::borrow::Cow;

use super::{
    body::{self, Keeping},
    remote_state,
    resource::Look,
};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, has_errors, lints};
use hcl::analysis::TraversalStep;
use module::{
    BlockContent, BodyArgument, BodyBlock, Mode, Module, ProviderConfiguration, Provisioner,
    Resource, WrittenBody,
};
use release::changes;
use tf_eval::{Provider, Scope, evaluate_in_detail, shape};
use tf_value::{Value, convert};

/// Whether the resource belongs to the provider that is built into Terraform.
pub(super) fn is_built_in(resource: &Resource, scope: &Scope<'_>) -> bool {
    is_own_provider(resource.provider(), scope)
}

/// Whether a provider, which may have an alias after a dot, is the built-in one.
fn is_own_provider(provider: &str, scope: &Scope<'_>) -> bool {
    let name = provider.split('.').next().unwrap_or_default();
    match scope.data.provider(name) {
        Some(it) => it == Provider::BuiltIn,
        None => name == "terraform",
    }
}

/// For a type of the built-in provider that another provider is asked for: only that one knows whether it has it.
pub(super) fn strange_type(resource: &Resource, scope: &Scope<'_>) -> Option<Diagnostic> {
    if schema(resource).is_none() || is_built_in(resource, scope) {
        return None;
    }
    let (provider, ty) = (resource.provider(), &resource.ty);
    let summary = format!(
        "Only a plan can decide whether the provider {provider} has the type \
        {ty}"
    );
    let detail = format!(
        "Terraform's built-in provider has {ty}, but the resource names \
        another provider."
    );
    let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary).detail(detail);
    Some(open.at(Role::Declaration, resource.span))
}

/// The error for a resource type that the built-in provider lacks.
pub(super) fn unknown_type(resource: &Resource, scope: &Scope<'_>) -> Option<Diagnostic> {
    let is_known = shape(&resource.kind(), scope.release).is_some();
    if is_known || !is_built_in(resource, scope) {
        return None;
    }
    let summary = match resource.mode {
        Mode::Managed => "Invalid resource type",
        Mode::Data => "Invalid data source",
        Mode::Ephemeral => "Invalid ephemeral resource",
    };
    let detail = format!("Terraform's built-in provider has no type {:?}.", resource.ty);
    Some(
        Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, summary)
            .detail(detail)
            .at(Role::Declaration, resource.span),
    )
}

fn schema(resource: &Resource) -> Option<&'static Schema> {
    match (resource.mode, resource.ty.as_str()) {
        (Mode::Managed, "terraform_data") => Some(&TERRAFORM_DATA),
        (Mode::Data, "terraform_remote_state") => Some(&REMOTE_STATE),
        _ => None,
    }
}

/// Whether Terraform's built-in provider has its type.
pub(super) fn has_schema(resource: &Resource) -> bool {
    schema(resource).is_some()
}

/// Errors in the body of a resource of the built-in provider, whose values are sound.
pub(super) fn resource(resource: &Resource, scope: &Scope<'_>, look: Look) -> Diagnostics {
    let is_static = look.is_static;
    let Some(schema) = schema(resource).filter(|_| is_built_in(resource, scope)) else {
        return Vec::new();
    };
    let known = shape(&resource.kind(), scope.release).unwrap_or_default();
    let mut found = Vec::new();
    if is_static {
        let mut body = resource.body.clone();
        if known.contains(&"store") {
            found.extend(store(&mut body));
        }
        found.extend(names(&body, schema, known, resource.span));
    }
    for it in &resource.body.arguments {
        let Some(kind) = kind(schema, known, it) else { continue };
        let evaluation = evaluate_in_detail(&it.expr, scope);
        if !evaluation.diagnostics.is_empty() {
            continue;
        }
        let value = evaluation.value;
        let is_null = value.is_known() && value.is_null();
        if matches!(kind, ArgumentType::ReadOnly) && is_static && !is_null {
            let summary = format!("\"{}\" attribute is read-only", it.name.name);
            let detail = "Terraform sets this attribute, so remove it.";
            found.push(unsupported(&summary, detail, it.name.span));
        } else if value.deep_marks().is_ephemeral() {
            found.push(body::stored(&it.expr));
        } else {
            found.extend(unfit(it, kind, &value));
        }
    }
    if found.is_empty() && resource.mode == Mode::Data {
        found.extend(remote_state::check(resource, scope, look));
    }
    if is_static && !has_errors(&found) {
        found.extend(ignored(resource, known));
    }
    found
}

/// Takes the block `store` of `terraform_data` out of the body, and returns its errors.
fn store(body: &mut WrittenBody) -> Diagnostics {
    let is_store =
        |it: &BodyBlock| it.kind.name == "store" && matches!(it.content, BlockContent::Plain(_));
    let (stores, others): (Vec<BodyBlock>, Vec<BodyBlock>) =
        std::mem::take(&mut body.blocks).into_iter().partition(is_store);
    body.blocks = others;
    let mut found = Diagnostics::new();
    for (index, it) in stores.iter().enumerate() {
        if index > 0 {
            let detail = "Only one \"store\" block is allowed here.";
            found.push(unsupported("Duplicate store block", detail, it.kind.span));
        }
        if let BlockContent::Plain(inner) = &it.content {
            found.extend(names(inner, &STORE, &[], it.kind.span));
        }
    }
    found
}

fn kind(schema: &Schema, known: &[&str], argument: &BodyArgument) -> Option<ArgumentType> {
    let name = argument.name.name.as_str();
    let found = schema.arguments.iter().find(|it| it.0 == name)?;
    (known.is_empty() || known.contains(&name)).then_some(found.1)
}

/// The body that Terraform reads: its arguments are no blocks, and where a file overrides it, it is without what the
/// schema does not have.
pub(super) fn read_body<'a>(resource: &'a Resource, scope: &Scope<'_>) -> Cow<'a, WrittenBody> {
    let body = &resource.body;
    let binds = |it: &BodyArgument| !it.iterators.is_empty();
    let is_read_otherwise = body.overridden.is_some() || body.arguments.iter().any(binds);
    let schema = schema(resource).filter(|_| is_read_otherwise);
    let Some(schema) = schema.filter(|_| is_built_in(resource, scope)) else {
        return Cow::Borrowed(body);
    };
    let mut body = body.clone();
    body.arguments.iter_mut().for_each(|it| it.iterators.clear());
    if body.overridden.is_some() {
        let known = shape(&resource.kind(), scope.release).unwrap_or_default();
        body.arguments.retain(|it| kind(schema, known, it).is_some());
        body.blocks.retain(|it| is_read(it, known));
    }
    Cow::Owned(body)
}

/// Whether the plan fails to read a data source of the built-in provider.
pub(super) fn fails(resource: &Resource, scope: &Scope<'_>, look: Look) -> bool {
    resource.kind() == "data.terraform_remote_state"
        && is_built_in(resource, scope)
        && remote_state::fails(resource, scope, look)
}

/// Whether Terraform reads a block of an overridden body: it drops unknown ones, except those of `dynamic`.
fn is_read(block: &BodyBlock, known: &[&str]) -> bool {
    let is_store = block.kind.name == "store" && known.contains(&"store");
    is_store || matches!(block.content, BlockContent::Dynamic(_))
}

/// Errors for arguments and blocks that do not exist, and for required arguments that are missing.
fn names(body: &WrittenBody, schema: &Schema, known: &[&str], place: Span) -> Diagnostics {
    let mut found = Vec::new();
    let is_given = |name: &str| match &body.overridden {
        Some(before) => before.iter().any(|it| it == name),
        None => body.argument(name).is_some(),
    };
    let drops = body.overridden.is_some();
    for name in schema.required {
        if !is_given(name) {
            let problem = Diagnostic::new(&lints::MISSING_ARGUMENT, "Missing required argument");
            let detail = format!("The argument \"{name}\" is required here.");
            found.push(problem.detail(detail).at(Role::Declaration, place));
        }
    }
    for it in &body.arguments {
        let name = &it.name.name;
        if kind(schema, known, it).is_none() && !drops {
            let detail = format!("An argument named \"{name}\" is not expected here.");
            found.push(unsupported("Unsupported argument", detail, it.name.span));
        }
    }
    for it in body.blocks.iter().filter(|it| !drops || is_read(it, known)) {
        let name = &it.kind.name;
        let detail = match &it.content {
            BlockContent::Plain(_) => format!("Blocks of type \"{name}\" are not expected here."),
            BlockContent::Dynamic(_) => "Blocks are not expected here.".to_owned(),
        };
        found.push(unsupported("Unsupported block type", detail, it.kind.span));
    }
    found
}

/// The error for a value that is not of the argument's type.
fn unfit(argument: &BodyArgument, kind: ArgumentType, value: &Value) -> Option<Diagnostic> {
    let error = convert(value, &kind.ty()).err()?;
    let detail = format!("Unsuitable value for \"{}\": {}.", argument.name.name, error.reason);
    Some(failed("Incorrect attribute value type", detail, argument.expr.span))
}

/// Errors for attributes in `ignore_changes` that do not exist.
fn ignored(resource: &Resource, known: &[&str]) -> Diagnostics {
    let mut found = Vec::new();
    for it in &resource.ignored {
        let [TraversalStep::Attr(name), rest @ ..] = it.steps.as_slice() else { continue };
        let is_there = known.contains(&name.name.as_str());
        if !is_there || (name.name == "id" && !rest.is_empty()) {
            let detail = format!("{} has no such attribute.", resource.ty);
            let problem = Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, "Unsupported attribute");
            found.push(problem.detail(detail).at(Role::Declaration, it.span));
        }
    }
    found
}

/// The error for a configuration of the built-in provider, which takes none.
pub(super) fn configuration(it: &ProviderConfiguration, scope: &Scope<'_>) -> Diagnostics {
    let nothing = Schema { arguments: &[], required: &[] };
    match it.address.strip_prefix("provider.") {
        Some(name) if is_own_provider(name, scope) => names(&it.body, &nothing, &[], it.span),
        None if is_own_action(it, scope) && scope.release.has(&changes::ACTION_CHECKED) => {
            let detail = "Terraform's built-in provider has no actions.";
            vec![unsupported("Invalid action type", detail, it.span)]
        }
        _ => Vec::new(),
    }
}

/// Whether it is the configuration of the built-in provider.
pub(super) fn takes_nothing(it: &ProviderConfiguration, scope: &Scope<'_>) -> bool {
    it.address.strip_prefix("provider.").is_some_and(|it| is_own_provider(it, scope))
}

fn is_own_action(it: &ProviderConfiguration, scope: &Scope<'_>) -> bool {
    let ty = it.address.strip_prefix("action.").and_then(|it| it.split('.').next());
    ty.is_some_and(|it| is_own_provider(it.split('_').next().unwrap_or(it), scope))
}

/// Errors for version constraints in configurations of the built-in provider. `terraform init` looks for them no matter
/// where the configuration is used.
pub(super) fn constrained_configurations(module: &Module) -> Diagnostics {
    let is_own = |address: &str| {
        let name = address.split('.').next().unwrap_or(address);
        let required = module.required_providers.get(name);
        required.map_or(name == "terraform", |it| it.is_built_in(name))
    };
    let all = module.configurations.iter();
    let own = all.filter(|it| it.address.strip_prefix("provider.").is_some_and(is_own));
    let problem = |span: Span| {
        let detail =
            "The built-in provider is part of the release. It takes no version constraint.";
        unsupported("Invalid dependency on built-in provider", detail, span)
    };
    own.filter_map(|it| Some(it.version.as_ref()?.span)).map(problem).collect()
}

/// Errors for provisioners that Terraform does not have, which it looks for before it evaluates anything.
pub(super) fn missing_provisioners(module: &Module) -> Diagnostics {
    let all = module.resources.values().flat_map(|it| &it.provisioners);
    let missing = all.filter(|it| provisioner_schema(&it.kind).is_none());
    let problem = |it: &Provisioner| {
        let detail = format!("Terraform has no provisioner named {:?}.", it.kind);
        unsupported("Missing required provisioner plugin", detail, it.span)
    };
    missing.map(problem).collect()
}

/// Errors for metadata that the built-in provider does not take, where a resource has it given.
pub(super) fn metadata(module: &Module) -> Diagnostics {
    let is_own = |name: &str| {
        let name = name.split('.').next().unwrap_or(name);
        module.required_providers.get(name).map_or(name == "terraform", |it| it.is_built_in(name))
    };
    let is_used = || module.resources.values().any(|it| is_own(it.provider()));
    let given =
        module.declared.iter().filter(|((kind, name), _)| kind == "provider_meta" && is_own(name));
    let problem = |span: Span| {
        let detail = "Only providers that support it can have such a block.";
        unsupported("Terraform's built-in provider does not support provider_meta", detail, span)
    };
    given.filter(|_| is_used()).map(|(_, span)| problem(*span)).collect()
}

fn provisioner_schema(kind: &str) -> Option<&'static Schema> {
    match kind {
        "local-exec" => Some(&LOCAL_EXEC),
        "remote-exec" => Some(&REMOTE_EXEC),
        "file" => Some(&FILE),
        _ => None,
    }
}

/// Errors in the provisioners of a resource. Terraform checks these in its static pass.
pub(super) fn provisioners(resource: &Resource, scope: &Scope<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for it in &resource.provisioners {
        found.extend(provisioner(it, resource, scope));
    }
    found
}

fn provisioner(it: &Provisioner, resource: &Resource, scope: &Scope<'_>) -> Diagnostics {
    let schema = provisioner_schema(&it.kind);
    let mut found = of_schema(&it.body, schema, it.span, scope);
    // A null counts as left out; a value that only a plan knows does not.
    let is_given = |name: &&&str| {
        it.body.argument(name).is_some_and(|it| {
            let value = evaluate_in_detail(&it.expr, scope).value;
            !value.is_known() || !value.is_null()
        })
    };
    let (alternatives, summary) = match it.kind.as_str() {
        "remote-exec" => {
            (&["inline", "script", "scripts"][..], "Invalid remote-exec provisioner configuration")
        }
        "file" => (&["content", "source"][..], "Invalid file provisioner configuration"),
        _ => (&[][..], ""),
    };
    let command = it.body.argument("command").filter(|_| it.kind == "local-exec");
    if let (Some(command), true) = (command, scope.release.has(&changes::LOCAL_EXEC_COMMAND)) {
        let value = evaluate_in_detail(&command.expr, scope).value.unmark().0;
        if value.is_known() && (value.is_null() || value.as_str() == Some("")) {
            let detail = "The command must not be empty.";
            let summary = "Invalid local-exec provisioner command";
            found.push(failed(summary, detail, command.expr.span));
        }
    }
    if !alternatives.is_empty() && !has_errors(&found) {
        let count = alternatives.iter().filter(is_given).count();
        if count != 1 {
            let detail = format!("Exactly one of {} must be set.", alternatives.join(", "));
            found.push(unsupported(summary, detail, it.span));
        }
    }
    let (own, common) = (it.connection.as_ref(), resource.connection.as_ref());
    if let Some(place) = own.or(common).map(|it| it.span) {
        // The provisioner's own arguments replace those of the connection that all provisioners share, as an override
        // file would.
        let body = match (common, own) {
            (Some(common), Some(own)) => {
                let mut body = common.body.clone();
                body.merge(own.body.clone());
                body
            }
            _ => own.or(common).map(|it| it.body.clone()).unwrap_or_default(),
        };
        found.extend(of_schema(&body, Some(&CONNECTION), place, scope));
    }
    found
}

fn of_schema(
    body: &WrittenBody,
    schema: Option<&'static Schema>,
    place: Span,
    scope: &Scope<'_>,
) -> Diagnostics {
    let mut read = Cow::Borrowed(body);
    if let Some(schema) = schema.filter(|_| body.overridden.is_some()) {
        let body = read.to_mut();
        body.arguments.retain(|it| kind(schema, &[], it).is_some());
        body.blocks.retain(|it| is_read(it, &[]));
    }
    let body = &*read;
    let mut found = body::references(body, scope);
    if has_errors(&found) {
        return found;
    }
    found.extend(body::evaluate(body, scope, scope, Keeping::BySchema));
    let Some(schema) = schema else { return found };
    found.extend(names(body, schema, &[], place));
    for it in &body.arguments {
        let Some(kind) = kind(schema, &[], it) else { continue };
        let evaluation = evaluate_in_detail(&it.expr, scope);
        if evaluation.diagnostics.is_empty() {
            found.extend(unfit(it, kind, &evaluation.value));
        }
    }
    found
}

fn unsupported(summary: &str, detail: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, summary)
        .detail(detail)
        .at(Role::Declaration, span)
}

pub(super) fn failed(summary: &str, detail: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::FAILED_EVALUATION, summary).detail(detail).at(Role::Rule, span)
}
