//! The main loop, which owns the state.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError,
};
use serde_json::{Value, json};

use super::{
    ClientExit,
    refresh::{Key, Units},
    requests::{self, Handler, RequestContext, handler},
    settings::{Settings, input_set},
    snapshot::{self, Snapshot},
    text::Encoding,
    unit::Judged,
    uri,
    work::{Ended, Pool, caught, interruptible},
};
use stack::Interrupt;
use system::{OsSystem, System};
use verdict::tree::KeptModules;

/// The threads for requests.
const THREADS: usize = 2;

/// The machine. Every task builds walls of its own around what it reads.
pub(crate) static MACHINE: OsSystem = OsSystem;

/// Finished work.
pub(crate) enum Done {
    /// A unit, and the number of its last change when the work began.
    Judged {
        key: Key,
        change: u64,
        result: Result<Judged, Ended>,
    },
    Answer {
        id: RequestId,
        result: Result<Value, ResponseError>,
    },
    /// The files of a root that only OpenTofu reads, and their neighbours.
    Tofu {
        root: PathBuf,
        /// What was known of them when the search began: it is out of date once that is replaced.
        known: Arc<Vec<PathBuf>>,
        files: Vec<PathBuf>,
    },
}

/// What a client can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    /// It asks for diagnostics itself.
    pub pulls: bool,
    /// It can be asked to ask again.
    pub refreshes: bool,
    /// It can be asked to report changes of files.
    pub watches: bool,
}

/// The source text of the modules that are kept between verdicts, in bytes: those of twenty calls, in a few MB.
const KEPT_BYTES: usize = 250_000;

/// What was read of a watched file is read again after so long, in case the client missed a change.
const TRUST: Duration = Duration::from_secs(1);

/// The server and its client.
pub(crate) struct Server<'c> {
    pub connection: &'c Connection,
    pub state: Arc<Snapshot>,
    pub client: Client,
    pub units: Units,
    /// Verdicts, one after the other.
    pub judge: Pool,
    pub pool: Pool,
    pub done: Sender<Done>,
    /// Requests that are not answered yet, and what ends the work on them.
    pending: HashMap<RequestId, Interrupt>,
    /// The number of requests to the client.
    asked: i32,
    /// The request to report changes of files, while it is not answered.
    pub watching: Option<RequestId>,
    /// When the number of the watched files' state last changed.
    changed: SystemTime,
    has_shut_down: bool,
}

/// Serves a client until it leaves.
pub(crate) fn serve(connection: &Connection) -> io::Result<ClientExit> {
    let Ok((id, params)) = connection.initialize_start() else { return Ok(ClientExit::Abruptly) };
    let (done, finished) = unbounded();
    let mut server = Server {
        connection,
        state: Arc::new(introduced(&params)),
        client: client(&params),
        units: Units::default(),
        judge: Pool::new("judge", 1)?,
        pool: Pool::new("request", THREADS)?,
        done,
        pending: HashMap::new(),
        asked: 0,
        watching: None,
        changed: SystemTime::UNIX_EPOCH,
        has_shut_down: false,
    };
    let encoding = server.state.encoding;
    server.send(Response::new_ok(id, capabilities(encoding, server.client)));
    server.run(&finished)
}

/// Nobody waits for what is still being done.
impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.units.interrupt();
        self.pending.values().for_each(Interrupt::set);
    }
}

