//! `textDocument/rename` and `textDocument/prepareRename`: a variable in its module, its values files, its tests and
//! its callers, in one edit.

use std::collections::HashMap;

use lsp_types::{
    PrepareRenameResult, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::{Answered, RequestContext, View};
use crate::{contract::as_name, symbol::Symbol};

/// Arguments of `module` blocks, which no variable can be named after.
const RESERVED: [&str; 8] =
    ["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"];

pub(super) fn prepare(
    context: &RequestContext,
    params: &TextDocumentPositionParams,
) -> Answered<PrepareRenameResult> {
    Ok(context.look_at(params, |view| {
        let symbol = renamed(view)?;
        Some(PrepareRenameResult::Range(view.range(symbol.word)))
    }))
}

/// The variable at the position, if its name is there and the module declares it.
fn renamed(view: &View<'_>) -> Option<Symbol> {
    let symbol = view.symbol().filter(|it| it.links.is_empty())?;
    let is_here = view.text().get(symbol.word.clone())? == symbol.name;
    let contract = view.modules.read(&symbol.dir)?;
    let is_declared = contract.module.variables.contains_key(&symbol.name);
    (is_here && is_declared).then_some(symbol)
}

pub(super) fn run(context: &RequestContext, params: &RenameParams) -> Answered<WorkspaceEdit> {
    let new = params.new_name.as_str();
    let Some(name) = as_name(new) else {
        return Err(format!("{new:?} is not a name: use letters, digits, \"_\" and \"-\""));
    };
    if RESERVED.contains(&new) {
        return Err(format!("\"{new}\" is an argument of every module block"));
    }
    let edit = context.look_at(&params.text_document_position_params, |view| {
        let symbol = renamed(view)?;
        if symbol.name == name {
            return Some(Ok(HashMap::new()));
        }
        let contract = view.modules.read(&symbol.dir)?;
        if contract.module.variables.contains_key(&name) {
            return Some(Err(format!("the module has a variable \"{name}\" already")));
        }
        Some(changes(view, &symbol, new))
    });
    let Some(edit) = edit else { return Err("there is no variable to rename here".to_owned()) };
    Ok(Some(WorkspaceEdit { changes: Some(edit?), ..WorkspaceEdit::default() }))
}

fn changes(
    view: &View<'_>,
    symbol: &Symbol,
    new: &str,
) -> Result<HashMap<Uri, Vec<TextEdit>>, String> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    let mut files = view.files();
    for it in view.occurrences(symbol)? {
        let place = view.occurrence(&it, &mut files);
        let edit = TextEdit { range: place.range, new_text: new.to_owned() };
        changes.entry(place.uri).or_default().push(edit);
    }
    Ok(changes)
}
