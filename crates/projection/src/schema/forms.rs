//! Earlier forms of schemas.
//!
//! A change of the schema's form makes every committed schema that it touches stale, though no
//! variable changed. To distinguish such drift from other drift, each change of *form* has an entry
//! in [`FORMS`], which says how to write the earlier form again.
//!
//! To change the form: give [`SchemaOptions`] a field that restores the earlier form (set by a flag and the
//! configuration if users may want it, otherwise by this table only), add an entry at the **top** of the
//! table with the last version that wrote that form, and a line in `CHANGELOG.md`. Conditions that are
//! newly translated are not a change of form: `check` reports these as added rules.

use super::{SchemaJson, SchemaOptions, diff, generate_metered};
use module::Module;
use tf_eval::Meter;

/// A form of schemas that is no longer written.
struct Form {
    /// The last version that wrote it.
    version: &'static str,
    /// Turns the options for the next form into those for this one.
    revert: fn(&mut SchemaOptions),
}

/// The newest first: a version wrote its own form, without any later change.
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

/// The version that wrote exactly this schema for the module under these options; `None` if there is
/// none, so that something else differs as well.
pub fn written_by(
    committed: &SchemaJson,
    module: &Module,
    options: &SchemaOptions,
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
