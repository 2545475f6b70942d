//! What the client reports: documents, files, folders, settings.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use check::FileRole;
use lsp_server::RequestId;
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    TextDocumentContentChangeEvent as Change, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    server::{MACHINE, Server},
    settings::Settings,
    snapshot::{Document, is_ours, real},
    text::Text,
    uri,
};

/// The files whose changes matter: those that are judged, and [`IGNORING`].
const WATCHED: [&str; 3] =
    ["**/*.{tf,tofu,tfvars,hcl,json}", "**/.gitignore", "**/.git/{index,info/exclude}"];

/// The files that say what git ignores.
const IGNORING: [&str; 3] = [".gitignore", ".git/index", ".git/info/exclude"];

impl Server<'_> {
    /// Takes a notification. Errors: it does not have the form that the protocol gives it, or names what is not there.
    pub fn notice(&mut self, method: &str, params: Value) -> Result<(), String> {
        match method {
            "initialized" => self.watch(),
            "$/cancelRequest" => {
                let id: RequestId = of(params.get("id").cloned().unwrap_or_default())?;
                self.cancel(&id);
            }
            "textDocument/didOpen" => self.open(of(params)?),
            "textDocument/didChange" => return self.change(of(params)?),
            "textDocument/didClose" => {
                let params: DidCloseTextDocumentParams = of(params)?;
                self.close(&params.text_document.uri);
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = of(params)?;
                let path = uri::path(&params.text_document.uri);
                path.into_iter().for_each(|it| self.saved(&it));
            }
            "workspace/didChangeWatchedFiles" => {
                let params: DidChangeWatchedFilesParams = of(params)?;
                let paths = params.changes.iter().filter_map(|it| uri::path(&it.uri));
                self.files_changed(&paths.collect::<Vec<_>>());
            }
            "workspace/didChangeWorkspaceFolders" => self.folders(&of(params)?),
            "workspace/didChangeConfiguration" => {
                let settings = Settings::read(params.get("settings").unwrap_or(&Value::Null));
                if settings != self.state.settings {
                    Arc::make_mut(&mut self.state).settings = settings;
                    self.units.touch_all();
                    self.ask_to_pull();
                }
            }
            _ => (),
        }
        Ok(())
    }

    /// Asks the client to report changes of files.
    fn watch(&mut self) {
        if self.client.watches {
            let watchers = WATCHED.map(|it| json!({"globPattern": it}));
            let options = json!({"watchers": watchers});
            let method = "workspace/didChangeWatchedFiles";
            let registration = json!({"id": "files", "method": method, "registerOptions": options});
            let params = json!({"registrations": [registration]});
            self.watching = Some(self.ask("client/registerCapability", params));
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let Some(path) = uri::path(&item.uri).filter(|it| is_ours(it)) else { return };
        let text = Arc::new(Text::new(item.text));
        let root = self.state.root_of(&MACHINE, &path);
        let dir = self.state.dir_of(&MACHINE, &root, &path);
        let real = real(&MACHINE, &path);
        self.find_tofu(&root);
        let (uri, version) = (item.uri, item.version);
        let document = Document { uri, version, text, real, dir, root };
        self.close_unit(&path);
        Arc::make_mut(&mut self.state).insert(path.clone(), document);
        self.count_change();
        if !self.client.watches {
            self.state.walks.forget();
        }
        self.forget_pushed(&path);
        self.open_unit(&path);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) -> Result<(), String> {
        let identifier = params.text_document;
        let uri = identifier.text_document_identifier.uri;
        let Some(path) = uri::path(&uri) else { return Ok(()) };
        let known = self.state.documents.get(&path);
        let Some(document) = known else {
            return if is_ours(&path) { Err(format!("{uri} is not open")) } else { Ok(()) };
        };
        let mut document = document.clone();
        let encoding = self.state.encoding;
        for change in params.content_changes {
            let text = match change {
                Change::TextDocumentContentChangePartial(it) => {
                    document.text.changed(it.range, &it.text, encoding)
                }
                Change::TextDocumentContentChangeWholeDocument(it) => Text::new(it.text),
            };
            document.text = Arc::new(text);
        }
        document.version = identifier.version;
        Arc::make_mut(&mut self.state).insert(path.clone(), document);
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if FileRole::of(name) != FileRole::Values {
            self.count_change();
        }
        self.units.touch(&path);
        Ok(())
    }

    fn close(&mut self, uri: &Uri) {
        let Some(path) = uri::path(uri) else { return };
        self.close_unit(&path);
        if let Some(document) = Arc::make_mut(&mut self.state).remove(&path) {
            self.count_change();
            self.units.touch(&path);
            self.after_close(&path, &document.uri);
        }
    }

    fn saved(&mut self, path: &Path) {
        if !self.client.watches {
            self.files_changed(&[path.to_owned()]);
        }
    }

    /// Takes note of files that were made, changed or deleted.
    fn files_changed(&mut self, paths: &[PathBuf]) {
        self.state.walks.forget();
        self.count_change();
        let known: HashSet<&Path> =
            self.state.tofu.values().flat_map(|it| &**it).filter_map(|it| it.parent()).collect();
        let is_tofu = |it: &PathBuf| {
            let is_neighbour = it.parent().is_some_and(|dir| known.contains(dir));
            is_neighbour || check::is_unit(it) || it.to_string_lossy().contains(".tofu")
        };
        if paths.iter().any(is_tofu) {
            let roots: Vec<_> = self.state.tofu.keys().cloned().collect();
            roots.iter().for_each(|it| self.search_tofu(it));
        }
        self.regroup();
        // Any walk may find other files now.
        if paths.iter().any(|it| IGNORING.iter().any(|name| it.ends_with(name))) {
            self.units.touch_all();
        }
        for path in paths {
            self.units.touch_file(path);
        }
        self.ask_to_pull();
    }

    fn folders(&mut self, params: &DidChangeWorkspaceFoldersParams) {
        self.count_change();
        let state = Arc::make_mut(&mut self.state);
        let removed: Vec<_> = params.event.removed.iter().map(|it| uri::path(&it.uri)).collect();
        state.folders.retain(|it| !removed.iter().flatten().any(|removed| removed == it));
        let added = params.event.added.iter().filter_map(|it| uri::path(&it.uri));
        state.folders.extend(added);
        self.regroup();
        self.ask_to_pull();
    }

    /// Finds the modules of all documents again.
    fn regroup(&mut self) {
        let state = &self.state;
        let mut moved = Vec::new();
        for (path, document) in &state.documents {
            let root = state.root_of(&MACHINE, path);
            let dir = state.dir_of(&MACHINE, &root, path);
            if (&root, &dir) != (&document.root, &document.dir) {
                moved.push((path.clone(), root, dir));
            }
        }
        for (path, root, dir) in moved {
            self.find_tofu(&root);
            self.close_unit(&path);
            if let Some(it) = Arc::make_mut(&mut self.state).documents.get_mut(&path) {
                (it.root, it.dir) = (root, dir);
            }
            self.open_unit(&path);
        }
    }
}

/// The parameters of a message.
pub(crate) fn of<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|it| it.to_string())
}