impl Server<'_> {
    fn run(&mut self, finished: &Receiver<Done>) -> io::Result<ClientExit> {
        loop {
            select! {
                recv(self.connection.receiver) -> message => {
                    let Ok(message) = message else { return Ok(ClientExit::Abruptly) };
                    if let Some(left) = self.take(message) {
                        return Ok(left);
                    }
                    // What the client has sent already counts before anything is judged.
                    while let Ok(message) = self.connection.receiver.try_recv() {
                        if let Some(left) = self.take(message) {
                            return Ok(left);
                        }
                    }
                }
                recv(finished) -> it => if let Ok(it) = it { self.finish(it) },
            }
            self.judge_next();
        }
    }

    /// Takes a message; returns how the client left, if it did.
    fn take(&mut self, message: Message) -> Option<ClientExit> {
        match message {
            Message::Notification(it) if it.method == "exit" => {
                return Some(if self.has_shut_down {
                    ClientExit::Orderly
                } else {
                    ClientExit::Abruptly
                });
            }
            Message::Notification(it) => self.take_notification(it),
            Message::Request(it) => self.take_request(it),
            Message::Response(it) if self.watching.as_ref() == Some(&it.id) => {
                self.watching = None;
                if it.response_result.is_ok() {
                    Arc::make_mut(&mut self.state).watched = Some(0);
                }
            }
            // Other answers to our requests change nothing.
            Message::Response(_) => (),
        }
        None
    }

    /// Counts a change of what verdicts read, apart from values.
    pub fn count_change(&mut self) {
        if let Some(number) = self.state.watched {
            Arc::make_mut(&mut self.state).watched = Some(number + 1);
            self.changed = MACHINE.now();
        }
    }

    /// Has everything read again, once in a while.
    pub fn distrust(&mut self) {
        if MACHINE.now().duration_since(self.changed).is_ok_and(|it| it < TRUST) {
            return;
        }
        self.count_change();
    }

    fn take_request(&mut self, request: Request) {
        if self.has_shut_down {
            let (code, text) = (ErrorCode::InvalidRequest, "the server has shut down");
            return self.send(Response::new_err(request.id, code as i32, text.to_owned()));
        }
        match request.method.as_str() {
            "shutdown" => {
                self.has_shut_down = true;
                self.send(Response::new_ok(request.id, Value::Null));
            }
            "initialize" => {
                let text = "the server is initialized already".to_owned();
                let code = ErrorCode::InvalidRequest as i32;
                self.send(Response::new_err(request.id, code, text));
            }
            "textDocument/diagnostic" => self.pull(request.id, request.params),
            "workspace/executeCommand" if request.params["command"] == requests::USE_INPUT_SET => {
                let settings = &mut Arc::make_mut(&mut self.state).settings;
                settings.input_set = input_set(request.params.pointer("/arguments/0"));
                self.send(Response::new_ok(request.id, Value::Null));
            }
            method => match handler(method) {
                Some(handler) => self.answer_later(request, handler),
                None => {
                    let text = format!("unknown method {method:?}");
                    let code = ErrorCode::MethodNotFound as i32;
                    self.send(Response::new_err(request.id, code, text));
                }
            },
        }
    }

    /// Answers a request on another thread, unless the client cancels it before.
    fn answer_later(&mut self, request: Request, handler: Handler) {
        let Request { id, params, .. } = request;
        let uri = params.pointer("/textDocument/uri").and_then(path_of);
        let shown = uri.map(|it| self.units.shown(&it)).unwrap_or_default();
        let context = RequestContext { snapshot: self.state.clone(), shown };
        let interrupt = Interrupt::default();
        self.pending.insert(id.clone(), interrupt.clone());
        let done = self.done.clone();
        self.pool.spawn(move || {
            if interrupt.is_set() {
                return;
            }
            let failed = |code: ErrorCode, message: String| {
                Err(ResponseError { code: code as i32, message, data: None })
            };
            let result = match interruptible(&interrupt, || handler(&context, params)) {
                Ok(Ok(it)) => Ok(it),
                Ok(Err(why)) => failed(ErrorCode::RequestFailed, why),
                // The client has its answer already.
                Err(Ended::Interrupted) => return,
                Err(Ended::Panicked(why)) => failed(ErrorCode::InternalError, why),
            };
            drop(context);
            _ = done.send(Done::Answer { id, result });
        });
    }

    fn take_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let result = caught(|| self.notice(&method, params));
        if let Err(why) = result.and_then(|it| it) {
            self.log(&format!("{method}: {why}"));
        }
    }

    fn finish(&mut self, done: Done) {
        match done {
            Done::Judged { key, change, result } => self.judged(&key, change, result),
            Done::Answer { id, result } => {
                // A cancelled request has its answer already.
                if self.pending.remove(&id).is_some() {
                    self.send(Response { id, response_result: result });
                }
            }
            Done::Tofu { root, known, files } => {
                let is_latest =
                    self.state.tofu.get(&root).is_some_and(|it| Arc::ptr_eq(it, &known));
                if is_latest && files != *known {
                    Arc::make_mut(&mut self.state).tofu.insert(root, Arc::new(files));
                    self.units.touch_all();
                    self.ask_to_pull();
                }
            }
        }
    }

    /// Cancels a request: its answer is that it has none.
    pub fn cancel(&mut self, id: &RequestId) {
        if let Some(interrupt) = self.pending.remove(id) {
            interrupt.set();
        } else if !self.units.cancel(id) {
            return;
        }
        let text = "the client cancelled the request".to_owned();
        self.send(Response::new_err(id.clone(), ErrorCode::RequestCanceled as i32, text));
    }

    pub fn send(&self, message: impl Into<Message>) {
        // A client that has left hears nothing; the loop notices it.
        _ = self.connection.sender.send(message.into());
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Asks the client; returns the id of the request. Hardly any answer matters.
    pub fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Request { id: id.clone(), method: method.to_owned(), params });
        id
    }

    /// Asks a client that asks for diagnostics to ask again.
    pub fn ask_to_pull(&mut self) {
        if self.client.pulls && self.client.refreshes {
            self.ask("workspace/diagnostic/refresh", Value::Null);
        }
    }

    /// Writes a line into the client's log.
    pub fn log(&self, text: &str) {
        self.notify("window/logMessage", json!({"type": 2, "message": text}));
    }

    /// Finds the files of a root that decide whether OpenTofu runs its modules, unless they are known.
    pub fn find_tofu(&mut self, root: &Path) {
        if !self.state.tofu.contains_key(root) {
            self.search_tofu(root);
        }
    }

    /// Finds them again. Until they are found, those that are known count.
    pub fn search_tofu(&mut self, root: &Path) {
        let state = Arc::make_mut(&mut self.state);
        // Each search has an allocation of its own, by which the latest is recognized.
        let known = Arc::new(state.tofu.get(root).map(|it| it.to_vec()).unwrap_or_default());
        state.tofu.insert(root.to_owned(), Arc::clone(&known));
        let (root, done) = (root.to_owned(), self.done.clone());
        self.pool.spawn(move || {
            let files = caught(|| snapshot::tofu_files(&MACHINE, &root)).unwrap_or_default();
            _ = done.send(Done::Tofu { root, known, files });
        });
    }
}

