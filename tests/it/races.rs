//! Somebody else writes a file between the look at it and its replacement: another run, an editor, a step of a job.
//! Nothing that they wrote is lost.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Mutex,
    time::SystemTime,
};

use system::{DirEntry, EntryKind, ExpectedContent, MemorySystem, System, paths};
use terraschema::{Console, Exit, run};
use testkit::workspace::{Workspace, binary, isolated};

/// When somebody else writes.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    /// Before a file is read for the second time.
    SecondRead,
    /// After all that was read, before it is replaced.
    Replacement,
    /// Before each replacement.
    EachReplacement,
}

/// Files in memory that somebody else writes, too.
struct Shared<'a> {
    inner: MemorySystem,
    file: &'a str,
    moment: Moment,
    write: &'a (dyn Fn(Option<Vec<u8>>) -> Vec<u8> + Sync),
    /// How often the file was read, and how often somebody else wrote it.
    counts: Mutex<(usize, usize)>,
    /// Files that cannot be written.
    unwritable: BTreeSet<PathBuf>,
}

impl<'a> Shared<'a> {
    fn new(
        inner: MemorySystem,
        file: &'a str,
        moment: Moment,
        write: &'a (dyn Fn(Option<Vec<u8>>) -> Vec<u8> + Sync),
    ) -> Shared<'a> {
        let (counts, unwritable) = (Mutex::default(), BTreeSet::new());
        Shared { inner, file, moment, write, counts, unwritable }
    }

    fn is_it(&self, path: &Path) -> bool {
        let absolute = |it: &Path| paths::clean(&Path::new("/m").join(it));
        absolute(path) == absolute(Path::new(self.file))
    }

    fn meddle(&self) {
        let now = self.inner.read(Path::new(self.file)).ok();
        self.inner.write_atomic(Path::new(self.file), &(self.write)(now)).unwrap();
    }

    fn text(&self, file: &str) -> String {
        String::from_utf8(self.inner.read(Path::new(file)).unwrap()).unwrap()
    }

    fn run(&self, arguments: &str) -> (Exit, String) {
        let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut console = Console::to(&mut stdout, &mut stderr);
        let exit = run(words.map(Into::into).collect(), self, &mut console);
        drop(console);
        (exit, String::from_utf8([stdout, stderr].concat()).unwrap())
    }
}

impl System for Shared<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.is_it(path) && self.moment == Moment::SecondRead {
            let mut counts = self.counts.lock().unwrap();
            counts.0 += 1;
            if counts.0 == 2 {
                self.meddle();
            }
        }
        self.inner.read(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        self.inner.list(dir)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        self.inner.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonicalize(path)
    }

    fn replace(&self, path: &Path, expected: ExpectedContent<'_>, bytes: &[u8]) -> io::Result<()> {
        if self.unwritable.contains(path) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "Permission denied"));
        }
        if self.is_it(path) {
            let mut counts = self.counts.lock().unwrap();
            counts.1 += 1;
            let is_now = match self.moment {
                Moment::SecondRead => false,
                Moment::Replacement => counts.1 == 1,
                Moment::EachReplacement => true,
            };
            if is_now {
                self.meddle();
            }
        }
        self.inner.replace(path, expected, bytes)
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        self.inner.create_dir_all(dir)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.inner.env(name)
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        self.inner.env_with_prefix(prefix)
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        self.inner.current_dir()
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }
}

const MODULE: &str =
    "variable \"a\" {\n  type = object({ x = string })\n}\nvariable \"b\" {\n  type = string\n}\n";
const VALUES: &str = "a = {\n  x = \"1\"\n  gone = \"2\"\n}\nb = \"precious\"\n";
const FIXED: &str = "a = {\n  x = \"1\"\n}\nb = \"precious\"\n";

fn module() -> MemorySystem {
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", MODULE);
    system.file("/m/terraform.tfvars", VALUES)
}

/// An editor that saves the file with a line before all others, so that every place in it moves.
fn with_comment(text: Option<Vec<u8>>) -> Vec<u8> {
    [&b"# A comment of some length, written meanwhile.\n"[..], &text.unwrap()].concat()
}

#[test]
fn a_values_file_that_an_editor_saves_is_fixed_as_the_editor_left_it() {
    for moment in [Moment::SecondRead, Moment::Replacement] {
        let it = Shared::new(module(), "terraform.tfvars", moment, &with_comment);
        let (exit, text) = it.run("check --fix-inputs");
        let expected = String::from_utf8(with_comment(Some(FIXED.into()))).unwrap();
        assert_eq!(it.text("/m/terraform.tfvars"), expected, "{text}");
        assert_eq!(exit, Exit::Findings, "{text}");
        assert!(text.contains("written: terraform.tfvars"), "{text}");
    }
}

#[test]
fn a_values_file_that_never_rests_is_left_alone_and_named() {
    let it = Shared::new(module(), "terraform.tfvars", Moment::EachReplacement, &with_comment);
    let (exit, text) = it.run("check --fix-inputs");
    let now = it.text("/m/terraform.tfvars");
    assert!(now.ends_with(VALUES), "{now}");
    assert_eq!(exit, Exit::Failure, "{text}");
    assert!(
        text.contains("terraform.tfvars is not fixed, because another process is writing it"),
        "{text}"
    );
    assert!(!text.contains("written:"), "{text}");
}

