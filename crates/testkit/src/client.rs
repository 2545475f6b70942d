//! A client that talks to a server in the same process.

use std::{collections::HashMap, fs, path::PathBuf, thread, time::Duration};

use lsp::{ClientExit, Connection};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// So long may an answer take; no test depends on it.
const PATIENCE: Duration = Duration::from_mins(1);

/// A client, its server and a directory of its own.
pub struct Client {
    connection: Option<Connection>,
    server: Option<thread::JoinHandle<std::io::Result<ClientExit>>>,
    dir: tempfile::TempDir,
    asked: i32,
    versions: HashMap<String, i32>,
    /// The last parameters of `publishDiagnostics` by URI.
    pub pushed: HashMap<String, Value>,
    pub log: Vec<String>,
    pub capabilities: Value,
    /// Requests of the server.
    pub asks: Vec<String>,
}

impl Client {
    /// A client that knows what every client knows.
    pub fn new(files: &[(&str, &str)]) -> Client {
        Client::with(files, json!({}), json!({}))
    }

    /// A client with capabilities and options of its own. The files are in a repository.
    pub fn with(files: &[(&str, &str)], capabilities: Value, options: Value) -> Client {
        let mut client = Client::start(files);
        fs::create_dir(client.path(".git")).unwrap();
        client.initialize(&[""], capabilities, options);
        client
    }

    /// A client with these folders open. The files are in no repository.
    pub fn of_folders(files: &[(&str, &str)], folders: &[&str]) -> Client {
        let mut client = Client::start(files);
        client.initialize(folders, json!({}), json!({}));
        client
    }

    fn start(files: &[(&str, &str)]) -> Client {
        let (server, connection) = Connection::memory();
        let server = thread::spawn(move || lsp::serve(&server));
        let client = Client {
            connection: Some(connection),
            server: Some(server),
            dir: tempfile::tempdir().unwrap(),
            asked: 0,
            versions: HashMap::new(),
            pushed: HashMap::new(),
            log: Vec::new(),
            capabilities: Value::Null,
            asks: Vec::new(),
        };
        files.iter().for_each(|(name, text)| client.write(name, text));
        client
    }

    fn initialize(&mut self, folders: &[&str], capabilities: Value, options: Value) {
        let folders: Vec<Value> = folders.iter().map(|it| self.folder(it)).collect();
        let answer = self.request(
            "initialize",
            json!({
                "processId": null,
                "workspaceFolders": folders,
                "capabilities": capabilities,
                "initializationOptions": options,
            }),
        );
        self.capabilities = answer["capabilities"].clone();
        self.notify("initialized", json!({}));
    }

    fn folder(&self, name: &str) -> Value {
        json!({"uri": self.uri(name), "name": name})
    }

    /// Adds folders to the workspace, and removes others.
    pub fn change_folders(&mut self, added: &[&str], removed: &[&str]) {
        let all = |names: &[&str]| names.iter().map(|it| self.folder(it)).collect::<Vec<_>>();
        let event = json!({"added": all(added), "removed": all(removed)});
        self.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap().join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        let path = self.path(name);
        format!("file://{}", path.to_str().unwrap().trim_end_matches('/').replace(' ', "%20"))
    }

