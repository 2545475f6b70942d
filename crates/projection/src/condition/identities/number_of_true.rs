//! `(a ? 1 : 0) + (b ? 1 : 0) OP number`: how many of some conditions are true.

use super::finite_sequence::enumerate;
use crate::{
    condition::{
        context::Context,
        symbolic::{Term, Truth},
    },
    sets::Extent,
};
use hcl::BinaryOp;
use tf_value::Number;

/// `sum([…])` of a finite sequence of `? 1 : 0`.
pub fn sum_of<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Truth>> {
    let mut out = Vec::new();
    let entries = enumerate(term, context)?;
    // The sum of an empty list is an error.
    let is_there = |present: &Truth| present.when_true == Extent::everything();
    if !entries.iter().any(|(present, _)| is_there(present)) {
        return None;
    }
    for (present, (value, _)) in entries {
        for part in value.summands()? {
            out.push(present.clone().and(part));
        }
    }
    Some(out)
}

/// Compares the number of true conditions with a number; `None` when there are too many cases.
pub fn of_sum(op: BinaryOp, parts: &[Truth], number: &Number) -> Option<Truth> {
    let count = i64::try_from(parts.len()).ok()?;
    let number = number.to_i64()?;
    let at_least = |number: i64| bound(parts, number, true);
    let at_most = |number: i64| bound(parts, count - number, false);
    let (yes, no) = match op {
        BinaryOp::Equal => (
            at_least(number)?.and(at_most(number)?),
            at_most(number - 1)?.or(at_least(number + 1)?),
        ),
        BinaryOp::NotEqual => {
            return Some(of_sum(BinaryOp::Equal, parts, &Number::from_i64(number))?.not());
        }
        BinaryOp::GreaterOrEqual => (at_least(number)?, at_most(number - 1)?),
        BinaryOp::Greater => (at_least(number + 1)?, at_most(number)?),
        BinaryOp::LessOrEqual => (at_most(number)?, at_least(number + 1)?),
        BinaryOp::Less => (at_most(number - 1)?, at_least(number)?),
        _ => return None,
    };
    let fails = |it: &Truth| it.error.clone().or(it.null.clone());
    let error = Extent::any(parts.iter().map(fails));
    // If a part fails the sum fails, whatever the other parts are.
    let unsure = parts.iter().filter(|it| !fails(it).is_nothing());
    let there = Extent::all(unsure.map(|it| it.when_true.clone().or(it.when_false.clone())));
    let (when_true, when_false) = (there.clone().and(yes), there.and(no));
    Some(Truth { when_true, when_false, error, ..Truth::never() })
}

/// At least `n` of the parts are true (or false).
fn bound(parts: &[Truth], n: i64, truth: bool) -> Option<Extent> {
    const MAX: usize = 130;
    let Ok(n) = usize::try_from(n) else { return Some(Extent::everything()) };
    if n > parts.len() {
        return Some(Extent::nothing());
    }
    let side = |it: &Truth| if truth { it.when_true.clone() } else { it.when_false.clone() };
    // The shorter form: "some `n` of the `k` parts", or "at least one of any `k - n + 1` parts".
    let dual = parts.len() - n + 1;
    if n <= dual {
        let groups = choices(parts.len(), n, MAX)?;
        let all =
            |group: Vec<usize>| Extent::all(group.iter().filter_map(|it| parts.get(*it)).map(side));
        return Some(Extent::any(groups.into_iter().map(all)));
    }
    let groups = choices(parts.len(), dual, MAX)?;
    let any =
        |group: Vec<usize>| Extent::any(group.iter().filter_map(|it| parts.get(*it)).map(side));
    Some(Extent::all(groups.into_iter().map(any)))
}

/// Every choice of `n` out of `count`, when they are not too many.
fn choices(count: usize, n: usize, max: usize) -> Option<Vec<Vec<usize>>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        let longer = |it: &Vec<usize>| {
            let start = it.last().map_or(0, |last| last + 1);
            let it = it.clone();
            (start..count).map(move |next| it.iter().copied().chain([next]).collect())
        };
        out = out.iter().flat_map(longer).collect();
        if out.len() > max * 4 {
            return None;
        }
    }
    (out.len() <= max).then_some(out)
}
