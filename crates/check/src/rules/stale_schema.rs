//! `stale-schema`: the committed schema differs from what the variables say.

use std::collections::HashMap;

use super::CheckedModule;
use crate::redact::Redaction;
use diagnostics::{Diagnostic, FileId, Role, Span, lints};
use hcl::json;
use projection::schema::{Difference, SchemaJson, adds_only_rules, diff, unified_diff, written_by};
use system::paths;

const HELP: &str = "run `terraschema check --fix` to update it";
/// The number of differences that are reported one by one.
const MOST_REPORTED: usize = 1000;
const ONLY_RULES: &str = "only rules were added; run `terraschema check --fix` to update it";

/// The differences between the committed bytes and the schema generated from the variables, and a
/// unified diff if the two differ in meaning.
pub fn stale(
    subject: &mut CheckedModule<'_>,
    bytes: &[u8],
    new: &SchemaJson,
) -> (Vec<Diagnostic>, Option<String>) {
    let shown = paths::display(&subject.schema_path());
    let file = subject.module.sources_mut().add(shown.clone(), bytes);
    let (tree, problems) = json::parse(file, bytes);
    if let Some(problem) = problems.first() {
        // The places of values in it cannot be known.
        subject.module.sources_mut().hide(Span::new(file, 0, bytes.len()));
        return (vec![unreadable(problem, file)], None);
    }
    // The work of parsing, comparing and showing both.
    if !subject.meter.charge_text(8 * bytes.len()) {
        return (Vec::new(), None);
    }
    let old = SchemaJson::from(&tree);
    let differences = diff(&old, new);
    if differences.is_empty() {
        return (Vec::new(), None);
    }
    let redaction = Redaction::new(&old, &subject.module);
    let text = unified_diff(&redaction.schema(&old), &redaction.schema(new), &shown);
    let options = &subject.settings.schema;
    let found = match written_by(&old, &subject.module, options, &subject.meter) {
        Some(version) => vec![of_earlier_version(version, &tree)],
        None => findings(subject, &redaction, &differences, &tree),
    };
    let places = redaction.hidden_spans(&tree);
    places.into_iter().for_each(|(it, why)| subject.module.sources_mut().keep_out(it, why));
    (found, Some(text).filter(|it| !it.is_empty()))
}

/// Finds places in a committed schema, which may have very many members.
struct Places<'t> {
    tree: &'t json::JsonValue,
    properties: HashMap<&'t str, &'t json::JsonValue>,
}

impl<'t> Places<'t> {
    fn new(tree: &'t json::JsonValue) -> Self {
        let members = tree.get("properties").and_then(json::JsonValue::members).unwrap_or_default();
        let properties = members.iter().map(|it| (it.key.as_str(), &it.value)).collect();
        Places { tree, properties }
    }

    /// Like [`json::JsonValue::nearest`].
    fn nearest(&self, pointer: &str) -> &'t json::JsonValue {
        let Some(inside) = pointer.strip_prefix("/properties/") else {
            return self.tree.nearest(pointer);
        };
        let name = inside.split('/').next().unwrap_or_default();
        let plain = name.replace("~1", "/").replace("~0", "~");
        match self.properties.get(plain.as_str()) {
            Some(property) => property.nearest(inside.get(name.len()..).unwrap_or_default()),
            None => self.tree.get("properties").unwrap_or(self.tree),
        }
    }
}

fn unreadable(problem: &Diagnostic, file: FileId) -> Diagnostic {
    let span = problem.span().unwrap_or(Span::new(file, 0, 0));
    Diagnostic::new(&lints::STALE_SCHEMA, "The committed schema is not valid JSON")
        .detail(problem.summary.clone())
        .at(Role::Schema, span)
        .help(HELP)
}

/// The finding for a schema that differs only in the form of an earlier version of this tool.
fn of_earlier_version(version: &str, tree: &json::JsonValue) -> Diagnostic {
    let summary = "The committed schema was written by an earlier version of terraschema";
    Diagnostic::new(&lints::STALE_SCHEMA, summary)
        .detail(format!("written by {version}; run `terraschema check --fix` once"))
        .at(Role::Schema, tree.start())
}

/// One finding for each difference, up to [`MOST_REPORTED`]; one more counts the rest.
fn findings(
    subject: &CheckedModule<'_>,
    redaction: &Redaction<'_>,
    differences: &[Difference],
    tree: &json::JsonValue,
) -> Vec<Diagnostic> {
    let help = if adds_only_rules(differences) { ONLY_RULES } else { HELP };
    let places = Places::new(tree);
    let findings = differences.iter().take(MOST_REPORTED);
    let mut found: Vec<Diagnostic> =
        findings.map(|it| finding(subject, redaction, it, &places).help(help)).collect();
    if differences.len() > MOST_REPORTED {
        let more = differences.len() - MOST_REPORTED;
        let summary = format!("The committed schema differs in {more} more places");
        let more = Diagnostic::new(&lints::STALE_SCHEMA, summary).at(Role::Schema, tree.start());
        found.push(more.help(help));
    }
    found
}

fn finding(
    subject: &CheckedModule<'_>,
    redaction: &Redaction<'_>,
    difference: &Difference,
    places: &Places<'_>,
) -> Diagnostic {
    let difference = redaction.difference(difference);
    let place = places.nearest(&difference.pointer).start();
    let mut diagnostic = Diagnostic::new(&lints::STALE_SCHEMA, difference.sentence());
    if let Some(cause) = difference.cause(&subject.module, &subject.meter) {
        diagnostic = diagnostic.at(Role::Declaration, cause);
    }
    if let Some(name) = &difference.variable {
        diagnostic = diagnostic.variable(name.as_str());
    }
    diagnostic.at(Role::Schema, place)
}
