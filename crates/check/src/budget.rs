//! The budget of a run: what is charged to it, and the findings when it is exhausted.

use diagnostics::{Diagnostic, Finding, Role, Sources, Span, lints};
use system::{System, paths};
use tf_eval::Meter;
use verdict::MORE_WORK;

/// Charges a schema by its text; returns whether the budget allows it.
pub(super) fn charge_schema(text: &str, meter: &Meter) -> bool {
    // The schema is written once, and read again when a value is validated.
    meter.charge_text(2 * text.len())
}

/// The findings for files with more patterns of ignored files than a walk reads.
pub(super) fn of_patterns(system: &dyn System) -> Vec<Finding> {
    let current_dir = system.current_dir().unwrap_or_default();
    let found = system.unread_ignores().into_iter().map(|(path, line)| {
        let shown = paths::display(&paths::relative(&current_dir, &path));
        let mut sources = Sources::default();
        let file = sources.add(shown.clone(), Vec::new());
        let problem =
            Diagnostic::new(&lints::BUDGET_EXCEEDED, format!("{shown} has too many patterns"))
                .detail(format!(
                    "Patterns from line {line} on are not read, so the files that they \
                ignore are checked."
                ))
                .help("remove patterns; names (`build/`) and endings (`*.log`) take the least work")
                .at(Role::Declaration, Span::new(file, 0, 0));
        Finding::new(&problem, "", &sources)
    });
    found.collect()
}

/// The finding for modules that the run's budget did not reach.
pub(super) fn of_run(left_out: usize, of: usize) -> Finding {
    let summary = format!(
        "The run reached its work limit, so {left_out} of {of} modules {} not checked",
        if left_out == 1 { "was" } else { "were" }
    );
    Finding::new(
        &Diagnostic::new(&lints::BUDGET_EXCEEDED, summary).help(MORE_WORK),
        "",
        &Sources::default(),
    )
}

/// The finding for READMEs that the run's budget did not reach.
pub(super) fn of_readmes(left_out: usize, of: usize) -> Option<Finding> {
    let summary = format!(
        "The run reached its work limit, so {left_out} of {of} READMEs {} not read",
        if left_out == 1 { "was" } else { "were" }
    );
    let problem = Diagnostic::new(&lints::BUDGET_EXCEEDED, summary).help(MORE_WORK);
    (left_out > 0).then(|| Finding::new(&problem, "", &Sources::default()))
}
