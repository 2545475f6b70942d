//! What earlier versions of this tool wrote otherwise.
//!
//! A change of what is written for the same module and options makes every committed schema that it
//! touches stale, though nobody changed a variable. So that such drift can be told from other drift,
//! each change of *form* has an entry in [`FORMS`], which says how to write the earlier form again.
//!
//! To change the form: give [`Options`] a field that brings the earlier form back (one that a flag and
//! the configuration set where users may want it, else one that only this table sets), add an entry
//! at the **top** of the table with the last version that wrote that form, and a line in `CHANGELOG.md`. Conditions
//! that are translated since are no change of form: `check` says of them that only rules were added.

use super::{Json, Options, diff, generate_metered};
use crate::{eval::Meter, module::Module};

/// A form of schemas that is written no more.
struct Form {
    /// The last version that wrote it.
    version: &'static str,
    /// Turns the options of the form after it into this form's.
    revert: fn(&mut Options),
}

/// The newest first: a version wrote its own form and, of all later changes, none.
const FORMS: &[Form] = &[Form {
    version: "0.1.0",
    revert: |options| {
        options.sensitive_defaults = true;
        options.inline = true;
        options.patterns_as_written = true;
        options.null_defaults_refused = true;
        options.choices_written_out = true;
        options.meanings_left_out = true;
        options.zero_minimums = true;
    },
}];

/// The version that wrote just this schema for the module under these options; `None` where none
/// did, so that something else differs as well.
pub fn written_by(
    committed: &Json,
    module: &Module,
    options: &Options,
    meter: &Meter,
) -> Option<&'static str> {
    let mut earlier = options.clone();
    FORMS.iter().find_map(|form| {
        let later = earlier.clone();
        (form.revert)(&mut earlier);
        let is_other = earlier != later;
        let schema = || generate_metered(module, &earlier, meter).schema.to_json();
        (is_other && diff(committed, &schema()).is_empty()).then_some(form.version)
    })
}
