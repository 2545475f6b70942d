//! Which modules are to be judged again, and what the client knows of their diagnostics.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::{Path, PathBuf},
};

use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{Diagnostic, DocumentDiagnosticParams, PublishDiagnosticsParams, Uri};
use serde_json::{Value, json};

use super::{
    inbox::of,
    server::{Done, MACHINE, Server, is_on_disk},
    unit::{Judged, Shown, Unit, judge},
    uri,
    work::{Ended, interruptible},
};
use diagnostics::Fingerprint;
use stack::Interrupt;

/// The root and the directory of a unit.
pub(crate) type Key = (PathBuf, PathBuf);

/// The state of one unit.
#[derive(Debug, Default)]
struct State {
    targets: BTreeSet<PathBuf>,
    judged: Judged,
    /// The number of its last change.
    change: u64,
    /// The number of the change that `judged` belongs to.
    seen: u64,
}

/// All units with open documents.
#[derive(Debug, Default)]
pub(crate) struct Units {
    all: BTreeMap<Key, State>,
    /// Those that are to be judged, the most urgent first.
    waiting: VecDeque<Key>,
    /// The unit that is being judged, and what ends that.
    judging: Option<(Key, Interrupt)>,
    /// What changed since the unit that is being judged was taken: its verdict may depend on it, which only the verdict
    /// itself says.
    changed_meanwhile: Vec<PathBuf>,
    /// The number of the last change of anything.
    change: u64,
    /// What the client knows by push, by file, and the URI that it knows it by: there are many ways to write one.
    pushed: BTreeMap<PathBuf, (Uri, Vec<Diagnostic>)>,
    /// Requests for diagnostics, with the document and the client's last result.
    pulls: Vec<(RequestId, PathBuf, Option<String>)>,
}

impl Units {
    /// Marks what depends on an open document whose text changed; its own unit is the most urgent one.
    pub fn touch(&mut self, path: &Path) {
        self.note_change([path]);
        self.mark(|state| state.judged.touched.contains(path));
        self.change += 1;
        let mut is_urgent = false;
        for (key, state) in &mut self.all {
            if state.targets.contains(path) {
                state.change = self.change;
                self.waiting.retain(|it| it != key);
                self.waiting.push_front(key.clone());
                is_urgent = true;
            }
        }
        if is_urgent {
            self.interrupt();
        }
    }

    /// Ends the verdict on a unit.
    fn interrupt_of(&self, key: &Key) {
        if let Some((judged, interrupt)) = &self.judging
            && judged == key
        {
            interrupt.set();
        }
    }

    /// Ends the verdict under way, which is begun again later.
    pub fn interrupt(&self) {
        if let Some((_, interrupt)) = &self.judging {
            interrupt.set();
        }
    }

    /// Marks what depends on a file that was made, changed or deleted.
    pub fn touch_file(&mut self, path: &Path) {
        let dir = path.parent().unwrap_or(path);
        self.note_change([path, dir]);
        self.mark(|it| it.judged.touched.contains(path) || it.judged.touched.contains(dir));
    }

    /// Notes what the verdict under way may depend on.
    fn note_change<const N: usize>(&mut self, paths: [&Path; N]) {
        if self.judging.is_some() {
            self.changed_meanwhile.extend(paths.map(Path::to_owned));
        }
    }

    /// Marks everything.
    pub fn touch_all(&mut self) {
        self.mark(|_| true);
    }

    fn mark(&mut self, is_touched: impl Fn(&State) -> bool) {
        self.change += 1;
        for (key, state) in &mut self.all {
            if is_touched(state) {
                state.change = self.change;
                if !self.waiting.contains(key) {
                    self.waiting.push_back(key.clone());
                }
            }
        }
    }

    /// Forgets a request for diagnostics; returns whether there was one.
    pub fn cancel(&mut self, id: &RequestId) -> bool {
        let before = self.pulls.len();
        self.pulls.retain(|it| it.0 != *id);
        self.pulls.len() < before
    }

