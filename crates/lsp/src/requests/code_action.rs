//! `textDocument/codeAction` and `codeAction/resolve`: what makes a diagnostic go away.

use std::{collections::HashMap, ops::Range};

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Position, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;

use super::{
    Answered, LONGEST_JUDGED, RequestContext, View, completion, edit::whole, input_block,
    missing_values,
};
use crate::{
    contract::{is_json, role},
    convert::file_uri,
    server::MACHINE,
    site::unquoted,
    unit::{Judged, Shown, schemas},
};
use check::FileRole;
use diagnostics::{FindingFix, lints, suggestion};
use hcl::Item;

/// The beginning and the end of a suggestion in a help.
const SUGGESTION: (&str, &str) = ("id you mean ", "?");

/// The most values that are offered in the place of one.
const MOST_VALUES: usize = 4;

/// The help for a bare word.
const AS_TEXT: &str = "write it in quotes";

pub(super) fn run(
    context: &RequestContext,
    params: &CodeActionParams,
) -> Answered<Vec<CodeAction>> {
    Ok(context.look(&params.text_document.uri, params.range.start, |view| {
        let touched = context.shown.iter().filter(|it| touch(it.diagnostic.range, params.range));
        let touched: Vec<&Shown> = touched.collect();
        let mut actions = Vec::new();
        for it in &touched {
            actions.extend(renamed(view, it));
            actions.extend(quoted(view, it));
            actions.extend(allowed(view, it));
        }
        for it in &touched {
            if let Some(fix) = &it.finding.fix {
                let fix = action(&fix.description, it, fixes(view, fix), false);
                // The nearest name is offered already.
                if !actions.iter().any(|known: &CodeAction| known.edit == fix.edit) {
                    actions.push(fix);
                }
            }
        }
        actions.extend(missing(view, params.range));
        actions.extend(lacking(view, &touched));
        actions.extend(input_block::actions(view));
        actions.extend(schema(view, params.context.only.as_deref()));
        actions.extend(touched.iter().filter_map(|it| ignored(view, it)));
        Some(actions)
    }))
}

/// Fills in the edit of an action that takes a while to find.
pub(super) fn resolve(context: &RequestContext, action: &CodeAction) -> Answered<CodeAction> {
    let uri = action.data.as_ref().and_then(|it| it["uri"].as_str()).map(Uri::from);
    let Some(uri) = uri else { return Ok(Some(action.clone())) };
    if action.kind.as_ref() == Some(&CodeActionKind::Source) {
        let edit = context.look(&uri, Position::default(), written_schema);
        let Some(edit) = edit else { return Err("the schema is up to date".to_owned()) };
        return Ok(Some(CodeAction { edit: Some(edit), ..action.clone() }));
    }
    let edit = context.look(&uri, Position::default(), missing_values::edit);
    let Some(edit) = edit else { return Err("no values were found that pass".to_owned()) };
    let changes = Some(HashMap::from([(uri, vec![edit])]));
    let edit = Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() });
    Ok(Some(CodeAction { edit, ..action.clone() }))
}

fn touch(a: lsp_types::Range, b: lsp_types::Range) -> bool {
    let key = |it: Position| (it.line, it.character);
    key(a.start) <= key(b.end) && key(b.start) <= key(a.end)
}

/// Adds the variables that have no value. Their diagnostic is at the start of the file, so its first line is enough.
fn missing(view: &View<'_>, range: lsp_types::Range) -> Option<CodeAction> {
    let context = view.context;
    let mut lacking = context.shown.iter().filter(|it| it.finding.rule == lints::MISSING_VARIABLE);
    let first = lacking.next()?;
    let line = first.diagnostic.range.start.line;
    if role(view.path) != FileRole::Values || range.start.line > line || range.end.line < line {
        return None;
    }
    let title = "Add the missing variables, with values that pass";
    let uri = view.document.uri.clone();
    if context.snapshot.can_resolve {
        let data = Some(json!({"uri": uri}));
        let action = action(title, first, HashMap::new(), true);
        return Some(CodeAction { edit: None, data, ..action });
    }
    let edit = missing_values::edit(view)?;
    Some(action(title, first, HashMap::from([(uri, vec![edit])]), true))
}

/// Adds the arguments that a call lacks.
fn lacking(view: &View<'_>, touched: &[&Shown]) -> Option<CodeAction> {
    let is_it = |it: &&&Shown| it.finding.rule == lints::MISSING_ARGUMENT;
    let all: Vec<&Shown> = touched.iter().filter(is_it).copied().collect();
    let first = *all.first()?;
    let names: Vec<&str> = all.iter().filter_map(|it| it.finding.variable.as_deref()).collect();
    let encoding = view.context.snapshot.encoding;
    let start = view.document.text.bytes(first.diagnostic.range, encoding).start;
    let call = view.document.text.body().items.iter().find_map(|it| match it {
        Item::Block(it) if it.span.range().contains(&start) => Some(&it.labels.first()?.text),
        _ => None,
    })?;
    let edit = missing_values::arguments(view, call, &names)?;
    let changes = HashMap::from([(view.document.uri.clone(), vec![edit])]);
    Some(action("Add the missing arguments, with values that pass", first, changes, true))
}

