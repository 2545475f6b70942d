//! Two contracts held against each other.

use smol_str::SmolStr;

use super::{
    change::Change,
    constraints,
    contract::{Contract, common_release},
    inclusion::Inclusion,
    outputs,
    rules::Ways,
    space::Space,
    variables::Pair,
};
use crate::{release::Product, report::Bump};

/// Everything that changed from one contract to the other. Both are judged as the release that they were
/// loaded for.
pub fn compare(base: &Contract<'_>, head: &Contract<'_>) -> Vec<Change> {
    let mut out = constraints::changes(base, head);
    let product: Product = head.release().product();
    if common_release(product, &base.constraints(), &head.constraints()).is_none() {
        out.insert(0, constraints::without_common(base, head));
    }
    let (before, after) = (Space::new(base), Space::new(head));
    let pair = Pair { inclusion: Inclusion::new(&before, &after) };
    let back = Inclusion::new(&after, &before);
    let variables = pair.changes();
    let is_settled = |it: &&Change| it.level >= Bump::CannotTell;
    let settled: Vec<SmolStr> =
        variables.iter().filter(is_settled).filter_map(|it| it.variable.clone()).collect();
    let ways = Ways { forth: &pair.inclusion, back: &back };
    out.extend(variables);
    out.extend(ways.changes(&settled));
    out.extend(outputs::changes(base, head));
    out
}
