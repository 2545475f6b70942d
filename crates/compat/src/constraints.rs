//! Changes of the versions that a module admits: of Terraform, and of providers.

use super::{
    contract::{ModuleContract, RequiredByCall, admitted_by_one},
    findings::{Change, State},
    legacy::configures,
    variables::undecided,
};
use diagnostics::{Bump, Span, lints};
use module::{Module, RequiredProvider};
use release::{Constraints, Product, Release, Version};
use smol_str::SmolStr;

/// All changes of version constraints.
pub fn changes(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Vec<Change> {
    let mut out: Vec<Change> = required_version(base, head).into_iter().collect();
    if out.iter().all(|it| it.bump < Bump::Major) {
        out.extend(required_by_calls(base, head));
    }
    for (name, is) in &head.module.required_providers {
        provider(base, head, name, is, &mut out);
    }
    for (name, was) in &base.module.required_providers {
        if !head.module.required_providers.contains_key(name) && was.version.is_some() {
            let summary = format!("The module no longer requires the provider \"{name}\"");
            let change = Change::new(&lints::PROVIDER_WIDENED, Bump::Minor, summary);
            out.push(change.at_with(State::Base, was.span, "it was required here"));
        }
    }
    out
}

/// How fewer versions are admitted.
enum Fewer {
    /// Versions are lost, and newer ones are admitted: an upgrade leads to these.
    Raised { is_minimum: bool },
    /// There was no upper bound, and there is one now. Nobody knows whether any version is lost.
    Bounded,
    /// The newest version that was admitted is lost.
    Narrowed(String),
}

/// The versions that `some` admits and `others` does not.
fn fewer(product: Option<Product>, some: &[Constraints], others: &[Constraints]) -> Option<Fewer> {
    let lost = admitted_by_one(product, some, others)?;
    let meets = |all: &[Constraints], version| all.iter().all(|it| it.allow(version));
    let points = || some.iter().chain(others).flat_map(Constraints::points);
    let newest = points().filter(|it| meets(some, *it) && !meets(others, *it)).max();
    let left = || points().filter(|it| meets(others, *it));
    if newest.is_some_and(|newest| left().any(|it| it > newest)) {
        let is_minimum = newest.is_some_and(|newest| left().all(|it| it > newest));
        return Some(Fewer::Raised { is_minimum });
    }
    let known = product.into_iter().flat_map(Product::releases).map(Release::version);
    let is_lost = |it: &Version| meets(some, *it) && !meets(others, *it);
    let named = some.iter().flat_map(Constraints::named);
    let is_bounded = meets(some, Version::new(u32::MAX, 0, 0))
        && !known.chain(named).any(|it| is_lost(&it) && left().all(|left| left < it));
    Some(if is_bounded { Fewer::Bounded } else { Fewer::Narrowed(lost) })
}

/// The texts of both constraints in words.
fn both(before: &str, after: &str) -> String {
    match before {
        "" => format!("It now requires {after:?}, and had no constraint before."),
        _ => format!("It now requires {after:?}, and required {before:?} before."),
    }
}

fn required_version(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Option<Change> {
    let (was, is) = (base.own_constraints(), head.own_constraints());
    let product = head.release().product();
    let at = |change: Change| {
        let change = head.required.iter().fold(change, |it, at| it.at(State::Head, at.span));
        let before = "the old constraint";
        base.required.iter().fold(change, |it, at| it.at_with(State::Base, at.span, before))
    };
    let text = |contract: &ModuleContract<'_>| {
        contract.required.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(", ")
    };
    let texts = both(&text(base), &text(head));
    let change = match fewer(Some(product), &was, &is) {
        Some(Fewer::Raised { is_minimum }) => {
            let summary = match is_minimum {
                true => format!("The minimum version of {product} was raised"),
                false => format!("Some versions of {product} are no longer allowed"),
            };
            Change::new(&lints::REQUIRED_VERSION_RAISED, Bump::Minor, summary).detail(texts)
        }
        Some(Fewer::Bounded) => {
            let summary = format!("{product} now has an upper bound");
            Change::new(&lints::REQUIRED_VERSION_RAISED, Bump::Minor, summary).detail(texts)
        }
        Some(Fewer::Narrowed(version)) => {
            let summary = format!("{product} {version} is no longer allowed");
            Change::new(&lints::REQUIRED_VERSION_NARROWED, Bump::Major, summary).detail(texts)
        }
        None => {
            let version = admitted_by_one(Some(product), &is, &was)?;
            let summary = format!("{product} {version} is now allowed");
            Change::new(&lints::REQUIRED_VERSION_WIDENED, Bump::Minor, summary)
        }
    };
    Some(at(change))
}

/// The change that modules which are called do not admit the newest versions any more. That they need newer ones is
/// a matter of older releases (`older`).
fn required_by_calls(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Option<Change> {
    let product = head.release().product();
    let (was, is) = (base.constraints(), head.constraints());
    let Some(Fewer::Narrowed(version)) = fewer(Some(product), &was, &is) else { return None };
    let refuses = |it: &RequiredByCall<'_>| {
        Version::parse(&version).is_some_and(|version| !it.constraints.allow(version))
    };
    let summary = format!("{product} {version} is no longer allowed");
    let change = Change::new(&lints::REQUIRED_VERSION_NARROWED, Bump::Major, summary);
    Some(match head.required_by_calls().find(refuses) {
        Some(it) => {
            let detail = format!("{} requires {:?}.", it.address, it.text);
            change.detail(detail).at(State::Head, it.span)
        }
        None => change.detail("A module that it calls does not allow it."),
    })
}

fn provider(
    base: &ModuleContract<'_>,
    head: &ModuleContract<'_>,
    name: &str,
    is: &RequiredProvider,
    out: &mut Vec<Change>,
) {
    let was = base.module.required_providers.get(name);
    let at = |change: Change| {
        let change = change.at(State::Head, is.span);
        match was {
            Some(was) => change.at_with(State::Base, was.span, "required before"),
            None => change,
        }
    };
    if let Some(was) = was.filter(|was| source(name, was) != source(name, is)) {
        let summary = format!("The source of the provider \"{name}\" changed");
        let detail = format!("It was {}, and is now {}.", source(name, was), source(name, is));
        let change = Change::new(&lints::PROVIDER_NARROWED, Bump::Major, summary);
        out.push(at(change.detail(detail)));
    }
    out.extend(new_aliases(base, head, was, is).map(at));
    let parsed = |of: Option<&RequiredProvider>| match of.and_then(|it| it.version.as_deref()) {
        Some(text) => Constraints::parse(text).map(|it| vec![it]),
        None => Some(Vec::new()),
    };
    let (Some(before), Some(after)) = (parsed(was), parsed(Some(is))) else {
        let what = format!("the versions of the provider \"{name}\"");
        out.push(at(undecided(&what, "one of its constraints cannot be read")));
        return;
    };
    let text = |of: Option<&RequiredProvider>| {
        of.and_then(|it| it.version.clone()).unwrap_or_default().to_string()
    };
    let texts = both(&text(was), &text(Some(is)));
    match fewer(None, &before, &after) {
        Some(_) if was.is_none() && !uses(&base.module, name) => {
            let summary = format!("The module now requires the provider \"{name}\"");
            let change = Change::new(&lints::PROVIDER_RAISED, Bump::Minor, summary);
            out.push(at(change.detail(format!("{:?} is required.", text(Some(is))))));
        }
        Some(Fewer::Raised { is_minimum }) => {
            let summary = match is_minimum {
                true => format!("The minimum version of the provider \"{name}\" was raised"),
                false => {
                    format!("Some versions of the provider \"{name}\" are no longer allowed")
                }
            };
            out.push(at(Change::new(&lints::PROVIDER_RAISED, Bump::Minor, summary).detail(texts)));
        }
        Some(Fewer::Bounded) => {
            let summary = format!("The provider \"{name}\" now has an upper bound");
            out.push(at(Change::new(&lints::PROVIDER_RAISED, Bump::Minor, summary).detail(texts)));
        }
        Some(Fewer::Narrowed(version)) => {
            let summary =
                format!("Version {version} of the provider \"{name}\" is no longer allowed");
            out.push(
                at(Change::new(&lints::PROVIDER_NARROWED, Bump::Major, summary).detail(texts)),
            );
        }
        None => {
            if let Some(version) = admitted_by_one(None, &after, &before) {
                let summary =
                    format!("Version {version} of the provider \"{name}\" is now allowed");
                out.push(at(Change::new(&lints::PROVIDER_WIDENED, Bump::Minor, summary)));
            }
        }
    }
}

/// The aliases that a call has to pass a configuration for, and had not before. A module that configures an alias itself
/// needs none.
fn new_aliases<'c>(
    base: &'c ModuleContract<'_>,
    head: &'c ModuleContract<'_>,
    was: Option<&'c RequiredProvider>,
    is: &'c RequiredProvider,
) -> impl Iterator<Item = Change> + 'c {
    let is_asked_for = |of: &RequiredProvider, contract: &ModuleContract<'_>, alias: &SmolStr| {
        of.aliases.contains(alias) && !configures(&contract.module, alias)
    };
    let is_new = move |alias: &&SmolStr| {
        is_asked_for(is, head, alias) && !was.is_some_and(|was| is_asked_for(was, base, alias))
    };
    is.aliases.iter().filter(is_new).map(|alias| {
        let summary = format!("Calls must now pass the provider configuration \"{alias}\"");
        Change::new(&lints::PROVIDER_ALIAS_ADDED, Bump::Major, summary)
    })
}

