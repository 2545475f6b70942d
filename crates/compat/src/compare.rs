//! Compares two contracts.

use super::{
    constraints,
    contract::{ModuleContract, common_release},
    findings::Change,
    inclusion::{Inclusion, Wants},
    legacy, outputs,
    rules::Ways,
    space::Space,
    variables::VariablePair,
};
use diagnostics::lints;
use release::Product;
use report::Bump;
use smol_str::SmolStr;

/// All changes from one contract to the other. Both are judged as the release that they were loaded for.
pub fn compare(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Vec<Change> {
    changes(base, head, Wants::Shown)
}

/// Like [`compare`]; `wants` says which arguments show what breaks.
pub(super) fn changes(
    base: &ModuleContract<'_>,
    head: &ModuleContract<'_>,
    wants: Wants,
) -> Vec<Change> {
    let is_described = base.described.is_some() || head.described.is_some();
    let mut out = if is_described { described() } else { constraints::changes(base, head) };
    let product: Product = head.release().product();
    if common_release(product, &base.constraints(), &head.constraints()).is_none() {
        out.insert(0, constraints::without_common(base, head));
    }
    let (before, after) = (Space::new(base), Space::new(head));
    if !is_described {
        out.extend(legacy::changes(base, head, &before));
    }
    let mut inclusion = Inclusion::new(&before, &after);
    inclusion.wants = wants;
    let pair = VariablePair::new(inclusion);
    let mut back = Inclusion::new(&after, &before);
    back.wants = Wants::Any;
    let variables = pair.changes();
    let is_settled = |it: &&Change| it.bump >= Bump::CannotTell;
    let settled: Vec<SmolStr> =
        variables.iter().filter(is_settled).filter_map(|it| it.variable.clone()).collect();
    let ways = Ways { forth: &pair.inclusion, back: &back };
    out.extend(variables);
    out.extend(ways.changes(&settled));
    if !is_described {
        out.extend(outputs::changes(base, head));
    }
    out
}

/// The change that says what cannot be compared if a schema replaces a module.
fn described() -> Vec<Change> {
    let summary = "Outputs, versions and providers are not compared";
    let change = Change::new(&lints::SCHEMA_LACKS, Bump::CannotTell, summary);
    vec![change.detail("a schema.json says nothing of them")]
}