/// The state that a client's introduction gives.
fn introduced(params: &Value) -> Snapshot {
    let texts = |at: &str| -> Vec<String> {
        let list = params.pointer(at).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let folders = params.pointer("/workspaceFolders").and_then(Value::as_array);
    let folders = folders.into_iter().flatten().filter_map(|it| it.get("uri"));
    let mut folders: Vec<PathBuf> = folders.filter_map(path_of).collect();
    if folders.is_empty() {
        folders.extend(params.get("rootUri").and_then(path_of));
    }
    let options = params.get("initializationOptions").unwrap_or(&Value::Null);
    Snapshot {
        folders,
        encoding: Encoding::of(&texts("/capabilities/general/positionEncodings")),
        settings: Settings::read(options),
        can_snippets: params
            .pointer("/capabilities/textDocument/completion/completionItem/snippetSupport")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
        can_resolve: params
            .pointer("/capabilities/textDocument/codeAction/resolveSupport")
            .is_some(),
        can_create: texts("/capabilities/workspace/workspaceEdit/resourceOperations")
            .contains(&"create".to_owned()),
        can_ask_for_ranges: params
            .pointer("/capabilities/textDocument/semanticTokens/requests/range")
            .is_some_and(|it| it != &Value::Bool(false)),
        modules: Some(Arc::new(KeptModules::new(KEPT_BYTES))),
        ..Snapshot::default()
    }
}

fn path_of(uri: &Value) -> Option<PathBuf> {
    uri::path(&lsp_types::Uri(uri.as_str()?.to_owned()))
}

fn client(params: &Value) -> Client {
    let can = |at: &str| params.pointer(at).and_then(Value::as_bool).unwrap_or_default();
    Client {
        pulls: params.pointer("/capabilities/textDocument/diagnostic").is_some(),
        refreshes: can("/capabilities/workspace/diagnostics/refreshSupport"),
        watches: can("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
    }
}

fn capabilities(encoding: Encoding, client: Client) -> Value {
    let mut capabilities = json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": true},
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    });
    if client.pulls {
        capabilities["diagnosticProvider"] =
            json!({"interFileDependencies": true, "workspaceDiagnostics": false});
    }
    if let (Some(all), Value::Object(more)) =
        (capabilities.as_object_mut(), requests::capabilities())
    {
        all.extend(more);
    }
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": "terraschema", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// Whether a file is on the disk.
pub(crate) fn is_on_disk(path: &Path) -> bool {
    MACHINE.kind(path).is_ok()
}
