//! `stale-schema`: the committed schema says something else than the variables do.

use super::Subject;
use crate::{
    check::redact,
    diagnostic::{Diagnostic, FileId, Role, Span},
    schema::{Difference, Json, adds_only_rules, diff, unified_diff},
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
        return (vec![unreadable(problem, file)], None);
    }
    hide_sensitive(subject, &tree);
    // Both are parsed, compared and shown.
    if !subject.meter.charge_text(8 * bytes.len()) {
        return (Vec::new(), None);
    }
    let old = Json::from(&tree);
    let differences = diff(&old, new);
    if differences.is_empty() {
        return (Vec::new(), None);
    }
    let (old, shown_new) = redact::schemas(&old, new, &subject.module);
    let text = unified_diff(&old, &shown_new, &shown);
    let help = if adds_only_rules(&differences) { ONLY_RULES } else { HELP };
    let found = differences.iter().map(|it| finding(subject, it, &tree).help(help)).collect();
    (found, Some(text))
}

fn unreadable(problem: &Diagnostic, file: FileId) -> Diagnostic {
    let span = problem.span().unwrap_or(Span::new(file, 0, 0));
    Diagnostic::error("stale-schema", "The committed schema is not valid JSON")
        .detail(problem.message())
        .at(Role::Schema, span)
        .help(HELP)
}

fn finding(subject: &Subject<'_>, difference: &Difference, tree: &json::Value) -> Diagnostic {
    let variable =
        difference.variable.as_ref().and_then(|it| subject.module.variables.get(it.as_str()));
    let difference = redact::difference(difference, variable);
    let place = tree.nearest(&difference.pointer).start();
    let mut diagnostic = Diagnostic::error("stale-schema", difference.sentence());
    if let Some(cause) = difference.cause(&subject.module, &subject.meter) {
        diagnostic = diagnostic.at(Role::Declaration, cause);
    }
    if let Some(name) = &difference.variable {
        diagnostic = diagnostic.variable(name.as_str());
    }
    diagnostic.at(Role::Schema, place)
}

/// Keeps what the schema says of sensitive and ephemeral variables out of excerpts: defaults.
fn hide_sensitive(subject: &mut Subject<'_>, tree: &json::Value) {
    let is_hidden = |it: &&crate::module::Variable| it.is_hidden();
    let hidden = subject.module.variables.values().filter(is_hidden);
    let spans: Vec<Span> =
        hidden.filter_map(|it| Some(tree.get("properties")?.get(&it.name)?.span)).collect();
    spans.into_iter().for_each(|it| subject.module.sources.hide(it));
}
