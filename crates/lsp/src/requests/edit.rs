//! Edits of the workspace that concern whole files.

use std::path::Path;

use lsp_types::{TextEdit, WorkspaceEdit};
use serde_json::json;

use super::View;
use crate::{convert::file_uri, text::difference};

/// The edit that gives a file a new text. `None` if it has that text, or if it does not exist and the client cannot
/// create files.
pub(super) fn whole(view: &View<'_>, path: &Path, new: &str) -> Option<WorkspaceEdit> {
    let snapshot = &view.context.snapshot;
    let uri = file_uri(path, snapshot);
    if view.system.kind(path).is_ok() {
        let mut files = view.files();
        let file = files.file(path);
        let edit = difference(&file.1, new, files.encoding)?;
        let changes = Some([(uri, vec![edit])].into());
        return Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() });
    }
    if !snapshot.can_create {
        return None;
    }
    let at = json!({"line": 0, "character": 0});
    let text = TextEdit {
        range: serde_json::from_value(json!({"start": at, "end": at})).ok()?,
        new_text: new.to_owned(),
    };
    let changes = json!([
        {"kind": "create", "uri": uri, "options": {"ignoreIfExists": true}},
        {"textDocument": {"uri": uri, "version": null}, "edits": [text]},
    ]);
    serde_json::from_value(json!({"documentChanges": changes})).ok()
}