    /// Writes a file, behind the server's back.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn send(&self, message: impl Into<Message>) {
        self.connection.as_ref().unwrap().sender.send(message.into()).unwrap();
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request and returns its number.
    pub fn ask(&mut self, method: &str, params: Value) -> i32 {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Request { id, method: method.to_owned(), params });
        self.asked
    }

    /// The result of a request, which must have one.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        match self.answer(id).response_result {
            Ok(it) => it,
            Err(error) => panic!("{method}: {error:?}"),
        }
    }

    pub fn answer(&mut self, id: i32) -> Response {
        loop {
            if let Message::Response(it) = self.receive()
                && it.id == RequestId::from(id)
            {
                return it;
            }
        }
    }

    /// Takes the next message, which must come.
    pub fn receive(&mut self) -> Message {
        let connection = self.connection.as_ref().unwrap();
        let message = connection.receiver.recv_timeout(PATIENCE).expect("the server is silent");
        match &message {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => {
                let uri = it.params["uri"].as_str().unwrap().to_owned();
                self.pushed.insert(uri, it.params.clone());
            }
            Message::Notification(it) if it.method == "window/logMessage" => {
                self.log.push(it.params["message"].as_str().unwrap().to_owned());
            }
            Message::Request(it) => {
                self.asks.push(it.method.clone());
                self.send(Response::new_ok(it.id.clone(), Value::Null));
            }
            _ => (),
        }
        message
    }

    /// Opens a file with its text on the disk.
    pub fn open(&mut self, name: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        self.open_text(name, &text);
    }

    pub fn open_text(&mut self, name: &str, text: &str) {
        self.versions.insert(name.to_owned(), 1);
        let item = json!({
            "uri": self.uri(name), "languageId": "terraform-vars", "version": 1, "text": text,
        });
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Replaces the text of an open file.
    pub fn edit(&mut self, name: &str, text: &str) {
        self.change(name, json!([{"text": text}]));
    }

    pub fn change(&mut self, name: &str, changes: Value) {
        let version = self.versions.get_mut(name).unwrap();
        *version += 1;
        let identifier = json!({"uri": self.uri(name), "version": self.versions[name]});
        let params = json!({"textDocument": identifier, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    pub fn close(&mut self, name: &str) {
        let identifier = json!({"uri": self.uri(name)});
        self.notify("textDocument/didClose", json!({"textDocument": identifier}));
    }

    /// The diagnostics of the present text of an open file, as they come.
    pub fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let (uri, version) = (self.uri(name), self.versions[name]);
        loop {
            if let Some(params) = self.pushed.get(&uri)
                && params["version"] == version
            {
                return params["diagnostics"].as_array().unwrap().clone();
            }
            self.receive();
        }
    }

    /// As [`Client::diagnostics`], in a line each.
    pub fn lines(&mut self, name: &str) -> Vec<String> {
        self.diagnostics(name).iter().map(line).collect()
    }

    /// The last pushed diagnostics of any file.
    pub fn pushed(&self, name: &str) -> Vec<String> {
        let known = self.pushed.get(&self.uri(name));
        let diagnostics = known.and_then(|it| it["diagnostics"].as_array());
        diagnostics.into_iter().flatten().map(line).collect()
    }

    /// Takes messages until a condition holds.
    pub fn until(&mut self, holds: impl Fn(&Client) -> bool) {
        while !holds(self) {
            self.receive();
        }
    }

    /// Waits until the server has taken all messages so far.
    pub fn settle(&mut self) {
        let id = self.ask("terraschema/nothing", Value::Null);
        self.answer(id);
    }

    /// The parameters of a request at `|` in a text, which is opened or replaces the text of an open file.
    pub fn at(&mut self, name: &str, text: &str) -> Value {
        let offset = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        if self.versions.contains_key(name) {
            self.edit(name, &text);
        } else {
            self.open_text(name, &text);
        }
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let character = before[start..].encode_utf16().count();
        json!({
            "textDocument": {"uri": self.uri(name)},
            "position": {"line": line, "character": character},
        })
    }

    /// The text of a file with the edits of a workspace edit.
    pub fn edited(&self, name: &str, edit: &Value) -> String {
        let mut text = fs::read_to_string(self.path(name)).unwrap();
        let none = Vec::new();
        let edits = edit["changes"][self.uri(name)].as_array().unwrap_or(&none);
        let offset = |at: &Value| {
            let number = |key: &str| usize::try_from(at[key].as_u64().unwrap()).unwrap();
            let line: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
            line + number("character")
        };
        let mut edits: Vec<(usize, usize, String)> = edits
            .iter()
            .map(|it| {
                let (start, end) = (&it["range"]["start"], &it["range"]["end"]);
                (offset(start), offset(end), it["newText"].as_str().unwrap().to_owned())
            })
            .collect();
        edits.sort();
        for (start, end, new) in edits.iter().rev() {
            text.replace_range(*start..*end, new);
        }
        text
    }

    /// Waits until the server has nothing left to judge: a request for diagnostics waits for its unit only, so every
    /// open file is asked for.
    pub fn rest(&mut self) {
        let names: Vec<String> = self.versions.keys().cloned().collect();
        for name in names {
            let params = json!({"textDocument": {"uri": self.uri(&name)}});
            self.request("textDocument/diagnostic", params);
        }
    }

    /// Says goodbye, and how the server took it.
    pub fn end(&mut self) -> ClientExit {
        if self.asked > 0 && self.connection.is_some() {
            self.request("shutdown", Value::Null);
        }
        self.leave()
    }

    /// Sends `exit`.
    pub fn leave(&mut self) -> ClientExit {
        self.notify("exit", Value::Null);
        let server = self.server.take().unwrap();
        server.join().unwrap().unwrap()
    }

    /// Closes the connection.
    pub fn vanish(&mut self) -> ClientExit {
        self.connection = None;
        let server = self.server.take().unwrap();
        server.join().unwrap().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.server.is_some() && !thread::panicking() {
            assert_eq!(self.end(), ClientExit::Orderly);
        }
        let failed = self.log.iter().find(|it| it.contains("internal error"));
        assert!(thread::panicking() || failed.is_none(), "{failed:?}");
    }
}

/// A diagnostic in a line: its range, its rule and the first line of its message.
pub fn line(it: &Value) -> String {
    let at = |end: &str| {
        let it = &it["range"][end];
        format!("{}:{}", it["line"], it["character"])
    };
    let level = ["", "error", "warning", "note"]
        [usize::try_from(it["severity"].as_u64().unwrap()).unwrap()];
    let (code, message) = (it["code"].as_str().unwrap(), it["message"].as_str().unwrap());
    let headline = message.lines().next().unwrap();
    format!("{}-{} {level}[{code}] {headline}", at("start"), at("end"))
}
