//! Configurations of providers that a resource or a call names by an alias.

use smol_str::SmolStr;

use super::members::{Member, Members};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span, rules},
    module::ModuleCall,
};

/// Errors for aliases that no configuration has. Without an alias there is always one. With `awaits` the
/// module that is judged may get its configurations before the plan, as Terragrunt and pipelines write them;
/// see [`awaited`].
pub(super) fn check(members: &Members<'_>, awaits: bool) -> Diagnostics {
    let mut found = Vec::new();
    for (place, member) in members.iter().enumerate() {
        if place > 0 || !awaits {
            found.extend(lacking(member).map(|it| members.own(place, it.error())));
        }
        // A module that nobody calls is judged as if it were given the configurations that it demands.
        let Some((caller, call)) = member.caller else { continue };
        for name in demanded(member).filter(|it| !is_given(call, it)) {
            let summary = "Missing required provider configuration";
            let lack = Lack { summary, name, span: call.span };
            found.push(members.own(caller, lack.error()));
        }
    }
    found
}

/// Undecided diagnostics: only a plan can tell whether the module that is judged has configurations for these
/// aliases.
pub(super) fn awaited(members: &Members<'_>) -> Diagnostics {
    members.iter().next().into_iter().flat_map(lacking).map(|it| it.undecided()).collect()
}

struct Lack<'a> {
    summary: &'static str,
    name: &'a str,
    span: Span,
}

impl Lack<'_> {
    fn error(&self) -> Diagnostic {
        let detail = format!("No configuration of a provider is named {} here.", self.name);
        let problem = Diagnostic::new(&rules::UNDECLARED_REFERENCE, self.summary);
        problem.detail(detail).at(Role::Declaration, self.span)
    }

    fn undecided(&self) -> Diagnostic {
        let summary = format!("Only a plan can tell whether {} is configured", self.name);
        let open = Diagnostic::new(&rules::UNDECIDED_VALIDATION, summary);
        let detail =
            "The configuration may be written before the plan. Here is none of that alias.";
        open.detail(detail).at(Role::Declaration, self.span)
    }
}

/// The configurations that a module names and does not have.
fn lacking<'a>(member: &'a Member<'a>) -> impl Iterator<Item = Lack<'a>> {
    let of_resources = member.module.resources.values().map(|it| Lack {
        summary: "Provider configuration not present",
        name: it.provider(),
        span: it.span,
    });
    let of_calls = member.module.calls.values().flat_map(|call| {
        let names = call.providers.iter().map(|(_, name)| name.as_str());
        names.map(|name| Lack { summary: "Missing provider", name, span: call.span })
    });
    of_resources.chain(of_calls).filter(|it| lacks(member, it.name))
}

/// Whether a module surely lacks a configuration: it neither has nor demands one of the alias, and its caller
/// gives it none. A configuration under another name may be of the same provider.
fn lacks(member: &Member<'_>, name: &str) -> bool {
    let Some(alias) = alias(name) else { return false };
    let has_alias = |it: &str| self::alias(it) == Some(alias);
    !(member.module.configurations.iter().any(|it| has_alias(&it.address))
        || demanded(member).any(has_alias)
        || member.caller.is_some_and(|(_, call)| is_given(call, name)))
}

/// The entries of `configuration_aliases`.
fn demanded<'a>(member: &Member<'a>) -> impl Iterator<Item = &'a str> {
    let module = member.module;
    module.required_providers.values().flat_map(|it| &it.aliases).map(SmolStr::as_str)
}

fn is_given(call: &ModuleCall, name: &str) -> bool {
    call.providers.iter().any(|(inner, _)| alias(inner) == alias(name))
}

/// The alias after the name: `x` in `aws.x` and in `provider.aws.x`.
fn alias(name: &str) -> Option<&str> {
    Some(name.strip_prefix("provider.").unwrap_or(name).split_once('.')?.1)
}
