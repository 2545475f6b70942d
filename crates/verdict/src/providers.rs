//! Which configuration of a provider each module, resource and call has: handed over by `providers`, inherited, or its
//! own.

use std::collections::HashSet;

use smol_str::SmolStr;

use super::members::{Member, Members};
use diagnostics::{Cause, Diagnostic, Diagnostics, Role, Span, lints};
use module::{Module, ProviderReference, Resource, provider_address};

/// What Terraform refuses before it evaluates anything: configurations in modules whose calls are repeated, and
/// `providers` that do not fit what the called module requires.
pub(super) fn check_calls(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        found.extend(unnamed(member).into_iter().map(|it| members.own(index, it)));
        let Some((caller, call)) = member.caller else { continue };
        let configured: HashSet<&str> = configured(member.module).collect();
        if !configured.is_empty()
            && let Some((at, span)) = repeated(members, index)
        {
            found.push(members.own(at, legacy(member.address, span)));
        }
        let of_call = |summary: &str, detail: String| {
            let problem = Diagnostic::new(&lints::INVALID_MODULE, summary).detail(detail);
            members.own(caller, problem.at(Role::Declaration, call.span))
        };
        for (inner, _) in call.providers.iter().filter(|it| configured.contains(it.0.as_str())) {
            let detail = format!("The called module configures {inner} itself.");
            found.push(of_call("Cannot override provider configuration", detail));
        }
        for name in demanded(member.module) {
            let is_given = call.providers.iter().any(|(inner, _)| inner == name);
            if !is_given && !configured.contains(name) {
                let summary = "Missing required provider configuration";
                found.push(members.own(caller, Lack { summary, name, span: call.span }.error()));
            }
        }
    }
    found
}

/// Errors for resources whose types do not begin with a valid provider name. For an ephemeral one Terraform crashes.
fn unnamed(member: &Member<'_>) -> Diagnostics {
    let resources = member.module.resources.values();
    let implied = resources.filter(|it| it.provider.is_none());
    let unnamed = implied.filter(|it| !module::is_provider_part(it.provider()));
    let problem = |span: Span| {
        let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid provider local name");
        let detail = "The type must begin with the name of its provider: letters, digits and \
            single dashes between them.";
        problem.detail(detail).at(Role::Declaration, span)
    };
    unnamed.map(|it| problem(it.span)).collect()
}

/// The names of the configurations with content that a module has.
fn configured(module: &Module) -> impl Iterator<Item = &str> {
    let all = module.configurations.iter();
    all.filter(|it| it.is_configured).filter_map(|it| it.address.strip_prefix("provider."))
}

/// The nearest `count`, `for_each` or `depends_on` of a call on the way to a module, with the module that has it.
fn repeated(members: &Members<'_>, mut index: usize) -> Option<(usize, Span)> {
    while let Some((caller, call)) = members.get(index).caller {
        let it = &call.repetition;
        let expr = it.count.as_ref().or(it.for_each.as_ref()).or(it.enabled.as_ref());
        if let Some(it) = expr.or(call.depends_on.first()) {
            return Some((caller, it.span));
        }
        index = caller;
    }
    None
}

fn legacy(address: &str, span: Span) -> Diagnostic {
    let summary = "Module is incompatible with count, for_each, and depends_on";
    let detail = format!(
        "{address} configures a provider itself, so calls that lead to it cannot have count, \
        for_each or depends_on. Configure the provider in the root module and pass it to the \
        call."
    );
    let problem = Diagnostic::new(&lints::INVALID_MODULE, summary);
    problem.detail(detail).at(Role::Declaration, span)
}

