//! Configurations of providers that a resource or a call names by an alias.

use smol_str::SmolStr;

use super::members::{Member, Members};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span, rules},
    module::ModuleCall,
};

/// Errors for aliases that no configuration has. Without an alias there is always one.
pub(super) fn check(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (place, member) in members.iter().enumerate() {
        let mut refuse = |place: usize, name: &str, summary: &str, span: Span| {
            let problem = Diagnostic::new(&rules::UNDECLARED_REFERENCE, summary);
            let detail = format!("No configuration of a provider is named {name} here.");
            found.push(members.own(place, problem.detail(detail).at(Role::Declaration, span)));
        };
        for it in member.module.resources.values().filter(|it| lacks(member, it.provider())) {
            refuse(place, it.provider(), "Provider configuration not present", it.span);
        }
        for call in member.module.calls.values() {
            for (_, name) in call.providers.iter().filter(|it| lacks(member, &it.1)) {
                refuse(place, name, "Missing provider", call.span);
            }
        }
        // One that nobody calls is judged as if it were given what it demands.
        let Some((caller, call)) = member.caller else { continue };
        for name in demanded(member).filter(|it| !is_given(call, it)) {
            refuse(caller, name, "Missing required provider configuration", call.span);
        }
    }
    found
}

/// Whether a module surely lacks a configuration: it neither has nor demands one of the alias, and its caller
/// gives it none. One with another name may be of the same provider.
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

/// What stands behind the name, `x` in `aws.x` and in `provider.aws.x`.
fn alias(name: &str) -> Option<&str> {
    Some(name.strip_prefix("provider.").unwrap_or(name).split_once('.')?.1)
}
