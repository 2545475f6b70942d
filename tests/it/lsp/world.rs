//! A repository in which somebody works: files on the disk, open documents, and a copy with the texts of the documents
//! in which `check` runs. The server never sees that copy.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};
use testkit::{
    client::Client,
    workspace::{Answer, binary, isolated},
};

use super::{Texts, Units, lines_of, position};

/// The kinds of changes of files, in the protocol.
const CREATED: u8 = 1;
const CHANGED: u8 = 2;
const DELETED: u8 = 3;

/// What git knows about the files of a repository.
#[derive(Debug, Default)]
pub struct Known {
    /// The text of its `.gitignore`; nothing is ignored without one.
    pub ignored: String,
    /// The files that it tracks, whatever is ignored.
    pub tracked: Vec<String>,
}

impl Known {
    fn write_to(&self, root: &Path) {
        if self.ignored.is_empty() {
            return;
        }
        fs::write(root.join(".gitignore"), &self.ignored).unwrap();
        let git = |arguments: &[&str], more: &[String]| {
            let output = isolated("git", root).args(arguments).args(more).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        git(&["init", "-q"], &[]);
        self.tracked.chunks(500).for_each(|it| git(&["add", "-f", "--"], it));
    }
}

pub struct World {
    client: Client,
    copy: tempfile::TempDir,
    pub units: Units,
    /// The files on the disk.
    pub disk: Texts,
    /// The open documents.
    pub open: Texts,
    /// Whether the client reports changes of files; else only what is saved.
    pub watches: bool,
    pub known: Known,
}

impl World {
    pub fn new(files: &Texts, units: Units, watches: bool, known: Known) -> World {
        let mut capabilities = units.capabilities();
        capabilities["workspace"] =
            json!({"didChangeWatchedFiles": {"dynamicRegistration": watches}});
        let client = Client::with(&[], capabilities, json!({}));
        let copy = tempfile::tempdir().unwrap();
        fs::create_dir(copy.path().join(".git")).unwrap();
        let (disk, open) = (Texts::new(), Texts::new());
        let mut world = World { client, copy, units, disk, open, watches, known };
        for (name, text) in files {
            world.client.write(name, text);
            world.set(name, Some(text));
            world.disk.insert(name.clone(), text.clone());
        }
        world.known.write_to(world.copy.path());
        world.known.write_to(&world.client.path(""));
        world
    }

    /// Writes a file of the copy, or deletes it.
    fn set(&self, name: &str, text: Option<&str>) {
        let path = self.copy.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match text {
            Some(it) => fs::write(path, it).unwrap(),
            None => _ = fs::remove_file(path),
        }
    }

    /// The present text of a file.
    pub fn text(&self, name: &str) -> &str {
        self.open.get(name).or_else(|| self.disk.get(name)).map_or("", String::as_str)
    }

    /// Opens a file, which may not be on the disk yet.
    pub fn open(&mut self, name: &str) {
        let text = self.text(name).to_owned();
        self.client.open_text(name, &text);
        self.set(name, Some(&text));
        self.open.insert(name.to_owned(), text);
    }

    /// Closes a document; what is not saved is lost.
    pub fn close(&mut self, name: &str) {
        self.client.close(name);
        self.open.remove(name);
        self.set(name, self.disk.get(name).map(String::as_str));
    }

    /// Replaces ranges of bytes of an open document, one after the other, in one notification.
    pub fn edit(&mut self, name: &str, edits: &[(usize, usize, String)]) {
        let (mut text, mut changes) = (self.open[name].clone(), Vec::new());
        for (start, end, new) in edits {
            let at = |at| super::edits::position(&text, at, self.units);
            let range = json!({"start": at(*start), "end": at(*end)});
            changes.push(json!({"range": range, "text": new}));
            text.replace_range(start..end, new);
        }
        self.client.change(name, Value::Array(changes));
        self.set(name, Some(&text));
        self.open.insert(name.to_owned(), text);
    }