/// Why a configuration cannot be handed over, in a summary and a detail.
fn unfit(
    parent: &Module,
    child: &Module,
    inner: &str,
    outer: &str,
) -> Option<(&'static str, String)> {
    let required = |module: &Module, name: &str| {
        let it = module.required_providers.get(name)?;
        Some(provider_address(it.source.as_deref(), name, module.release.product()))
    };
    let of = |module: &Module, name: &str| {
        let local = local(name);
        required(module, local)
            .unwrap_or_else(|| provider_address(Some(local), local, module.release.product()))
    };
    let wanted = of(child, inner);
    let is_declared = child.required_providers.contains_key(inner)
        || demanded(child).any(|it| it == inner)
        || configuration(child, inner).is_some();
    let default = provider_address(Some("any"), "any", child.release.product());
    let default_namespace = default.trim_end_matches("any");
    if !is_declared && !wanted.starts_with(default_namespace) {
        let detail = format!("The called module does not require a provider {inner}.");
        return Some(("Reference to undefined provider", detail));
    }
    let given = required(parent, inner).unwrap_or_else(|| of(parent, outer));
    let detail = format!("{outer} is a configuration of {given}, but {inner} needs {wanted}.");
    (given != wanted).then_some(("Provider type mismatch", detail))
}

/// Errors for configurations of other providers than the called modules require. With `awaits` a provider that the
/// judged module does not mention may be required by a file that is written before the plan.
fn mismatches(members: &Members<'_>, awaits: bool) -> Diagnostics {
    let mut found = Vec::new();
    for member in members.iter() {
        let Some((caller, call)) = member.caller else { continue };
        let parent = members.get(caller).module;
        let is_open = |outer: &str| {
            let is_required = parent.required_providers.contains_key(local(outer));
            caller == 0 && awaits && !is_required && configuration(parent, outer).is_none()
        };
        for (inner, outer) in call.providers.iter().filter(|(_, outer)| !is_open(outer)) {
            if let Some((summary, detail)) = unfit(parent, member.module, inner, outer) {
                let problem = Diagnostic::new(&lints::INVALID_MODULE, summary).detail(detail);
                let problem = problem.cause(Cause::Provider);
                found.push(members.own(caller, problem.at(Role::Declaration, call.span)));
            }
        }
    }
    found
}

/// Errors for configurations that are not there. With `awaits` the module that is judged may get its configurations
/// before the plan, as Terragrunt and pipelines write them; see [`awaited`].
pub(super) fn check(members: &Members<'_>, awaits: bool) -> Diagnostics {
    let mut found = mismatches(members, awaits);
    for (index, member) in members.iter().enumerate() {
        found.extend(wrong_keys(member.module).map(|it| members.own(index, it)));
    }
    lacking(members, |index, it| {
        if index > 0 || !awaits {
            found.push(members.own(index, it.error()));
        }
    });
    let root = members.get(0).module;
    if !awaits {
        for name in demanded(root).filter(|it| !alias(it).is_empty()) {
            let span = root.required_providers.get(local(name)).map(|it| it.span);
            let Some(span) = span.filter(|_| configuration(root, name).is_none()) else { continue };
            let lack = Lack { summary: "Undefined provider configuration", name, span };
            found.push(lack.error().cause(Cause::CallersProvider));
        }
    }
    found
}

/// Undecided diagnostics: only a plan shows whether the judged module has configurations with these names.
pub(super) fn awaited(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    lacking(members, |index, it| found.extend((index == 0).then(|| it.undecided())));
    found
}

struct Lack<'a> {
    summary: &'static str,
    name: &'a str,
    span: Span,
}

impl Lack<'_> {
    fn error(&self) -> Diagnostic {
        let detail = format!("There is no provider configuration {} here.", self.name);
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, self.summary);
        problem.detail(detail).cause(Cause::Provider).at(Role::Declaration, self.span)
    }

    fn undecided(&self) -> Diagnostic {
        let summary = format!("Only a plan can decide whether {} is configured", self.name);
        let open = Diagnostic::new(&lints::UNDECIDED_VALIDATION, summary);
        let detail = "There is no configuration of that name, but it may be generated before \
            the plan.";
        open.detail(detail).at(Role::Declaration, self.span)
    }
}

/// A configuration in a module: the provider's address, and the alias or nothing.
type Key = (SmolStr, SmolStr);

