//! Merges override files into a module, argument by argument, as Terraform does.

use super::{
    Module, Output, ProviderConfiguration, Variable,
    file::{Backend, Declared, FileContent, UNADDRESSED},
    merge::{constraints, duplicate},
    object::{Mode, overridden_dependencies},
    variable::{invalid_default, null_default},
};
use diagnostics::{Cause, Diagnostic, Diagnostics, Lint, Role, Span, lints};
use tf_value::convert;

/// Merges one override file.
pub(super) fn merge(module: &mut Module, file: FileContent, diagnostics: &mut Diagnostics) {
    for it in file.variables {
        let Some(base) = module.variables.get_mut(&it.name) else {
            let what = "base variable declaration";
            let problem = missing(&lints::INVALID_VARIABLE, what, &it.name, it.span);
            diagnostics.push(problem.variable(it.name));
            continue;
        };
        merge_variable(base, it, diagnostics);
    }
    for it in file.locals {
        let Some(base) = module.locals.get_mut(&it.name) else {
            let what = "base local value definition";
            diagnostics.push(missing(&lints::INVALID_MODULE, what, &it.name, it.span));
            continue;
        };
        *base = it;
    }
    for it in file.outputs {
        let Some(base) = module.outputs.get_mut(&it.name) else {
            let what = "base output definition";
            diagnostics.push(missing(&lints::INVALID_MODULE, what, &it.name, it.span));
            continue;
        };
        diagnostics.extend(merge_output(base, it));
    }
    for it in file.calls {
        if let Some(base) = module.calls.get_mut(&it.name) {
            diagnostics.extend(base.merge(it));
        }
    }
    for it in file.resources {
        // Terraform ignores ephemeral resources of override files.
        if it.mode == Mode::Ephemeral {
            continue;
        }
        if let Some(base) = module.resources.get_mut(&(it.kind(), it.name.clone())) {
            diagnostics.extend(base.merge(it));
        }
    }
    for it in file.configurations {
        diagnostics.extend(merge_configuration(module, it));
    }
    for it in file.declared {
        check_declared(module, it, diagnostics);
    }
    module.required_providers.extend(file.required_providers);
    merge_backends(module, &file.backends, diagnostics);
    // Constraints of an override file replace all earlier ones.
    if !file.required_versions.is_empty() {
        module.required_versions = constraints(file.required_versions).collect();
    }
    for it in file.blocks {
        let Some(blocks) = &mut module.blocks else { break };
        match blocks.iter_mut().find(|base| base.is_same(&it)) {
            Some(base) => base.merge(it.body),
            None => blocks.push(it),
        }
    }
}

/// A `backend` or `cloud` block replaces one of another file. A `cloud` block of the same file wins, but two of
/// a kind in one file are an error.
fn merge_backends(module: &mut Module, new: &[Backend], diagnostics: &mut Diagnostics) {
    for is_cloud in [false, true] {
        let mut blocks = new.iter().filter(|it| it.is_cloud == is_cloud);
        let Some(first) = blocks.next() else { continue };
        let what = if is_cloud { "HCP Terraform configurations" } else { "backend configuration" };
        let again = blocks.next();
        let name = if is_cloud { "cloud" } else { "backend" };
        diagnostics.extend(
            again.map(|it| duplicate(&lints::INVALID_MODULE, what, name, it.span, first.span)),
        );
        module.backend = Some(first.problems.clone());
        module.backend_values.clone_from(&first.values);
    }
}

/// Merges a configuration of a provider, or an action. Errors: a configuration with an alias that is not there;
/// without an alias there is always one, an empty one.
fn merge_configuration(module: &mut Module, new: ProviderConfiguration) -> Option<Diagnostic> {
    let base = module.configurations.iter_mut().find(|base| base.address == new.address);
    if let Some(base) = base {
        base.repetition.merge(new.repetition);
        base.is_configured |= new.is_configured;
        base.version = new.version.or(base.version.take());
        base.body.merge(new.body);
        return None;
    }
    // The declaration of an action is missed with those of resources.
    let name = new.address.strip_prefix("provider.")?;
    if name.contains('.') {
        let what = "base provider configuration";
        return Some(missing(&lints::INVALID_MODULE, what, name, new.span));
    }
    module.configurations.push(new);
    None
}

