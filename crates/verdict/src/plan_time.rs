//! The real pass of a module that reads the time of its plan.
//!
//! A plan knows `plantimestamp()`, so it decides a rule that reads it. Here such a rule is decided where
//! the time makes no difference: the pass is run for many times from now on, and a diagnostic counts if
//! all runs give it.

use std::time::{Duration, SystemTime};

use smol_str::SmolStr;

use super::pass;
use diagnostics::{Diagnostics, Level, LintId, lints};

/// The number of times that are tried. Together they have every second, minute, hour, day, month and
/// weekday.
const PLANS: u32 = 72;
/// From one plan to the next: 40 days and a bit, so that every field of a date moves on.
const STEP: Duration = Duration::from_secs(40 * 86_400 + 3_661);
/// A time far ahead.
const CENTURY: Duration = Duration::from_hours(100 * 365 * 24);

/// The result of the pass if it is the same at every time; `None` if it depends on the time. `planned`
/// runs the pass for one time of the plan.
pub(super) fn run(
    now: SystemTime,
    planned: impl Fn(SystemTime) -> pass::Result,
) -> Option<pass::Result> {
    let first = planned(now);
    let diagnostics = blame(&first.diagnostics);
    for time in (1..=PLANS).map(|it| now + STEP * it).chain([now + CENTURY]) {
        let later = planned(time);
        // An exhausted budget is reported, whatever else was found.
        if later.diagnostics.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED) {
            return Some(later);
        }
        if blame(&later.diagnostics) != diagnostics {
            return None;
        }
    }
    Some(first)
}

/// The subjects of the diagnostics, without their words, which may contain the time.
fn blame(diagnostics: &Diagnostics) -> Vec<(Level, &LintId, Option<&SmolStr>, Option<usize>)> {
    let about = diagnostics.iter();
    about.map(|it| (it.level(), &it.rule, it.variable.as_ref(), it.validation)).collect()
}