    /// The diagnostics of a file, of all units.
    fn of_file(&self, path: &Path) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for state in self.all.values() {
            for it in state.judged.files.get(path).into_iter().flatten() {
                let new = &it.diagnostic;
                let is_known = found.iter().any(|known| {
                    (known.range, &known.code, &known.message)
                        == (new.range, &new.code, &new.message)
                });
                if !is_known {
                    found.push(it.diagnostic.clone());
                }
            }
        }
        found.sort_by_key(|it| (it.range.start.line, it.range.start.character));
        found
    }

    /// What was found in a file, of all units.
    pub fn shown(&self, path: &Path) -> Vec<Shown> {
        self.all.values().filter_map(|it| it.judged.files.get(path)).flatten().cloned().collect()
    }

    /// Whether the unit of a document is judged with its present text.
    fn is_settled(&self, path: &Path) -> bool {
        let mut own = self.all.values().filter(|it| it.targets.contains(path));
        own.all(|it| it.seen == it.change)
    }
}

impl Server<'_> {
    /// Adds a document to its unit.
    pub fn open_unit(&mut self, path: &Path) {
        let Some(document) = self.state.documents.get(path) else { return };
        let key = (document.root.clone(), document.dir.clone());
        self.units.all.entry(key).or_default().targets.insert(path.to_owned());
        self.units.touch(path);
    }

    /// Takes a document out of its unit.
    pub fn close_unit(&mut self, path: &Path) {
        let Some(document) = self.state.documents.get(path) else { return };
        let key = (document.root.clone(), document.dir.clone());
        let Some(unit) = self.units.all.get_mut(&key) else { return };
        unit.targets.remove(path);
        if unit.targets.is_empty() {
            let files: Vec<_> = unit.judged.files.keys().cloned().collect();
            self.units.all.remove(&key);
            self.units.interrupt_of(&key);
            self.units.waiting.retain(|it| *it != key);
            files.iter().for_each(|it| self.push(it, false));
        } else {
            self.units.change += 1;
            unit.change = self.units.change;
            if !self.units.waiting.contains(&key) {
                self.units.waiting.push_back(key);
            }
        }
    }

    /// Judges the most urgent unit, unless one is being judged.
    pub fn judge_next(&mut self) {
        if self.units.judging.is_some() {
            return;
        }
        let Some(key) = self.units.waiting.pop_front() else { return };
        self.distrust();
        let Some(state) = self.units.all.get(&key) else { return };
        let change = state.change;
        let unit = Unit { root: key.0.clone(), targets: state.targets.iter().cloned().collect() };
        let (snapshot, done) = (self.state.clone(), self.done.clone());
        let interrupt = Interrupt::default();
        self.units.judging = Some((key.clone(), interrupt.clone()));
        self.units.changed_meanwhile.clear();
        self.judge.spawn(move || {
            let result = interruptible(&interrupt, || judge(&MACHINE, &snapshot, &unit));
            drop(snapshot);
            _ = done.send(Done::Judged { key, change, result });
        });
    }

    /// Takes the verdict on a unit. One that is out of date already is replaced soon, so the client does not see it.
    pub fn judged(&mut self, key: &Key, change: u64, result: Result<Judged, Ended>) {
        self.units.judging = None;
        let judged = match result {
            Ok(it) => it,
            Err(Ended::Interrupted) => {
                let is_known = self.units.all.contains_key(key);
                if is_known && !self.units.waiting.contains(key) {
                    self.units.waiting.push_back(key.clone());
                }
                return;
            }
            Err(Ended::Panicked(why)) => {
                let failures = vec![format!("internal error: {why}")];
                Judged { failures, ..Judged::default() }
            }
        };
        judged.failures.iter().for_each(|it| self.log(it));
        let Some(state) = self.units.all.get_mut(key) else { return };
        if state.change != change {
            return;
        }
        let mut files: BTreeSet<PathBuf> = state.judged.files.keys().cloned().collect();
        files.extend(judged.files.keys().cloned());
        let targets: Vec<PathBuf> = state.targets.iter().cloned().collect();
        let meanwhile = std::mem::take(&mut self.units.changed_meanwhile);
        let is_outdated = meanwhile.iter().any(|path| judged.touched.contains(path));
        state.judged = judged;
        state.seen = change;
        if is_outdated {
            self.units.change += 1;
            state.change = self.units.change;
            self.units.waiting.push_back(key.clone());
        }
        for it in &targets {
            self.push(it, true);
        }
        for it in files.iter().filter(|it| !targets.contains(it)) {
            self.push(it, false);
        }
        self.answer_pulls();
    }

    /// Sends the diagnostics of a file. Those of an open document are left to a client that asks for them; those that
    /// the client knows are sent again only if it has a right to an answer.
    fn push(&mut self, path: &Path, always: bool) {
        let document = self.state.documents.get(path);
        if self.client.pulls && document.is_some() {
            return;
        }
        let diagnostics = self.units.of_file(path);
        let known = self.units.pushed.get(path);
        if !always && known.map_or(diagnostics.is_empty(), |it| it.1 == diagnostics) {
            return;
        }
        let known = known.map(|it| it.0.clone());
        let (uri, version) = match (document, &known) {
            (Some(it), _) => (it.uri.clone(), Some(it.version)),
            (None, Some(known)) => (known.clone(), None),
            (None, None) => (uri::of(path), None),
        };
        if let Some(other) = known.filter(|it| *it != uri) {
            self.publish(other, None, Vec::new());
        }
        self.publish(uri.clone(), version, diagnostics.clone());
        if diagnostics.is_empty() {
            self.units.pushed.remove(path);
        } else {
            self.units.pushed.insert(path.to_owned(), (uri, diagnostics));
        }
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams { uri, version, diagnostics };
        let params = serde_json::to_value(params).unwrap_or_default();
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// A client that asks for diagnostics must not see the pushed ones, too.
    pub fn forget_pushed(&mut self, path: &Path) {
        if !self.client.pulls {
            return;
        }
        if let Some((uri, _)) = self.units.pushed.remove(path) {
            self.publish(uri, None, Vec::new());
        }
    }

    /// A closed document keeps what other documents of its module say about it.
    pub fn after_close(&mut self, path: &Path, uri: &Uri) {
        let is_left = is_on_disk(path) && !self.units.of_file(path).is_empty();
        if is_left {
            self.push(path, false);
        } else {
            self.units.pushed.remove(path);
            self.publish(uri.clone(), None, Vec::new());
        }
        self.answer_pulls();
    }

    /// Takes a request for diagnostics. It is answered when the verdict on the present text is there.
    pub fn pull(&mut self, id: RequestId, params: Value) {
        let params: DocumentDiagnosticParams = match of(params) {
            Ok(it) => it,
            Err(why) => {
                let code = ErrorCode::InvalidParams as i32;
                return self.send(Response::new_err(id, code, why));
            }
        };
        let path = uri::path(&params.text_document.uri).unwrap_or_default();
        self.units.pulls.push((id, path, params.previous_result_id));
        self.answer_pulls();
    }

    fn answer_pulls(&mut self) {
        let pulls = std::mem::take(&mut self.units.pulls);
        for (id, path, previous) in pulls {
            let is_open = self.state.documents.contains_key(&path);
            if is_open && !self.units.is_settled(&path) {
                self.units.pulls.push((id, path, previous));
                continue;
            }
            let items = if is_open { self.units.of_file(&path) } else { Vec::new() };
            let items = serde_json::to_value(items).unwrap_or_default();
            let result_id = format!("{:?}", Fingerprint::of(items.to_string().as_bytes()));
            let report = if previous.as_deref() == Some(&result_id) {
                json!({"kind": "unchanged", "resultId": result_id})
            } else {
                json!({"kind": "full", "resultId": result_id, "items": items})
            };
            self.send(Response::new_ok(id, report));
        }
    }
}
