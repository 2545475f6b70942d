//! The budget of a run: what it is for, and what is said when it is used up.

use crate::{
    diagnostic::{Diagnostic, Finding, Sources, rules},
    eval::Meter,
    schema::Schema,
    verdict::MORE_WORK,
};

/// Counts a schema by its size. Whether there is work left.
pub(super) fn charge_schema(schema: &Schema, meter: &Meter) -> bool {
    // It is written, and read again where a value is held against it.
    meter.charge_text(2 * schema.to_text(false).len())
}

/// The finding for modules that the run had no work left for.
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
