//! The budget of a run: what is charged to it, and the findings when it is exhausted.

use crate::{
    diagnostic::{Diagnostic, Finding, Sources, rules},
    eval::Meter,
    verdict::MORE_WORK,
};

/// Charges a schema by its text; returns whether the budget allows it.
pub(super) fn charge_schema(text: &str, meter: &Meter) -> bool {
    // The schema is written once, and read again when a value is validated.
    meter.charge_text(2 * text.len())
}

/// The finding for modules that the run's budget did not reach.
pub(super) fn of_run(left_out: usize, of: usize) -> Finding {
    let summary = format!(
        "The run takes too much work, so {left_out} of {of} modules {} not checked",
        if left_out == 1 { "was" } else { "were" }
    );
    Finding::new(
        &Diagnostic::new(&rules::BUDGET_EXCEEDED, summary).help(MORE_WORK),
        "",
        &Sources::default(),
    )
}