/// Replaces a value by one that passes: by the nearest, or if none is near by each of a few.
fn allowed(view: &View<'_>, shown: &Shown) -> Vec<CodeAction> {
    if !shown.finding.rule.is_one_of(&[&lints::FAILED_VALIDATION, &lints::TYPE_MISMATCH]) {
        return Vec::new();
    }
    let bytes = view.document.text.bytes(shown.diagnostic.range, view.context.snapshot.encoding);
    let Some((word, mut values)) = completion::passing(view, bytes.start) else {
        return Vec::new();
    };
    if word != bytes {
        return Vec::new();
    }
    let written = &view.text()[word.clone()];
    // Most values are near to a short one.
    let is_long = unquoted(written).chars().count() > 3;
    let near = suggestion(written, values.iter().map(String::as_str)).filter(|_| is_long);
    match near.map(str::to_owned) {
        Some(near) => values = vec![near],
        None => values.truncate(MOST_VALUES),
    }
    let is_only = values.len() == 1;
    let change = |value: String| {
        let title = format!("Change to {value}");
        let edits = vec![TextEdit { range: view.range(word.clone()), new_text: value }];
        let changes = HashMap::from([(view.document.uri.clone(), edits)]);
        action(&title, shown, changes, is_only)
    };
    values.into_iter().map(change).collect()
}

/// Writes the schema of the module again, if it is missing or out of date.
fn schema(view: &View<'_>, only: Option<&[CodeActionKind]>) -> Option<CodeAction> {
    let is_asked = only.is_none_or(|it| it.contains(&CodeActionKind::Source));
    if role(view.path) != FileRole::Source || !is_asked {
        return None;
    }
    let action = CodeAction {
        title: "Write the schema of this module".to_owned(),
        kind: Some(CodeActionKind::Source),
        ..CodeAction::default()
    };
    if view.context.snapshot.can_resolve {
        return Some(CodeAction { data: Some(json!({"uri": view.document.uri})), ..action });
    }
    Some(CodeAction { edit: Some(written_schema(view)?), ..action })
}

/// The edit that writes the schema; `None` if it is up to date.
fn written_schema(view: &View<'_>) -> Option<WorkspaceEdit> {
    let schemas = schemas(&MACHINE, &view.context.snapshot, view.modules.root, view.path);
    let (path, bytes) = schemas.into_iter().next()?;
    whole(view, &path, std::str::from_utf8(&bytes).ok()?)
}

/// Puts quotes around a bare word, which Terraform takes for a reference: the help says so.
fn quoted(view: &View<'_>, shown: &Shown) -> Option<CodeAction> {
    let finding = &shown.finding;
    let is_of_word = finding.rule == lints::INVALID_INPUT_SYNTAX
        && finding.help.as_deref().is_some_and(|it| it.contains(AS_TEXT));
    if !is_of_word || is_json(view.path) {
        return None;
    }
    let bytes = view.document.text.bytes(shown.diagnostic.range, view.context.snapshot.encoding);
    // The finding is about the first of its names.
    let rest = &view.text()[bytes.start..];
    let is_word = |it: char| it.is_alphanumeric() || "_-.".contains(it);
    let written = &rest[..rest.find(|it| !is_word(it)).unwrap_or(rest.len())];
    if !written.starts_with(char::is_alphabetic) {
        return None;
    }
    let range = view.range(bytes.start..bytes.start + written.len());
    let edits = vec![TextEdit { range, new_text: format!("\"{written}\"") }];
    let changes = HashMap::from([(view.document.uri.clone(), edits)]);
    Some(action(&format!("Quote \"{written}\""), shown, changes, true))
}

/// Silences a finding by a comment, whose reason the author replaces. Not every finding can be silenced, nor can a comment
/// be everywhere.
fn ignored(view: &View<'_>, shown: &Shown) -> Option<CodeAction> {
    let rule = shown.finding.rule.declared()?.id;
    if is_json(view.path) || rule == lints::MISSING_VARIABLE.id {
        return None;
    }
    let line = shown.diagnostic.range.start.line;
    let start = Position { line, character: 0 };
    let offset = view.document.text.offset(start, view.context.snapshot.encoding);
    let rest = &view.text()[offset..];
    let indent = &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()];
    let new_text = format!("{indent}# terraschema:ignore {rule} because …\n");
    let range = lsp_types::Range { start, end: start };
    let text = view.document.text.changed(range, &new_text, view.context.snapshot.encoding);
    let is_it = |it: &Shown| {
        let (one, other) = (&it.finding, &shown.finding);
        (&one.rule, &one.message) == (&other.rule, &other.message)
    };
    let count = |judged: &Judged| {
        judged.files.get(view.path).into_iter().flatten().filter(|it| is_it(it)).count()
    };
    let before = view.context.shown.iter().filter(|it| is_it(it)).count();
    if text.text.len() > LONGEST_JUDGED || count(&view.judged_with(text)) >= before {
        return None;
    }
    let changes = HashMap::from([(view.document.uri.clone(), vec![TextEdit { range, new_text }])]);
    Some(action(&format!("Ignore {rule} here"), shown, changes, false))
}