#[test]
fn what_an_editor_deletes_stays_deleted() {
    let nothing = |_| b"b = \"x\"\n".to_vec();
    let it = Shared::new(module(), "terraform.tfvars", Moment::Replacement, &nothing);
    it.run("check --fix-inputs");
    assert_eq!(it.text("/m/terraform.tfvars"), "b = \"x\"\n");
}

#[test]
fn a_source_file_that_an_editor_saves_is_fixed_as_the_editor_left_it() {
    let main = "terraform {\n  required_version = \">= 1.0\"\n}\n\nvariable \"x\" {\n  type = object({ a = optional(string, \"b\") })\n  default = {}\n}\n";
    let files = || MemorySystem::new().working_in("/m").file("/m/main.tf", main);
    let calm = Shared::new(files(), "none", Moment::Replacement, &|_| Vec::new());
    calm.run("check --fix-required-version");
    let fixed = calm.text("/m/main.tf");
    assert_ne!(fixed, main);
    for moment in [Moment::SecondRead, Moment::Replacement] {
        let it = Shared::new(files(), "main.tf", moment, &with_comment);
        let (_, text) = it.run("check --fix-required-version");
        let expected = String::from_utf8(with_comment(Some(fixed.clone().into()))).unwrap();
        assert_eq!(it.text("/m/main.tf"), expected, "{text}");
    }
}

/// Each writes a file that the other, or a person, may write at the same time.
#[test]
fn no_command_replaces_what_it_has_not_seen() {
    let mine = |_| b"mine".to_vec();
    let fresh = || MemorySystem::new().working_in("/m").file("/m/main.tf", MODULE);
    let cases = [
        ("check --fix", fresh(), "schema.json"),
        ("check --fix", fresh().file("/m/schema.json", "{}"), "schema.json"),
        ("check --write-baseline b.jsonl", fresh(), "b.jsonl"),
        (
            "check --write-baseline b.jsonl",
            fresh().file("/m/b.jsonl", "{\"terraschema_baseline\":1}\n"),
            "b.jsonl",
        ),
        ("init", fresh(), ".terraschema.hcl"),
        ("init", fresh().directory("/m/.git"), ".pre-commit-config.yaml"),
    ];
    for (command, system, file) in cases {
        // A file that is not there yet is made.
        let it = Shared::new(system, file, Moment::EachReplacement, &mine);
        let (exit, text) = it.run(command);
        assert_eq!(it.text(&format!("/m/{file}")), "mine", "{command}: {text}");
        assert_eq!(exit, Exit::Failure, "{command}: {text}");
        assert!(text.contains("has changed since it was read"), "{command}: {text}");
        assert!(text.contains(file), "{command}: {text}");
    }
}

/// The files of a job's steps are shared: each appends to them.
#[test]
fn reports_are_appended_to_what_another_step_writes_meanwhile() {
    let other = |now: Option<Vec<u8>>| [now.unwrap_or_default(), b"other=1\n".to_vec()].concat();
    let system = module().file("/m/out", "before=1\n");
    let it = Shared::new(system, "out", Moment::Replacement, &other);
    it.run("check --output github-output=out");
    let text = it.text("/m/out");
    assert!(text.starts_with("before=1\nother=1\n") && text.contains("findings="), "{text}");
}

#[test]
fn a_file_that_cannot_be_written_does_not_stop_the_others() {
    let values = "x = { a = \"1\", b = 2 }\n";
    let mut system = MemorySystem::new().working_in("/r");
    for module in ["a", "b", "c"] {
        let main = "variable \"x\" {\n  type = object({ a = string })\n}\n";
        system = system.file(format!("/r/{module}/main.tf"), main);
        system = system.file(format!("/r/{module}/terraform.tfvars"), values);
    }
    let mut it = Shared::new(system, "none", Moment::Replacement, &|_| Vec::new());
    it.unwritable.insert("b/terraform.tfvars".into());
    let (exit, text) = it.run("check --fix --fix-inputs");
    assert_eq!(exit, Exit::Failure, "{text}");
    for (module, expected) in
        [("a", "x = { a = \"1\" }\n"), ("b", values), ("c", "x = { a = \"1\" }\n")]
    {
        assert_eq!(it.text(&format!("/r/{module}/terraform.tfvars")), expected, "{module}: {text}");
        assert!(
            it.inner.read(Path::new(&format!("{module}/schema.json"))).is_ok(),
            "{module}: {text}"
        );
    }
    for told in
        ["written: a/terraform.tfvars", "b/terraform.tfvars is not written: Permission denied"]
    {
        assert!(text.contains(told), "{text}");
    }
}

/// Real processes: each values file is afterwards the fixed one, whole.
#[test]
fn four_runs_at_once_destroy_nothing() {
    const MODULES: usize = 25;
    let it = Workspace::new();
    for n in 0..MODULES {
        it.write(&format!("{n}/main.tf"), MODULE);
        for file in ["a.tfvars", "b.tfvars", "terraform.tfvars"] {
            it.write(&format!("{n}/{file}"), VALUES);
        }
    }
    let run = || {
        let mut command = isolated(binary(), &it.path(""));
        command.args(["check", "--fix-inputs", "-q"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let runs = [run(), run(), run(), run()];
    for run in runs {
        let output = run.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("panicked"), "{text}");
    }
    for n in 0..MODULES {
        for file in ["a.tfvars", "b.tfvars", "terraform.tfvars"] {
            assert_eq!(it.read(&format!("{n}/{file}")), FIXED, "{n}/{file}");
        }
    }
}
