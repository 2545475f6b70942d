//! Rewrites patterns that an engine which backtracks would read for very long, such as `^(a+)+$`.

use crate::sets::ValueSet;
use re2::{Backtracking, backtracking};
use tf_eval::Meter;

/// Rewrites the patterns of a set so that an engine that backtracks reads them in linear time. A pattern that
/// cannot be rewritten is added to `slow`, once. A pattern that `is_known` to be read so is not examined.
pub fn linear(
    constraint: &mut ValueSet,
    slow: &mut Vec<String>,
    is_known: fn(&str) -> bool,
    meter: &Meter,
) {
    if let ValueSet::Matches(pattern) | ValueSet::ValuesMatching(pattern, _) = constraint
        && !is_known(pattern)
    {
        replace(pattern, slow, meter);
    }
    constraint.children_mut().iter_mut().for_each(|it| linear(it, slow, is_known, meter));
}

fn replace(pattern: &mut String, slow: &mut Vec<String>, meter: &Meter) {
    let mut work = 0;
    let verdict = backtracking(pattern, &mut work);
    // The caller asks the meter whether the work became too much.
    let _ = meter.spend(work);
    match verdict {
        Backtracking::Linear => (),
        Backtracking::Rewritten(other) => *pattern = other,
        Backtracking::Unbounded if slow.contains(pattern) => (),
        Backtracking::Unbounded => slow.push(pattern.clone()),
    }
}
