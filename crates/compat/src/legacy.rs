//! Configurations of providers inside of a module, and those that its callers pass.
//!
//! Terraform refuses `count`, `for_each` and `depends_on` in the call of a module that configures a provider
//! itself, or calls one that does, at any depth. A block with nothing but an alias does not count: it declares
//! that callers may pass a configuration.

use std::collections::BTreeSet;

use super::{
    contract::ModuleContract,
    findings::{Change, State, Witness},
    judge::Arguments,
    reduce::readable,
    space::Space,
};
use diagnostics::{Bump, Span, lints};
use module::{Module, ProviderConfiguration, Variable};
use smol_str::SmolStr;
use verdict::tree::Called;

/// The provider (`aws`, `aws.east`) that a block configures; `None` for an action.
fn name(it: &ProviderConfiguration) -> Option<&str> {
    it.address.strip_prefix("provider.")
}

/// The blocks of a module that configure providers.
fn blocks(module: &Module) -> impl Iterator<Item = (&str, Span)> {
    let all = module.configurations.iter().filter(|it| it.is_configured);
    all.filter_map(|it| Some((name(it)?, it.span)))
}

/// Whether the module configures a provider itself.
pub fn configures(module: &Module, provider: &str) -> bool {
    blocks(module).any(|it| it.0 == provider)
}

/// The aliases that callers may pass a configuration for, with their places.
pub fn declared_aliases(module: &Module) -> impl Iterator<Item = (&str, Span)> {
    let required = module.required_providers.values();
    let required = required.flat_map(|of| of.aliases.iter().map(|alias| (alias.as_str(), of.span)));
    let empty = module.configurations.iter().filter(|it| !it.is_configured);
    let empty = empty.filter_map(|it| Some((name(it)?, it.span)));
    let all = required.chain(empty.filter(|it| it.0.contains('.')));
    all.filter(|it| !configures(module, it.0))
}

/// The first module that this one calls, at any depth, which configures a provider: its address, the provider
/// and the block.
fn called<'c>(contract: &'c ModuleContract<'_>) -> Option<(&'c str, &'c str, Span)> {
    contract.tree.called.iter().find_map(|it: &Called| {
        let (provider, span) = blocks(&it.module.module).next()?;
        Some((it.address.as_str(), provider, span.shifted(it.shift)))
    })
}

/// Changes of the providers that the module configures itself.
pub fn changes(
    base: &ModuleContract<'_>,
    head: &ModuleContract<'_>,
    before: &Space<'_, '_>,
) -> Vec<Change> {
    let was_legacy = blocks(&base.module).next().is_some() || called(base).is_some();
    let mut out = Vec::new();
    for (provider, span) in blocks(&head.module).filter(|it| !configures(&base.module, it.0)) {
        let summary = format!("The module now configures the provider \"{provider}\" itself");
        let detail = match was_legacy {
            false => {
                "Calls with count, for_each or depends_on are rejected, and so are calls that \
                pass this configuration."
            }
            true => "Calls that pass this configuration are rejected.",
        };
        let change = Change::new(&lints::PROVIDER_BLOCK_ADDED, Bump::Major, summary);
        out.push(change.detail(detail).at(State::Head, span));
    }
    if out.is_empty()
        && !was_legacy
        && let Some((address, provider, span)) = called(head)
    {
        let summary = format!("{address} now configures the provider \"{provider}\" itself");
        let detail = "Calls with count, for_each or depends_on are rejected.";
        let change = Change::new(&lints::PROVIDER_BLOCK_ADDED, Bump::Major, summary);
        out.push(change.detail(detail).at(State::Head, span));
    }
    if !was_legacy && let Some(first) = out.first_mut() {
        first.witness = witness(before);
    }
    out.extend(removed_aliases(base, head));
    out
}

/// A call with `count`, which the old module takes.
fn witness(before: &Space<'_, '_>) -> Option<Witness> {
    let arguments = before.complete(&Arguments::new(), &[])?;
    let arguments = readable(arguments, &|it| before.contract.accepts(it));
    let is_hidden = |it: &&SmolStr| before.contract.variable(it).is_some_and(Variable::is_hidden);
    let hidden: BTreeSet<SmolStr> = arguments.keys().filter(is_hidden).cloned().collect();
    let outcome = "was accepted before and is now rejected: Module is incompatible with count, \
        for_each, and depends_on";
    Some(Witness { arguments, hidden, count: true, outcome: outcome.to_owned() })
}

/// Aliases that callers passed a configuration for, and that the module does not have any more.
fn removed_aliases<'c>(
    base: &'c ModuleContract<'_>,
    head: &'c ModuleContract<'_>,
) -> impl Iterator<Item = Change> + 'c {
    let mut seen = BTreeSet::new();
    let is_left = |alias: &str| {
        configures(&head.module, alias) || declared_aliases(&head.module).any(|it| it.0 == alias)
    };
    let gone = declared_aliases(&base.module).filter(move |it| !is_left(it.0));
    gone.filter(move |it| seen.insert(it.0.to_owned())).map(|(alias, span)| {
        let summary = format!("The provider configuration \"{alias}\" was removed");
        Change::new(&lints::PROVIDER_ALIAS_REMOVED, Bump::Major, summary)
            .detail("Calls that pass it are rejected.")
            .at_with(State::Base, span, "it was declared here")
    })
}
