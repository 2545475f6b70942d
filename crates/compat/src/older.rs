//! Changes that break callers only on some of the releases that both states admit.
//!
//! Both states are compared as the newest release that both admit. An older one may lack a feature that the new
//! state uses, so that it refuses every call; or it may evaluate a rule in another way.

use super::{
    compare,
    contract::ModuleContract,
    findings::{Change, State},
    inclusion::Wants,
    space::{rule_form, rule_names},
};
use diagnostics::{Bump, Span, lints};
use module::{Variable, features};
use release::{Constraints, Product, Release, Version};
use smol_str::SmolStr;

/// The minor releases that are looked at, by major version.
const MINORS: [(u32, u32); 2] = [(0, 15), (1, 20)];

/// The first releases with today's syntax.
const FIRST: Version = Version::new(0, 12, 0);
const FIRST_TOFU: Version = Version::new(1, 6, 0);

/// The patch releases that are looked at: constraints seldom name others.
const PATCHES: [u32; 4] = [0, 1, 2, 15];

/// Loads both states as a release.
pub type Loader<'l, 'a> = &'l dyn Fn(Release) -> Option<(ModuleContract<'a>, ModuleContract<'a>)>;

/// The changes that break callers on releases before some release, and not on the newest one.
pub fn changes(
    base: &ModuleContract<'_>,
    head: &ModuleContract<'_>,
    found: &[Change],
    load: Loader<'_, '_>,
    wants: Wants,
) -> Vec<Change> {
    // Without a constraint nobody says that older releases are meant.
    if base.own_constraints().is_empty() && head.own_constraints().is_empty() {
        return Vec::new();
    }
    let refused = refused(base, head);
    // What refuses the whole module hides how its rules are evaluated.
    if refused.is_some() {
        return refused.into_iter().collect();
    }
    evaluated_otherwise(base, head, found, load, wants)
}

/// Why a release refuses every call of a module.
struct Refusal {
    /// What the release lacks, in words.
    lacks: String,
    /// The first release that has it.
    since: Version,
    span: Span,
}

/// What the module and those that it calls need of a release.
struct Needs {
    features: Vec<Refusal>,
    /// The constraints of called modules, each with the call's address and place.
    constraints: Vec<(String, Constraints, Span)>,
}

impl Needs {
    fn of(contract: &ModuleContract<'_>) -> Needs {
        let product = contract.release().product();
        let mut out = Needs { features: Vec::new(), constraints: Vec::new() };
        let uses = |module| features::used_after(FIRST, module, product);
        for it in uses(&contract.module) {
            let (lacks, since, span) = (it.describe(), it.since, it.span);
            out.features.push(Refusal { lacks, since, span });
        }
        for called in &contract.tree.called {
            let module = &called.module.module;
            for it in uses(module) {
                let lacks = format!("{} in {}", it.describe(), called.address);
                let (since, span) = (it.since, it.span.shifted(called.shift));
                out.features.push(Refusal { lacks, since, span });
            }
        }
        for it in contract.required_by_calls() {
            let what = format!("{} requires {:?}", it.address, it.text);
            out.constraints.push((what, it.constraints, it.span));
        }
        out
    }

    fn is_met(&self, version: Version) -> bool {
        self.features.iter().all(|it| it.since <= version)
            && self.constraints.iter().all(|it| it.1.allow(version))
    }
}