/// Errors for calls of a local directory with a `version` from another file.
pub(super) fn check_versions(module: &Module) -> Diagnostics {
    let calls = module.calls.values().filter(|it| it.overridden.is_some());
    let unfit = calls.filter_map(|it| {
        let ((source, source_span), (_, span)) = (it.source.as_ref()?, it.version.as_ref()?);
        let is_local = source.starts_with("./") || source.starts_with("../");
        let is_new = is_local && source_span.file != span.file;
        is_new.then(|| {
            let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid version constraint");
            let detail =
                "Only modules from a registry can have a version, and this call uses a directory.";
            let problem = problem.detail(detail).at(Role::Declaration, *span);
            problem.at_with(Role::Declaration, *source_span, "the source of the call")
        })
    });
    unfit.collect()
}

fn merge_variable(base: &mut Variable, new: Variable, diagnostics: &mut Diagnostics) {
    let (new_type, new_default) = (new.type_span.is_some(), new.default.is_some());
    if new_type {
        // The defaults of optional attributes stay the base's: Terraform does not replace them.
        base.constraint.ty = new.constraint.ty;
        base.type_span = new.type_span;
    }
    if new_default {
        base.default = new.default;
        base.default_for_null = None;
        base.default_expr = new.default_expr;
    }
    if new.description.is_some() {
        base.description = new.description;
        base.description_span = new.description_span;
    }
    base.nullable = new.nullable.or(base.nullable);
    base.sensitive = new.sensitive.or(base.sensitive);
    base.ephemeral = new.ephemeral.or(base.ephemeral);
    base.deprecated = new.deprecated.or(base.deprecated.take());
    base.constant = new.constant.or(base.constant);
    let problems = check_default(base, new.span, new_type, new_default);
    diagnostics.extend(problems.into_iter().map(|it| it.variable(new.name.clone())));
}

/// Converts the default to the merged type.
fn check_default(
    base: &mut Variable,
    span: Span,
    new_type: bool,
    new_default: bool,
) -> Diagnostics {
    let mut problems = Vec::new();
    let Some(default) = base.instead_of_null() else { return problems };
    let is_null = default.is_null();
    match convert(default, &base.constraint.ty) {
        Ok(value) => {
            base.default = base.constraint.accept(&value).ok().or_else(|| Some(value.clone()));
            base.default_for_null = Some(value).filter(|it| base.default.as_ref() != Some(it));
        }
        Err(error) => {
            let whose = match (new_type, new_default) {
                (true, false) => "The default does not match the type that this override declares",
                (false, true) => "The default of this override does not match the variable's type",
                _ => "The default does not match the overridden type of the variable",
            };
            problems.push(invalid_default(format!("{whose}: {error}{}.", error.more()), span));
        }
    }
    if is_null && base.nullable == Some(false) {
        problems.push(null_default(span));
    }
    problems
}

fn merge_output(base: &mut Output, new: Output) -> Option<Diagnostic> {
    base.value = new.value.or(base.value.take());
    base.sensitive = new.sensitive.or(base.sensitive);
    base.ephemeral = new.ephemeral.or(base.ephemeral);
    base.description = new.description.or(base.description.take());
    base.constraint = new.constraint.or(base.constraint.take());
    overridden_dependencies(&new.depends_on)
}

fn check_declared(module: &Module, new: Declared, diagnostics: &mut Diagnostics) {
    let problem = match new.kind.as_str() {
        "check" => {
            let detail = "An override file cannot change a check.";
            Diagnostic::new(&lints::INVALID_MODULE, "Can't override check blocks")
                .detail(detail)
                .at(Role::Declaration, new.span)
        }
        // Terraform ignores ephemeral resources of override files.
        kind if UNADDRESSED.contains(&kind) || kind.starts_with("ephemeral.") => return,
        kind => {
            let what = match kind {
                "module" => "module call",
                it if it.starts_with("data.") => "data resource",
                _ => "resource",
            };
            let problem = missing(&lints::INVALID_MODULE, what, &new.name, new.span);
            if module.declared.contains_key(&(new.kind, new.name)) {
                return;
            }
            problem
        }
    };
    diagnostics.push(problem);
}

fn missing(rule: &'static Lint, what: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(rule, format!("Missing {what} to override"))
        .detail(format!("No other file declares \"{name}\", so there is nothing to override."))
        .cause(Cause::Base(name.into()))
        .at(Role::Declaration, span)
}