/// The names that a finding suggests, each in the place of the one that it is about.
fn renamed(view: &View<'_>, shown: &Shown) -> Vec<CodeAction> {
    let finding = &shown.finding;
    let (message, help) = (finding.message.as_str(), finding.help.as_deref().unwrap_or_default());
    let of_help = suggested(help).map(|it| (message, it.1));
    let Some((about, names)) = of_help.or_else(|| suggested(message)) else { return Vec::new() };
    let encoding = view.context.snapshot.encoding;
    let whole = view.document.text.bytes(shown.diagnostic.range, encoding);
    let written = &view.text()[whole.clone()];
    // What is wrong is named last.
    let found = quoted_in(about).rev().find_map(|it| word_in(written, it));
    let Some(found) = found else { return Vec::new() };
    // A name in quotes is replaced with them, as its fix does.
    let is_quoted = written.len() == found.len() + 2 && written.starts_with('"');
    let bytes = if is_quoted { 0..written.len() } else { found };
    let range = view.range(whole.start + bytes.start..whole.start + bytes.end);
    let is_only = names.len() == 1;
    let names = names.into_iter().filter(|it| hcl::is_identifier(it));
    let rename = |name: String| {
        let new_text = if is_quoted { format!("\"{name}\"") } else { name.clone() };
        let edits = vec![TextEdit { range, new_text }];
        let changes = HashMap::from([(view.document.uri.clone(), edits)]);
        action(&format!("Change to \"{name}\""), shown, changes, is_only)
    };
    names.map(rename).collect()
}

/// What is before a suggestion, and the names in it: `did you mean "a"?`, or `did you mean "a", "b" or "c"?`.
fn suggested(text: &str) -> Option<(&str, Vec<String>)> {
    let (begin, end) = SUGGESTION;
    let (before, rest) = text.split_once(begin)?;
    let names = quoted_in(rest.split(end).next()?).map(str::to_owned).collect();
    Some((before, names))
}

/// The names in quotes.
fn quoted_in(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split('"').skip(1).step_by(2).collect::<Vec<_>>().into_iter()
}

/// The bytes of the last place of a name in a text, as a word of its own.
fn word_in(text: &str, name: &str) -> Option<Range<usize>> {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let is_whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_of_word) && !after.starts_with(is_of_word)
    };
    let mut places = text.rmatch_indices(name).map(|it| it.0).filter(|at| is_whole(*at));
    let at = places.find(|_| !name.is_empty())?;
    Some(at..at + name.len())
}

/// The edits of a fix, by document.
fn fixes(view: &View<'_>, fix: &FindingFix) -> HashMap<Uri, Vec<TextEdit>> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    let mut files = view.files();
    for edit in &fix.edits {
        let path = files.path(&edit.file);
        let file = files.file(&path);
        let range = file.1.range(edit.start as usize..edit.end as usize, files.encoding);
        let edit = TextEdit { range, new_text: edit.replacement.clone() };
        changes.entry(file_uri(&path, &view.context.snapshot)).or_default().push(edit);
    }
    changes
}

fn action(
    title: &str,
    shown: &Shown,
    changes: HashMap<Uri, Vec<TextEdit>>,
    is_preferred: bool,
) -> CodeAction {
    let changes = Some(changes);
    let mut letters = title.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    CodeAction {
        title: first + letters.as_str(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![shown.diagnostic.clone()]),
        is_preferred: Some(is_preferred),
        edit: Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_the_quoted_names() {
        let names = |text| suggested(text).map(|it| it.1);
        assert_eq!(names("Did you mean \"name\"?").unwrap(), ["name"]);
        assert_eq!(names("did you mean one of \"a\", \"b\"?").unwrap(), ["a", "b"]);
        assert_eq!(names("write \"a\""), None);
    }

    #[test]
    fn a_name_is_found_as_a_word() {
        assert_eq!(word_in("var.size + size", "size"), Some(11..15));
        assert_eq!(word_in("\"sizes\": my-size", "size"), None);
        assert_eq!(word_in("é.size", "size"), Some(3..7));
        assert_eq!(word_in("x", ""), None);
    }
}
