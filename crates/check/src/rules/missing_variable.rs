//! `missing-variable`: required variables that a set of values files leaves without a value. There is
//! one finding for each set, placed in one of its files, since that is where the values go.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{super::subject::CheckedModule, named};
use diagnostics::{Diagnostic, Diagnostics, Finding, Level, LevelReason, Role, Span, lints};
use module::inputs::{InputSource, Layer};

/// The number of variables that a finding names.
const MOST_NAMED: usize = 50;

/// The findings about all missing variables: one, or one for each level that the configuration gives to some of them.
/// Those that an `ignore` block is about are left out.
pub fn found(
    subject: &CheckedModule<'_>,
    missing: Vec<String>,
    level: Level,
    files: &[String],
    place: Option<Span>,
) -> Diagnostics {
    let Some(first) = missing.first().cloned() else { return Vec::new() };
    let one = of_level(&[first], level, files, place);
    let one = Finding::new(&one, &subject.shown, &subject.module.sources);
    let mut by_level: BTreeMap<Level, Vec<String>> = BTreeMap::new();
    for name in missing {
        let about = Finding { variable: Some(name.clone()), ..one.clone() };
        if let Some(adjusted) = subject.configurations.adjust(about) {
            by_level.entry(adjusted.level).or_default().push(name);
        }
    }
    by_level.into_iter().rev().map(|(level, it)| of_level(&it, level, files, place)).collect()
}

/// The finding about missing variables of one level.
fn of_level(missing: &[String], level: Level, files: &[String], place: Option<Span>) -> Diagnostic {
    let files =
        if files.is_empty() { "the automatic values files".to_owned() } else { files.join(", ") };
    let (summary, detail) = words(missing, &files);
    let help = match level {
        Level::Error => {
            "set a value or a default; if `-var` or TF_VAR_* sets it, list it in `given` of \
            .terraschema.hcl; if other files set it, write `partial = true`"
        }
        Level::Warning | Level::Note => {
            "if `-var` or TF_VAR_* sets it, list it in `given` of .terraschema.hcl; if other \
            files set it, list them in an `input` block"
        }
    };
    let mut diagnostic = Diagnostic::new(&lints::MISSING_VARIABLE, summary)
        .because(LevelReason::OfUse(level))
        .detail(detail)
        .help(help);
    match missing {
        [name] => diagnostic = diagnostic.variable(name),
        _ => diagnostic.variables = missing.iter().map(SmolStr::from).collect(),
    }
    match place {
        Some(span) => diagnostic.at(Role::Value, span),
        None => diagnostic,
    }
}

/// The file whose values win, or the first automatic one.
pub fn file(layers: &[Layer], is_automatic: bool) -> Option<String> {
    let mut files = layers.iter().filter_map(|it| match &it.origin {
        InputSource::File(path) => Some(path),
        _ => None,
    });
    let path = if is_automatic { files.next() } else { files.next_back() };
    path.cloned()
}

/// The summary and the detail of a finding.
fn words(missing: &[String], files: &str) -> (String, String) {
    if let [name] = missing {
        let summary = format!("No value for the required variable \"{name}\"");
        return (summary, format!("It{OF_ONE}{files}."));
    }
    let summary = format!("No values for {} required variables", missing.len());
    (summary, format!("{}{OF_MANY}{files}.", named(missing, MOST_NAMED, ", ")))
}

const OF_ONE: &str = " has no default, and no value in ";
const OF_MANY: &str = " have no defaults, and no values in ";

/// The same finding about some of its variables alone; `None` where it is not one about several.
pub fn about(finding: &Finding, names: &[String]) -> Option<Finding> {
    if finding.rule != lints::MISSING_VARIABLE || finding.variables.is_empty() {
        return None;
    }
    let (_, files) = finding.message.split_once(OF_MANY)?;
    let (summary, detail) = words(names, files.strip_suffix('.').unwrap_or(files));
    let message = format!("{summary}: {detail}");
    let (variable, variables) = match names {
        [name] => (Some(name.clone()), Vec::new()),
        _ => (None, names.iter().map(SmolStr::from).collect()),
    };
    Some(Finding { message, variable, variables, ..finding.clone() })
}
