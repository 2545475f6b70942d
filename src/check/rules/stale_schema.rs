//! `stale-schema`: the committed schema says something else than the variables do.

use super::Subject;
use crate::{
    check::redact::Redaction,
    diagnostic::{Diagnostic, FileId, Role, Span},
    schema::{Difference, Json, adds_only_rules, diff, unified_diff, written_by},
    syntax::json,
    system::paths,
};

const HELP: &str = "`terraschema check --fix` writes it anew";
const ONLY_RULES: &str = "only rules were added; `terraschema check --fix` writes it anew";

/// What differs between the committed bytes and the schema that the variables give, and the
/// unified diff where the two differ in meaning.
pub(in crate::check) fn stale(
    subject: &mut Subject<'_>,
    bytes: &[u8],
    new: &Json,
) -> (Vec<Diagnostic>, Option<String>) {
    let shown = paths::display(&subject.schema_path());
    let file = subject.module.sources.add(shown.clone(), bytes);
    let (tree, problems) = json::parse(file, bytes);
    if let Some(problem) = problems.first() {
        // Where a value stands in it is anybody's guess.
        subject.module.sources.hide(Span::new(file, 0, bytes.len()));
        return (vec![unreadable(problem, file)], None);
    }
    let old = Json::from(&tree);
    let differences = diff(&old, new);
    if differences.is_empty() {
        return (Vec::new(), None);
    }
    let redaction = Redaction::new(&old, &subject.module);
    let text = unified_diff(&redaction.schema(&old), &redaction.schema(new), &shown);
    let options = &subject.settings.schema;
    let found = if let Some(version) = written_by(&old, &subject.module, options) {
        vec![of_earlier_version(version, &tree)]
    } else {
        let help = if adds_only_rules(&differences) { ONLY_RULES } else { HELP };
        let finding = |it| finding(subject, &redaction, it, &tree).help(help);
        differences.iter().map(finding).collect()
    };
    let places = redaction.places(&tree);
    places.into_iter().for_each(|it| subject.module.sources.hide(it));
    (found, Some(text))
}

fn unreadable(problem: &Diagnostic, file: FileId) -> Diagnostic {
    let span = problem.span().unwrap_or(Span::new(file, 0, 0));
    Diagnostic::error("stale-schema", "The committed schema is not valid JSON")
        .detail(problem.summary.clone())
        .at(Role::Schema, span)
        .help(HELP)
}

/// Nothing differs but what this tool writes otherwise since.
fn of_earlier_version(version: &str, tree: &json::Value) -> Diagnostic {
    let summary = "The committed schema has the form of an earlier version of this tool";
    Diagnostic::error("stale-schema", summary)
        .detail(format!("written by {version}; run `check --fix` once"))
        .at(Role::Schema, tree.start())
}

fn finding(
    subject: &Subject<'_>,
    redaction: &Redaction<'_>,
    difference: &Difference,
    tree: &json::Value,
) -> Diagnostic {
    let difference = redaction.difference(difference);
    let place = tree.nearest(&difference.pointer).start();
    let mut diagnostic = Diagnostic::error("stale-schema", difference.sentence());
    if let Some(cause) = difference.cause(&subject.module) {
        diagnostic = diagnostic.at(Role::Declaration, cause);
    }
    if let Some(name) = &difference.variable {
        diagnostic = diagnostic.variable(name.as_str());
    }
    diagnostic.at(Role::Schema, place)
}
