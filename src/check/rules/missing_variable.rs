//! `missing-variable`: required variables that a set of values files leaves without a value. There is
//! one finding for each set, placed in one of its files, since that is where the values go.

use super::named;
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Level, Role, Span, rules},
    inputs::{Layer, Origin},
};

/// The number of variables that a finding names.
const MOST_NAMED: usize = 50;

/// Removes the diagnostics about single missing variables, and returns their names.
pub(in crate::check) fn take_out(said: &mut Diagnostics) -> Vec<String> {
    let (missing, others) = said.drain(..).partition(|it| it.rule == rules::MISSING_VARIABLE);
    *said = others;
    let missing: Diagnostics = missing;
    missing.into_iter().filter_map(|it| Some(it.variable?.to_string())).collect()
}

/// The finding about all missing variables; `None` if there are none.
pub(in crate::check) fn found(
    missing: &[String],
    level: Level,
    files: &[String],
    place: Option<Span>,
) -> Option<Diagnostic> {
    let first = missing.first()?;
    let files = if files.is_empty() { "the automatic files".to_owned() } else { files.join(", ") };
    let (summary, detail) = if missing.len() == 1 {
        let detail = format!("It has no default, and no value in {files}.");
        (format!("No value for the required variable \"{first}\""), detail)
    } else {
        let summary = format!("No values for {} required variables", missing.len());
        (
            summary,
            format!(
                "{} have no defaults, and no values in {files}.",
                named(missing, MOST_NAMED, ", ")
            ),
        )
    };
    let help = match level {
        Level::Error => {
            "give values or defaults; where the environment, `-var` or another file gives the rest, \
             name the files in an `input` block with `partial = true`"
        }
        Level::Warning | Level::Note => {
            "where other values come with these, say so in an `input` block of .terraschema.hcl"
        }
    };
    let mut diagnostic =
        Diagnostic::new(&rules::MISSING_VARIABLE, summary).level(level).detail(detail).help(help);
    if missing.len() == 1 {
        diagnostic = diagnostic.variable(first);
    }
    Some(match place {
        Some(span) => diagnostic.at(Role::Value, span),
        None => diagnostic,
    })
}

/// The file whose values win, or the first automatic one.
pub(in crate::check) fn file(layers: &[Layer], is_automatic: bool) -> Option<String> {
    let mut files = layers.iter().filter_map(|it| match &it.origin {
        Origin::File(path) => Some(path),
        _ => None,
    });
    let path = if is_automatic { files.next() } else { files.next_back() };
    path.cloned()
}