    /// Replaces the text of an open document.
    pub fn replace(&mut self, name: &str, text: &str) {
        self.client.edit(name, text);
        self.set(name, Some(text));
        self.open.insert(name.to_owned(), text.to_owned());
    }

    /// Saves a document.
    pub fn save(&mut self, name: &str) {
        let text = self.open[name].clone();
        self.write(name, Some(&text));
        let identifier = json!({"uri": self.client.uri(name)});
        self.client.notify("textDocument/didSave", json!({"textDocument": identifier}));
    }

    /// Writes a file on the disk or deletes it, and notifies the server as a client does.
    pub fn write(&mut self, name: &str, text: Option<&str>) {
        let kind = match text {
            Some(_) if self.disk.contains_key(name) => CHANGED,
            Some(_) => CREATED,
            None => DELETED,
        };
        match text {
            Some(it) => {
                self.client.write(name, it);
                self.disk.insert(name.to_owned(), it.to_owned());
            }
            None => {
                fs::remove_file(self.client.path(name)).unwrap();
                self.disk.remove(name);
            }
        }
        if !self.open.contains_key(name) {
            self.set(name, text);
        }
        if self.watches {
            let changes = json!([{"uri": self.client.uri(name), "type": kind}]);
            self.client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        }
    }

    /// What the client sees once the verdict on all present texts is there.
    fn seen(&mut self) -> BTreeSet<String> {
        let names: Vec<String> = self.open.keys().cloned().collect();
        for name in &names {
            self.client.diagnostics(name);
        }
        self.client.rest();
        let root = format!("{}/", self.client.uri(""));
        let mut lines = BTreeSet::new();
        for (uri, params) in &self.client.pushed {
            lines.extend(lines_of(&decoded(uri.strip_prefix(&root).unwrap()), params));
        }
        lines
    }

    /// What `check` reports about some files, or about everything.
    fn checked(&self, targets: &[&str]) -> Checked {
        let mut command = isolated(binary(), self.copy.path());
        command.args(["check", "--initialised", "--format=json", "--"]).args(targets);
        let answer = Answer::new(command.output().unwrap());
        let report: Value =
            serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{answer:?}"));
        let modules = report["modules"].as_array().unwrap().iter();
        let modules = modules.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
        let mut checked = Checked { modules, findings: Vec::new() };
        for it in report["findings"].as_array().unwrap() {
            let text = |key: &str| it[key].as_str().unwrap();
            let Some(place) = it["locations"].get(0) else { continue };
            let name = place["file"].as_str().unwrap().to_owned();
            let (rule, level) = (text("rule"), text("level"));
            // A values file without a module concerns no module yet, and a schema is wanted where something is configured.
            let is_unasked =
                rule == "orphan-input" || rule == "missing-schema" && !self.is_configured(&name);
            if level == "note" || is_unasked {
                continue;
            }
            let at = |line: &str, column: &str| {
                let (line, column) =
                    (place[line].as_u64().unwrap(), place[column].as_u64().unwrap());
                position(self.text(&name), line, column, self.units)
            };
            let (start, end) = (at("line", "column"), at("end_line", "end_column"));
            let headline = text("message").lines().next().unwrap();
            let line = format!("{name} {start}-{end} {level}[{rule}] {headline}");
            checked.findings.push(Found { file: name, module: text("module").to_owned(), line });
        }
        checked
    }

    fn is_configured(&self, name: &str) -> bool {
        let above = Path::new(name).ancestors().skip(1);
        above.into_iter().any(|it| self.copy.path().join(it).join(".terraschema.hcl").exists())
    }