/// The configurations that the modules name and do not have, each with the index of the module.
fn lacking<'a>(members: &Members<'a>, mut report: impl FnMut(usize, Lack<'a>)) {
    let mut all: Vec<HashSet<Key>> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let module = member.module;
        let mut own: HashSet<Key> = HashSet::new();
        if index == 0 {
            // A requirement counts as an empty configuration in the root module; what it demands may be given.
            own.extend(module.required_providers.keys().map(|it| key(module, it)));
            own.extend(demanded(module).map(|it| key(module, it)));
        }
        let configurations = module.configurations.iter();
        let names = configurations.filter_map(|it| it.address.strip_prefix("provider."));
        own.extend(names.map(|it| key(module, it)));
        if let Some((caller, call)) = member.caller {
            for (inner, outer) in &call.providers {
                let (address, _) = key(module, inner);
                if all[caller].contains(&(address, alias(outer).into())) {
                    own.insert(key(module, inner));
                } else {
                    report(
                        caller,
                        Lack { summary: "Missing provider", name: outer, span: call.span },
                    );
                    // What follows from this is not said again.
                    own.insert(key(module, inner));
                }
            }
        }
        for it in module.resources.values() {
            let name = it.provider();
            if !alias(name).is_empty() && !own.contains(&key(module, name)) {
                let summary = "Provider configuration not present";
                report(index, Lack { summary, name, span: it.span });
            }
        }
        all.push(own);
    }
    // Calls of modules that are not here.
    for (index, member) in members.iter().enumerate() {
        for (call, _) in member.away() {
            for (_, name) in &call.providers {
                let is_here = all[index].contains(&key(member.module, name));
                if !alias(name).is_empty() && !is_here {
                    report(index, Lack { summary: "Missing provider", name, span: call.span });
                }
            }
        }
    }
}

/// The configuration that a resource uses: the module that has it, and its index among that module's configurations.
/// `None` where there is none but an implied, empty one.
pub(super) fn configuration_of(
    members: &Members<'_>,
    mut index: usize,
    resource: &Resource,
) -> Option<(usize, usize)> {
    let (address, mut alias) = key(members.get(index).module, resource.provider());
    loop {
        let member = members.get(index);
        let wanted = (address.clone(), alias.clone());
        let is_wanted = |it: &&str| key(member.module, it) == wanted;
        let mut own = member.module.configurations.iter().enumerate().filter_map(|(at, it)| {
            let name = it.address.strip_prefix("provider.")?;
            is_wanted(&name).then_some((at, it.is_configured))
        });
        let own = own.next();
        let (caller, call) = match member.caller {
            Some(it) if own.is_none_or(|it| !it.1) => it,
            _ => return own.map(|(at, _)| (index, at)),
        };
        // An empty configuration in a called module means the one that the caller passes.
        match call.providers.iter().find(|(inner, _)| is_wanted(&inner.as_str())) {
            Some((_, outer)) => alias = self::alias(outer).into(),
            None if own.is_some() => return own.map(|(at, _)| (index, at)),
            None if alias.is_empty() => (),
            None => return None,
        }
        index = caller;
    }
}

/// Errors for references without a key to a configuration with `for_each`, and with a key to another one.
fn wrong_keys(module: &Module) -> impl Iterator<Item = Diagnostic> {
    module.provider_references.iter().filter_map(|reference| {
        let ProviderReference { name, has_key, span } = reference;
        let configuration = configuration(module, name);
        let has_for_each = configuration.is_some_and(|it| it.repetition.for_each.is_some());
        let detail = match (has_for_each, has_key) {
            (true, false) => format!("{name} has for_each: write {name}[KEY]."),
            (false, true) => format!("This module has no configuration {name} with for_each."),
            _ => return None,
        };
        let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid provider configuration");
        Some(problem.detail(detail).at(Role::Declaration, *span))
    })
}

fn key(module: &Module, name: &str) -> Key {
    let local = local(name);
    let required = module.required_providers.get(local);
    let source = required.and_then(|it| it.source.as_deref());
    (provider_address(source, local, module.release.product()), alias(name).into())
}

/// The entries of `configuration_aliases`.
fn demanded(module: &Module) -> impl Iterator<Item = &str> {
    module.required_providers.values().flat_map(|it| &it.aliases).map(SmolStr::as_str)
}

fn configuration<'m>(module: &'m Module, name: &str) -> Option<&'m module::ProviderConfiguration> {
    module.configurations.iter().find(|it| it.address.strip_prefix("provider.") == Some(name))
}

/// The local name of the provider: `aws` in `aws.x`.
fn local(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The alias after the name, or nothing: `x` in `aws.x`.
fn alias(name: &str) -> &str {
    name.split_once('.').map_or("", |it| it.1)
}
