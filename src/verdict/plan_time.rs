//! The real pass of a module that asks when it is planned.
//!
//! `plantimestamp()` is known to a plan, so a rule over it is decided there. Here it is where the
//! time makes no difference: the pass is run for many times from now on, and what all of them say
//! counts.

use std::time::{Duration, SystemTime};

use smol_str::SmolStr;

use super::pass;
use crate::diagnostic::{Diagnostics, Level, RuleId, rules};

/// Plans that are tried. Together they have every second, minute, hour, day, month and weekday.
const PLANS: u32 = 72;
/// From one plan to the next: 40 days and a bit, so that every field of a date moves on.
const STEP: Duration = Duration::from_secs(40 * 86_400 + 3_661);
/// What lies far ahead.
const CENTURY: Duration = Duration::from_hours(100 * 365 * 24);

/// What the pass says whenever the plan is made; `None` when that depends on the time. `planned`: what
/// it says when the plan is made then.
pub(super) fn run(
    now: SystemTime,
    planned: impl Fn(SystemTime) -> pass::Result,
) -> Option<pass::Result> {
    let first = planned(now);
    let said = blame(&first.diagnostics);
    for time in (1..=PLANS).map(|it| now + STEP * it).chain([now + CENTURY]) {
        let later = planned(time);
        // That the work is used up is to be told, whatever else there is.
        if later.diagnostics.iter().any(|it| it.rule == rules::BUDGET_EXCEEDED) {
            return Some(later);
        }
        if blame(&later.diagnostics) != said {
            return None;
        }
    }
    Some(first)
}

/// What the diagnostics are about; their words may tell the time.
fn blame(diagnostics: &Diagnostics) -> Vec<(Level, &RuleId, Option<&SmolStr>, Option<usize>)> {
    let about = diagnostics.iter();
    about.map(|it| (it.level, &it.rule, it.variable.as_ref(), it.validation)).collect()
}