/// Whether a resource or a data source of the module belongs to the provider by its type.
fn uses(module: &Module, provider: &str) -> bool {
    let is_of = |kind: &str| {
        let name = kind.rsplit('.').next().unwrap_or(kind);
        name.split('_').next() == Some(provider)
    };
    module.resources.keys().any(|it| is_of(&it.0))
}

fn source(name: &str, it: &RequiredProvider) -> String {
    let source = it.source.as_deref().unwrap_or(name).to_ascii_lowercase();
    let source = source.strip_prefix("registry.terraform.io/").unwrap_or(&source);
    if source.contains('/') { source.to_owned() } else { format!("hashicorp/{source}") }
}

/// The change that no release runs both states any more.
pub fn without_common(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Change {
    let text = |contract: &ModuleContract<'_>| {
        let all: Vec<&str> = contract.required.iter().map(|it| it.text.as_str()).collect();
        all.join(", ")
    };
    let summary = "No version is allowed both before and after the change".to_owned();
    let detail =
        format!("Before, it required \"{}\"; now it requires \"{}\".", text(base), text(head));
    let place = |contract: &ModuleContract<'_>| {
        contract.required.first().map_or(Span::default(), |it| it.span)
    };
    Change::new(&lints::REQUIRED_VERSION_NARROWED, Bump::Major, summary)
        .detail(detail)
        .at(State::Head, place(head))
        .at_with(State::Base, place(base), "the old constraint")
}
