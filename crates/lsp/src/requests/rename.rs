//! `textDocument/rename` and `textDocument/prepareRename`: a variable in its module, its values files, its tests and
//! its callers, in one edit.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use lsp_types::{
    PrepareRenameResult, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use super::{Answered, RequestContext, View};
use crate::{
    contract::{as_name, role},
    symbol::{Occurrence, Symbol, Use},
};
use check::FileRole;
use system::paths;

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
    let shown = |it: &Path| paths::display(&paths::relative(view.modules.root, it));
    let is_value = |it: &&Occurrence| it.role == Use::Value;
    // A body with both names would have one twice, and a value without a declaration would get one.
    let taken = Symbol { name: new.into(), ..symbol.clone() };
    if let Some(it) = view.occurrences(&taken)?.iter().find(is_value) {
        return Err(format!("{} gives a value to \"{new}\" already", shown(&it.file)));
    }
    let found = view.occurrences(symbol)?;
    for it in found.iter().filter(is_value).filter(|it| role(&it.file) == FileRole::Values) {
        if let Some(other) = other_module(view, &it.file, symbol) {
            let (file, other) = (shown(&it.file), shown(&other));
            return Err(format!("{file} has the value of a variable in {other}, too"));
        }
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    let mut files = view.files();
    for it in found {
        let place = view.occurrence(&it, &mut files);
        let edit = TextEdit { range: place.range, new_text: new.to_owned() };
        changes.entry(place.uri).or_default().push(edit);
    }
    Ok(changes)
}

/// Another module that a values file gives a value of the same name.
fn other_module(view: &View<'_>, file: &Path, symbol: &Symbol) -> Option<PathBuf> {
    let root = view.modules.root;
    let named = view.modules.configurations.modules_of_input(&paths::relative(root, file));
    let dirs = named.iter().map(|it| paths::clean(&root.join(it)));
    dirs.filter(|it| *it != symbol.dir).find(|dir| {
        let contract = view.modules.read(dir);
        contract.is_some_and(|it| it.module.variables.contains_key(&symbol.name))
    })
}
