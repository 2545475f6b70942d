//! `textDocument/codeAction` and `codeAction/resolve`: what makes a diagnostic go away.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Position, Range, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;

use super::{Answered, RequestContext, View, edit::whole, input_block, missing_values};
use crate::{
    contract::{is_json, role},
    convert::file_uri,
    server::MACHINE,
    unit::Shown,
    unit::schemas,
};
use check::FileRole;
use diagnostics::{FindingFix, lints};

/// The beginning and the end of a suggestion in a help.
const SUGGESTION: (&str, &str) = ("id you mean ", "?");

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

fn touch(a: Range, b: Range) -> bool {
    let key = |it: Position| (it.line, it.character);
    key(a.start) <= key(b.end) && key(b.start) <= key(a.end)
}

/// Adds the variables that have no value. Their diagnostic is at the start of the file, so its first line is enough.
fn missing(view: &View<'_>, range: Range) -> Option<CodeAction> {
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

/// Puts quotes around a bare word, which Terraform takes for a reference.
fn quoted(view: &View<'_>, shown: &Shown) -> Option<CodeAction> {
    if shown.finding.rule != lints::INVALID_INPUT_SYNTAX || is_json(view.path) {
        return None;
    }
    let range = shown.diagnostic.range;
    let written = &view.text()[view.document.text.bytes(range, view.context.snapshot.encoding)];
    let is_word = |it: char| it.is_alphanumeric() || "_-.".contains(it);
    if !written.starts_with(char::is_alphabetic) || !written.chars().all(is_word) {
        return None;
    }
    let edits = vec![TextEdit { range, new_text: format!("\"{written}\"") }];
    let changes = HashMap::from([(view.document.uri.clone(), edits)]);
    Some(action(&format!("Quote \"{written}\""), shown, changes, true))
}

/// Silences a finding by a comment, whose reason the author replaces.
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
    let edits = vec![TextEdit { range: Range { start, end: start }, new_text }];
    let changes = HashMap::from([(view.document.uri.clone(), edits)]);
    Some(action(&format!("Ignore {rule} here"), shown, changes, false))
}

/// The names that the help suggests, each as a replacement.
fn renamed(view: &View<'_>, shown: &Shown) -> Vec<CodeAction> {
    let is_of_name =
        [&lints::UNKNOWN_ATTRIBUTE, &lints::UNDECLARED_VARIABLE, &lints::UNSUPPORTED_ARGUMENT];
    if !shown.finding.rule.is_one_of(&is_of_name) {
        return Vec::new();
    }
    let range = shown.diagnostic.range;
    let written = &view.text()[view.document.text.bytes(range, view.context.snapshot.encoding)];
    let is_quoted = written.starts_with('"');
    if !is_quoted && !hcl::is_identifier(written) {
        return Vec::new();
    }
    let names = suggested(shown.finding.help.as_deref().unwrap_or_default());
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

/// The names in `did you mean "a"?`, or in `did you mean "a", "b" or "c"?`.
fn suggested(help: &str) -> Vec<String> {
    let (begin, end) = SUGGESTION;
    let Some((_, rest)) = help.split_once(begin) else { return Vec::new() };
    let names = rest.split(end).next().unwrap_or_default();
    names.split('"').skip(1).step_by(2).map(str::to_owned).collect()
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
        assert_eq!(suggested("Did you mean \"name\"?"), ["name"]);
        assert_eq!(suggested("did you mean one of \"a\", \"b\"?"), ["a", "b"]);
        assert_eq!(suggested("write \"a\""), [""; 0]);
    }
}