/// The versions that both states admit by themselves, the oldest first.
fn common(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Vec<Version> {
    let product = head.release().product();
    let first = match product {
        Product::OpenTofu => FIRST_TOFU,
        Product::Terraform => FIRST,
    };
    let all = [base, head].map(ModuleContract::own_constraints).concat();
    let newest = head.release().version().max(product.newest().version());
    let minors = MINORS.iter().flat_map(|(major, last)| (0..=*last).map(|it| (*major, it)));
    let versions =
        minors.flat_map(|(major, minor)| PATCHES.map(|it| Version::new(major, minor, it)));
    let is_meant = |it: &Version| *it >= first && *it <= newest;
    versions.filter(is_meant).filter(|it| all.iter().all(|all| all.allow(*it))).collect()
}

/// The change that some of the releases refuse every call of the new module, and took those of the old one.
fn refused(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Option<Change> {
    let product = head.release().product();
    let needs = [Needs::of(base), Needs::of(head)];
    let all = common(base, head);
    // Older versions do not matter to what refuses the newest ones.
    let newest = all.iter().rposition(|it| needs[1].is_met(*it))?;
    let is_refused = |it: &&Version| needs[0].is_met(**it) && !needs[1].is_met(**it);
    let last = *all[..newest].iter().rfind(is_refused)?;
    let lacking = needs[1].features.iter().filter(|it| it.since > last);
    let change = |summary: String| Change::new(&lints::RELEASE_REFUSED, Bump::Minor, summary);
    if let Some(it) = lacking.max_by_key(|it| it.since) {
        let since = format!("{}.{}", it.since.major, it.since.minor);
        let summary = format!(
            "{product} before {since} rejects every call, and required_version still \
                allows it"
        );
        let detail = format!("The module now uses {}.", it.lacks);
        let mut out = change(summary).detail(detail).at(State::Head, it.span);
        out.major_before = Some(since);
        return Some(out);
    }
    let (what, _, span) = needs[1].constraints.iter().find(|it| !it.1.allow(last))?;
    let next = all.iter().find(|it| **it > last && needs[1].is_met(**it));
    let summary = format!(
        "{product} {last} rejects every call, and required_version still \
        allows it"
    );
    let mut out = change(summary).detail(format!("{what}.")).at(State::Head, *span);
    out.major_before = next.map(|it| format!("{}.{}", it.major, it.minor));
    Some(out)
}

/// The recorded releases that both admit, the oldest first, up to the one that both were compared as.
fn recorded(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Vec<Release> {
    let newest = head.release();
    let all: Vec<Constraints> = base.constraints().into_iter().chain(head.constraints()).collect();
    let is_admitted = |it: &Release| {
        let is_met = |all: &Constraints| all.allow(it.version()) || it.meets(all);
        !it.is_candidate() && it.version() < newest.version() && all.iter().all(is_met)
    };
    newest.product().releases().filter(is_admitted).collect()
}

/// Changes that are major as an older release evaluates the rules.
fn evaluated_otherwise(
    base: &ModuleContract<'_>,
    head: &ModuleContract<'_>,
    found: &[Change],
    load: Loader<'_, '_>,
    wants: Wants,
) -> Vec<Change> {
    if are_alike(base, head) {
        return Vec::new();
    }
    let releases = recorded(base, head);
    let breaks = |release: Release| -> Option<Vec<Change>> {
        let (base, head) = load(release)?;
        if !base.problems.is_empty() || !head.problems.is_empty() {
            return None;
        }
        let all = compare::changes(&base, &head, wants).into_iter();
        Some(all.filter(|it| it.bump == Bump::Major && is_new(it, found)).collect())
    };
    let Some((oldest, rest)) = releases.split_first() else { return Vec::new() };
    let mut out = Vec::new();
    for mut change in breaks(*oldest).unwrap_or_default() {
        let still =
            |at: &&Release| breaks(**at).unwrap_or_default().iter().any(|it| is_same(it, &change));
        let fixed = rest.iter().find(|it| !still(it)).copied().unwrap_or(head.release());
        let before = format!("{}.{}", fixed.version().major, fixed.version().minor);
        change.summary =
            format!("{} by {} before {before}", change.summary, head.release().product());
        change.rule = &lints::RELEASE_REFUSED;
        change.bump = Bump::Minor;
        change.major_before = Some(before);
        out.push(change);
    }
    out
}

fn is_new(change: &Change, found: &[Change]) -> bool {
    let mut graver = found.iter().filter(|it| it.bump >= Bump::CannotTell);
    !graver.any(|it| is_same(it, change) || it.variable.is_some() && it.variable == change.variable)
}

fn is_same(one: &Change, other: &Change) -> bool {
    let first_span = |of: &Change| of.spans.first().map(|it| it.span);
    one.variable == other.variable
        && one.output == other.output
        && first_span(one) == first_span(other)
}

/// Whether all rules of the new state, and the variables that they read, are in the old state as they are now. Then
/// every release judges both in one way.
fn are_alike(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> bool {
    let is_same_variable = |name: &SmolStr| {
        let both = base.variable(name).zip(head.variable(name));
        both.is_some_and(|(was, is)| {
            was.constraint == is.constraint
                && was.default == is.default
                && was.is_nullable() == is.is_nullable()
        })
    };
    let forms = |contract: &ModuleContract<'_>, variable: &Variable| -> Option<Vec<String>> {
        (0..variable.validations.len()).map(|it| rule_form(contract, variable, it)).collect()
    };
    let mut ruled = head.module.variables.values().filter(|it| !it.validations.is_empty());
    ruled.all(|is| {
        let Some(was) = base.variable(&is.name) else { return is.default.is_none() };
        let all = 0..is.validations.len();
        forms(base, was).is_some_and(|before| Some(before) == forms(head, is))
            && all.flat_map(|it| rule_names(head, is, it)).all(|it| is_same_variable(&it))
    })
}