    /// Asserts that the client sees what `check` reports about the open files. In a configuration it sees errors of the
    /// configuration: `check` goes on to all modules below, and those without open files may be left out.
    pub fn assert_same(&mut self, what: &str) {
        let seen = self.seen();
        let lines = |found: Vec<Found>| found.into_iter().map(|it| it.line).collect();
        let is_configuration = |it: &&str| it.ends_with(".terraschema.hcl");
        let targets: Vec<&str> = self.open.keys().map(String::as_str).collect();
        let (configurations, others): (Vec<&str>, Vec<&str>) =
            targets.iter().partition(|it| is_configuration(it));
        let checked = |targets: &[&str]| match targets {
            [] => Vec::new(),
            _ => self.checked(targets).findings,
        };
        let all = checked(&targets);
        if configurations.is_empty() {
            let all: BTreeSet<String> = lines(all);
            return self.compare(&seen, (&all, &all), what);
        }
        let mut least: BTreeSet<String> = lines(checked(&others));
        let own = all.iter().filter(|it| configurations.contains(&it.file.as_str()));
        least.extend(own.map(|it| it.line.clone()));
        self.compare(&seen, (&least, &lines(all)), what);
    }

    /// Asserts that a check of everything says the same in the open files about their modules. (Callers that are not
    /// open say more.)
    pub fn assert_same_as_whole(&mut self, what: &str) {
        let seen = self.seen();
        let is_open =
            |line: &&String| self.open.keys().any(|it| line.starts_with(&format!("{it} ")));
        let seen: BTreeSet<String> = seen.iter().filter(is_open).cloned().collect();
        let targets: Vec<&str> = self.open.keys().map(String::as_str).collect();
        // Of what is ignored it says nothing.
        if targets.is_empty() || !self.known.ignored.is_empty() {
            return;
        }
        let mut modules = self.checked(&targets).modules;
        let dirs = targets.iter().map(|it| it.rsplit_once('/').map_or(".", |it| it.0).to_owned());
        modules.extend(dirs);
        let found: Vec<Found> = self.checked(&[]).findings;
        let found = found.into_iter().filter(|it| self.open.contains_key(&it.file));
        let (mut all, mut ours) = (BTreeSet::new(), BTreeSet::new());
        for it in found {
            // What several modules report is reported once, for the first.
            if it.module.is_empty() || modules.contains(&it.module) {
                ours.insert(it.line.clone());
            }
            all.insert(it.line);
        }
        self.compare(&seen, (&ours, &all), &format!("{what}, and everything"));
    }

    /// Asserts that the client sees all that it has to, and nothing that it must not.
    fn compare(
        &self,
        seen: &BTreeSet<String>,
        (least, most): (&BTreeSet<String>, &BTreeSet<String>),
        what: &str,
    ) {
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
            a.difference(b).map(|it| format!("{it}\n")).collect::<String>()
        };
        let (more, less) = (only(seen, most), only(least, seen));
        if more.is_empty() && less.is_empty() {
            return;
        }
        let open: Vec<&String> = self.open.keys().collect();
        let kept = self.keep();
        panic!(
            "{what}\nonly the client sees\n{more}only check says\n{less}open: {open:?}\nthe files are in {kept}"
        );
    }

    /// Keeps the copy after the test, and says where.
    fn keep(&self) -> String {
        let kept = std::env::temp_dir().join("terraschema-world");
        _ = fs::remove_dir_all(&kept);
        fs::create_dir(&kept).unwrap();
        for (name, text) in self.disk.iter().chain(&self.open) {
            let path = kept.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        kept.display().to_string()
    }
}

/// The answer of a check.
struct Checked {
    /// The modules with variables, as shown.
    modules: BTreeSet<String>,
    findings: Vec<Found>,
}

struct Found {
    file: String,
    module: String,
    line: String,
}

/// A text without percent encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(it) = rest.next() {
        let mut digit = || char::from(rest.next().unwrap()).to_digit(16).unwrap();
        bytes.push(if it == b'%' { u8::try_from(digit() * 16 + digit()).unwrap() } else { it });
    }
    String::from_utf8(bytes).unwrap()
}
