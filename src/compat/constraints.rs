//! Changes of the versions that a module admits: of Terraform, and of providers.

use super::{
    change::{Change, State},
    contract::{Contract, admitted_by_one},
    variables::undecided,
};
use crate::{
    diagnostic::{Span, rules},
    module::RequiredProvider,
    release::Constraints,
    report::Bump,
};

/// All changes of version constraints.
pub fn changes(base: &Contract<'_>, head: &Contract<'_>) -> Vec<Change> {
    let mut out: Vec<Change> = required_version(base, head).into_iter().collect();
    for (name, is) in &head.module.required_providers {
        let was = base.module.required_providers.get(name);
        provider(name, was, is, &mut out);
    }
    for (name, was) in &base.module.required_providers {
        if !head.module.required_providers.contains_key(name) && was.version.is_some() {
            let summary = format!("The module does not require the provider \"{name}\" any more");
            let change = Change::new(&rules::PROVIDER_WIDENED, Bump::Minor, summary);
            out.push(change.at_with(State::Base, was.span, "it was required here"));
        }
    }
    out
}

fn required_version(base: &Contract<'_>, head: &Contract<'_>) -> Option<Change> {
    let (was, is) = (base.constraints(), head.constraints());
    let product = head.release().product();
    let at = |change: Change| {
        let change = head.required.iter().fold(change, |it, at| it.at(State::Head, at.span));
        let before = "the constraint before";
        base.required.iter().fold(change, |it, at| it.at_with(State::Base, at.span, before))
    };
    if let Some(version) = admitted_by_one(Some(product), &was, &is) {
        let summary = format!("{product} {version} is admitted no more");
        return Some(at(Change::new(&rules::REQUIRED_VERSION_NARROWED, Bump::Major, summary)));
    }
    let version = admitted_by_one(Some(product), &is, &was)?;
    let summary = format!("{product} {version} is admitted now");
    Some(at(Change::new(&rules::REQUIRED_VERSION_WIDENED, Bump::Minor, summary)))
}

fn provider(
    name: &str,
    was: Option<&RequiredProvider>,
    is: &RequiredProvider,
    out: &mut Vec<Change>,
) {
    let at = |change: Change| {
        let change = change.at(State::Head, is.span);
        match was {
            Some(was) => change.at_with(State::Base, was.span, "required before"),
            None => change,
        }
    };
    if let Some(was) = was.filter(|was| source(name, was) != source(name, is)) {
        let summary = format!("The provider \"{name}\" comes from another source");
        let detail = format!("It was {}, and is {}.", source(name, was), source(name, is));
        let change = Change::new(&rules::PROVIDER_NARROWED, Bump::Major, summary);
        out.push(at(change.detail(detail)));
    }
    let is_new = |alias: &&_| was.is_none_or(|was| !was.aliases.contains(alias));
    if let Some(alias) = is.aliases.iter().find(is_new) {
        let summary = format!("A call has to pass the provider configuration \"{alias}\"");
        out.push(at(Change::new(&rules::PROVIDER_ALIAS_ADDED, Bump::Major, summary)));
    }
    let parsed = |of: Option<&RequiredProvider>| match of.and_then(|it| it.version.as_deref()) {
        Some(text) => Constraints::parse(text).map(|it| vec![it]),
        None => Some(Vec::new()),
    };
    let (Some(before), Some(after)) = (parsed(was), parsed(Some(is))) else {
        let what = format!("the versions of the provider \"{name}\"");
        out.push(at(undecided(&what, "a constraint of it cannot be read")));
        return;
    };
    if let Some(version) = admitted_by_one(None, &before, &after) {
        let summary = match was {
            Some(_) => format!("Version {version} of the provider \"{name}\" is admitted no more"),
            None => format!(
                "The module requires the provider \"{name}\" now, and some versions of it only"
            ),
        };
        out.push(at(Change::new(&rules::PROVIDER_NARROWED, Bump::Major, summary)));
    } else if let Some(version) = admitted_by_one(None, &after, &before) {
        let summary = format!("Version {version} of the provider \"{name}\" is admitted now");
        out.push(at(Change::new(&rules::PROVIDER_WIDENED, Bump::Minor, summary)));
    }
}

fn source(name: &str, it: &RequiredProvider) -> String {
    let source = it.source.as_deref().unwrap_or(name).to_ascii_lowercase();
    let source = source.strip_prefix("registry.terraform.io/").unwrap_or(&source);
    if source.contains('/') { source.to_owned() } else { format!("hashicorp/{source}") }
}

/// The change that no release runs both states any more.
pub fn without_common(base: &Contract<'_>, head: &Contract<'_>) -> Change {
    let text = |contract: &Contract<'_>| {
        let all: Vec<&str> = contract.required.iter().map(|it| it.text.as_str()).collect();
        all.join(", ")
    };
    let summary = "No version is admitted by both states".to_owned();
    let detail =
        format!("The old one requires \"{}\", and the new one \"{}\".", text(base), text(head));
    let place =
        |contract: &Contract<'_>| contract.required.first().map_or(Span::default(), |it| it.span);
    Change::new(&rules::REQUIRED_VERSION_NARROWED, Bump::Major, summary)
        .detail(detail)
        .at(State::Head, place(head))
        .at_with(State::Base, place(base), "the constraint before")
}
