//! `textDocument/codeAction`: what makes a diagnostic go away.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Range, TextEdit, Uri, WorkspaceEdit,
};

use super::{Answered, RequestContext};
use crate::{
    convert::{Files, file_uri},
    server::MACHINE,
    snapshot::Document,
    unit::Shown,
};
use diagnostics::{FindingFix, lints};

/// The beginning and the end of a suggestion in a help.
const SUGGESTION: (&str, &str) = ("id you mean ", "?");

pub(super) fn run(
    context: &RequestContext,
    params: &CodeActionParams,
) -> Answered<Vec<CodeAction>> {
    let Some((_, document)) = context.document(&params.text_document.uri) else { return Ok(None) };
    let touched = context.shown.iter().filter(|it| touch(it.diagnostic.range, params.range));
    let touched: Vec<&Shown> = touched.collect();
    let mut actions = Vec::new();
    for it in &touched {
        actions.extend(renamed(document, it, context));
    }
    let fixed = |system: crate::overlay::Overlay<'_>| {
        let mut files = Files::new(&system, &document.root, context.snapshot.encoding);
        let fix = |it: &&Shown| {
            Some((fixes(it.finding.fix.as_ref()?, &mut files, context), (*it).clone()))
        };
        touched.iter().filter_map(fix).collect::<Vec<_>>()
    };
    let named: Vec<_> = context.snapshot.documents.keys().cloned().collect();
    let fixed = context.snapshot.with_system(&MACHINE, &document.root, &named, fixed);
    for (changes, it) in fixed.unwrap_or_default() {
        let description = it.finding.fix.as_ref().map(|it| it.description.clone());
        actions.push(action(description.unwrap_or_default(), &it, changes, false));
    }
    Ok(Some(actions))
}

fn touch(a: Range, b: Range) -> bool {
    let key = |it: lsp_types::Position| (it.line, it.character);
    key(a.start) <= key(b.end) && key(b.start) <= key(a.end)
}

/// The names that the help suggests, each as a replacement.
fn renamed(document: &Document, shown: &Shown, context: &RequestContext) -> Vec<CodeAction> {
    let is_of_name =
        [&lints::UNKNOWN_ATTRIBUTE, &lints::UNDECLARED_VARIABLE, &lints::UNSUPPORTED_ARGUMENT];
    if !shown.finding.rule.is_one_of(&is_of_name) {
        return Vec::new();
    }
    let range = shown.diagnostic.range;
    let bytes = document.text.bytes(range, context.snapshot.encoding);
    let written = &document.text.text[bytes];
    let is_quoted = written.starts_with('"');
    let is_plain = hcl::is_identifier(written);
    if !is_quoted && !is_plain {
        return Vec::new();
    }
    let names = suggested(shown.finding.help.as_deref().unwrap_or_default());
    let is_only = names.len() == 1;
    let names = names.into_iter().filter(|it| hcl::is_identifier(it));
    let rename = |name: String| {
        let new_text = if is_quoted { format!("\"{name}\"") } else { name.clone() };
        let edits = vec![TextEdit { range, new_text }];
        let changes = HashMap::from([(document.uri.clone(), edits)]);
        action(format!("Change to \"{name}\""), shown, changes, is_only)
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
fn fixes(
    fix: &FindingFix,
    files: &mut Files<'_>,
    context: &RequestContext,
) -> HashMap<Uri, Vec<TextEdit>> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &fix.edits {
        let path = files.path(&edit.file);
        let file = files.file(&path);
        let range = file.1.range(edit.start as usize..edit.end as usize, files.encoding);
        let edit = TextEdit { range, new_text: edit.replacement.clone() };
        changes.entry(file_uri(&path, &context.snapshot)).or_default().push(edit);
    }
    changes
}

fn action(
    title: String,
    shown: &Shown,
    changes: HashMap<Uri, Vec<TextEdit>>,
    is_preferred: bool,
) -> CodeAction {
    let changes = Some(changes);
    let mut title = title;
    if let Some(first) = title.get(..1) {
        title = first.to_uppercase() + &title[1..];
    }
    CodeAction {
        title,
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
