//! The `input` block that says which module a values file is for, where nothing else says it.

use std::{collections::BTreeSet, path::Path};

use lsp_types::{CodeAction, CodeActionKind};

use super::{View, edit::whole};
use crate::{contract::is_json, server::MACHINE, snapshot};
use check::FileRole;
use config::FILE_NAME;
use diagnostics::FileId;
use hcl::{Item, json, parse_body};
use smol_str::SmolStr;
use system::paths;

/// The most modules that are looked at.
const MOST_READ: usize = 300;
/// The most actions that are offered.
const MOST_OFFERED: usize = 4;

/// An action for each module that declares all variables of the file. None if the file has a module.
pub(super) fn actions(view: &View<'_>) -> Vec<CodeAction> {
    if crate::contract::role(view.path) != FileRole::Values
        || view.modules.of_values(view.path).is_some()
    {
        return Vec::new();
    }
    let names = names(view.text(), is_json(view.path));
    if names.is_empty() {
        return Vec::new();
    }
    let root = view.modules.root;
    let files = snapshot::all_files(&MACHINE, root);
    let is_source = |it: &&std::path::PathBuf| crate::contract::role(it) == FileRole::Source;
    let dirs: BTreeSet<&Path> =
        files.iter().filter(is_source).filter_map(|it| it.parent()).collect();
    let declares_all = |dir: &&Path| {
        let contract = view.modules.read(dir);
        contract.is_some_and(|it| names.iter().all(|name| it.module.variables.contains_key(name)))
    };
    let fitting = dirs.into_iter().take(MOST_READ).filter(declares_all).take(MOST_OFFERED);
    fitting.filter_map(|dir| action(view, dir)).collect()
}

/// The names of the variables that a values file sets.
fn names(text: &str, is_json: bool) -> Vec<SmolStr> {
    if is_json {
        let (value, _) = json::parse_part(FileId(0), text.as_bytes());
        let members = value.members().unwrap_or_default();
        return members.iter().map(|it| SmolStr::new(&it.key)).collect();
    }
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    let named = body.items.iter().filter_map(|it| match it {
        Item::Attribute(it) => Some(it.name.name.clone()),
        Item::Block(_) => None,
    });
    named.collect()
}

fn action(view: &View<'_>, dir: &Path) -> Option<CodeAction> {
    let root = view.modules.root;
    let path = root.join(FILE_NAME);
    let mut text = match view.system.kind(&path) {
        Ok(_) => String::from_utf8(view.system.read(&path).ok()?).ok()?,
        Err(_) => String::new(),
    };
    if !text.is_empty() {
        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }
    let shown = |path: &Path| literal(&paths::slashes(&paths::relative(root, path)));
    let name = view.path.file_name()?.to_str()?;
    let name = literal(name.split('.').find(|it| !it.is_empty())?);
    let (module, file) = (shown(dir), shown(view.path));
    text.push_str(&format!("input {name} {{\n  module = {module}\n  files  = [{file}]\n}}\n"));
    Some(CodeAction {
        title: format!("Use this file for the module in {module}"),
        kind: Some(CodeActionKind::QuickFix),
        edit: Some(whole(view, &path, &text)?),
        ..CodeAction::default()
    })
}

/// A text as a literal of the native syntax.
fn literal(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.replace("${", "$${").replace("%{", "%%{")
}
