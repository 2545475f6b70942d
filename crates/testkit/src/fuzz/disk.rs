//! Random repositories on the real disk, checked and fixed: nothing outside of them is read or
//! touched. Outside are canaries. Their times of access show whether they were read.
#![cfg(unix)]
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "the tree is ours")]

use std::{
    fs,
    io::{self, ErrorKind},
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use system::{ConfinedSystem, DirEntry, EntryKind, ExpectedContent, OsSystem, System, Walls};
use terraschema::Console;

/// A text in every file that must not be read; in Base64 as well.
const CANARY: &str = "CANARY-7f3a-do-not-sing";

/// Files outside of the repository, and git's own, that a tree may try to reach.
const CANARIES: &[&str] =
    &["secret", "home/.bashrc", "other/main.tf", "other/x.tfvars", "other/schema.json"];

/// Builds the tree that the bytes describe, checks and fixes it, and looks at the canaries.
pub fn trees(data: &[u8]) {
    let place = Place::new();
    let mut dice = Dice { data, at: 0 };
    build(&mut dice, &place.repository());
    let before = place.canaries();
    let mut said = Vec::new();
    for command in COMMANDS {
        let mut words = vec!["terraschema"];
        words.extend(command.split(' '));
        let mut errors = Vec::new();
        let mut out = Vec::new();
        let system = At(place.repository());
        terraschema::run(
            words.into_iter().map(Into::into).collect(),
            &system,
            &mut Console::to(&mut out, &mut errors),
        );
        said.append(&mut out);
        said.append(&mut errors);
    }
    let text = String::from_utf8_lossy(&said);
    assert!(!text.contains(CANARY), "a canary is in the output:\n{text}");
    assert!(!text.contains("Q0FOQVJZL"), "a canary is in the output, in Base64:\n{text}");
    assert_eq!(place.canaries(), before, "a canary was touched:\n{text}");
}

const COMMANDS: &[&str] = &[
    "check -v",
    "check --fix --format json",
    "check --fix --fix-inputs --fix-required-version -v",
    "check m --fix-inputs --format markdown -v",
    "validate --confined -i m",
];

/// A directory of its own: `repository`, and the canaries next to it.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let place = Place(base.join(format!("terraschema-trees-{}-{number}", std::process::id())));
        let git = place.repository().join(".git");
        for dir in ["objects", "refs/heads", "hooks", "info"] {
            fs::create_dir_all(git.join(dir)).unwrap();
        }
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git.join("config"), format!("[core]\n\tbare = false\n[x]\n\ty = {CANARY}\n"))
            .unwrap();
        fs::write(git.join("hooks/pre-commit"), CANARY).unwrap();
        for name in CANARIES {
            let path = place.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("variable \"x\" {{ default = \"{CANARY}\" }}\n")).unwrap();
        }
        // File systems note an access that is later than the last change: it is set back.
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for path in place.watched() {
            let times = fs::FileTimes::new().set_accessed(old);
            fs::File::options().write(true).open(path).unwrap().set_times(times).unwrap();
        }
        place
    }

    fn repository(&self) -> PathBuf {
        self.0.join("repository")
    }

    fn watched(&self) -> Vec<PathBuf> {
        let git = self.repository().join(".git/hooks/pre-commit");
        CANARIES.iter().map(|it| self.0.join(it)).chain([git]).collect()
    }

    /// Everything outside: names, contents' sizes and changes, and the accesses of what is watched.
    fn canaries(&self) -> Vec<(PathBuf, u64, i64, i64, i64)> {
        let mut found = Vec::new();
        let mut pending = vec![self.0.clone(), self.repository().join(".git")];
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path == self.repository() {
                    continue;
                }
                let it = fs::symlink_metadata(&path).unwrap();
                if it.is_dir() {
                    pending.push(path);
                    continue;
                }
                let watched = self.watched().contains(&path);
                found.push((
                    path,
                    it.size(),
                    it.mtime(),
                    it.mtime_nsec(),
                    if watched { it.atime() } else { 0 },
                ));
            }
        }
        found.sort();
        found
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// The accesses of this file system can be seen; else the target says less than it seems to.
pub fn accesses_are_seen() -> bool {
    let place = Place::new();
    let before = place.canaries();
    fs::read(place.0.join("secret")).unwrap();
    place.canaries() != before
}

/// Choices that the bytes make; at their end always the first.
struct Dice<'a> {
    data: &'a [u8],
    at: usize,
}

impl Dice<'_> {
    fn below(&mut self, count: usize) -> usize {
        let byte = self.data.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte) % count
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

const DIRS: &[&str] = &["", "m", "m/sub", "envs", "out", "m/.hidden", "git~1", ".Git", "a b", "é"];

const NAMES: &[&str] = &[
    "main.tf",
    "variables.tf",
    "x.tf.json",
    "prod.tfvars",
    "terraform.tfvars",
    "a.auto.tfvars.json",
    "schema.json",
    ".terraschema.hcl",
    ".gitignore",
    "out.json",
    "t.tpl",
    "override.tf",
    "link",
    ".x.auto.tfvars",
    "s p.tf",
];

const TARGETS: &[&str] = &[
    "../secret",
    "../../secret",
    "../../../secret",
    "../other",
    "../../other",
    "../other/main.tf",
    "../../other/x.tfvars",
    "../../other/schema.json",
    "../home/.bashrc",
    "../../home",
    "/etc/passwd",
    "/proc/self/environ",
    "/dev/zero",
    ".git/hooks/pre-commit",
    "../.git/config",
    ".git",
    "..",
    ".",
    "main.tf",
    "../m/main.tf",
    "../repository/m",
    "link",
    "nothing",
    "../../repository/../secret",
    "m/../../secret",
    "/dev/stdin",
    "../m",
];

const PATHS: &[&str] = &[
    "../secret",
    "../../secret",
    "/etc/hostname",
    "/proc/self/environ",
    "~/.bashrc",
    ".git/config",
    ".git/hooks/pre-commit",
    "main.tf",
    "link",
    "../link",
    "out/schema.json",
    "../other/main.tf",
    "${path.module}/../../secret",
    "m/../../secret",
    "./link/secret",
    "/dev/zero",
    "../.GIT/config",
    "${path.cwd}/../secret",
];

const READERS: &[&str] = &[
    "file",
    "filebase64",
    "filesha256",
    "filemd5",
    "filebase64sha512",
    "fileexists",
    "abspath",
    "pathexpand",
];

fn build(dice: &mut Dice<'_>, root: &Path) {
    for _ in 0..3 + dice.below(12) {
        let dir = root.join(dice.pick(DIRS));
        // Where a link is already, everything below it is elsewhere: a tree has no such files.
        let leads_out = dir.ancestors().take_while(|it| it.starts_with(root)).any(Path::is_symlink);
        if leads_out || fs::create_dir_all(&dir).is_err() {
            continue;
        }
        let path = dir.join(dice.pick(NAMES));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        if dice.below(3) == 2 {
            _ = symlink(dice.pick(TARGETS), &path);
        } else {
            let text = text(dice, &path);
            fs::write(&path, text).unwrap();
        }
    }
}

fn text(dice: &mut Dice<'_>, path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    match name.as_str() {
        ".terraschema.hcl" => configuration(dice),
        ".gitignore" => "prod.tfvars\n!main.tf\nsub/\n".to_owned(),
        "schema.json" | "out.json" => dice
            .pick(&["{}", "", "{\"a\": 1}", "[1]", "<<<<<<<", "{\"$schema\": \"x\"}"])
            .to_owned(),
        "x.tf.json" => {
            format!("{{\"variable\": {{\"j\": {{\"default\": \"{}\"}}}}}}", dice.pick(PATHS))
        }
        name if name.ends_with(".tfvars.json") => {
            "{\"x\": 1, \"o\": {\"b\": 1}, \"z\": 2}".to_owned()
        }
        name if name.ends_with(".tfvars") => {
            format!("x = \"{}\"\no = {{ a = 1, b = 2 }}\n", dice.pick(TARGETS))
        }
        name if name.ends_with(".tf") => module(dice),
        _ => "${file(\"../secret\")}${x}".to_owned(),
    }
}

fn configuration(dice: &mut Dice<'_>) -> String {
    let mut text = String::new();
    if dice.below(2) == 1 {
        let dir = dice.pick(&[
            "out",
            "link",
            "../out",
            ".git",
            "m/link",
            "",
            "/tmp",
            ".GIT/hooks",
            "git~1",
        ]);
        let name =
            dice.pick(&["schema.json", ".bashrc", "pre-commit", "main.tf", "x.json", "x.tfvars"]);
        text += &format!("schema {{\n  file = \"{dir}/{name}\"\n}}\n");
    }
    for n in 0..dice.below(3) {
        let file = dice.pick(&[
            "../secret",
            "/etc/passwd",
            ".git/config",
            "prod.tfvars",
            "link",
            "*.tfvars",
            "../**/*.tfvars",
            "{.git,m}/config",
            "m/link/*",
            "**",
            "../../other/x.tfvars",
            "out/*",
        ]);
        let module = dice.pick(&[".", "m", "link", "../m", "envs"]);
        text +=
            &format!("input \"i{n}\" {{\n  module = \"{module}\"\n  files = [\"{file}\"]\n}}\n");
    }
    if dice.below(4) == 3 {
        text += "modules {\n  include = [\"../**\"]\n}\n";
    }
    text
}

fn module(dice: &mut Dice<'_>) -> String {
    let mut text = "variable \"x\" {\n  default = \"y\"\n".to_owned();
    for _ in 0..dice.below(3) {
        let (condition, message) = (reader(dice), reader(dice));
        text += &format!(
            "  validation {{\n    condition = var.x == \"z\" || {condition} == var.x\n    error_message = \
             \"No: ${{{message}}} ${{var.x}}.\"\n  }}\n"
        );
    }
    text += "}\nvariable \"o\" {\n  type = object({ a = optional(number) })\n  default = {}\n}\n";
    for n in 0..dice.below(3) {
        text += &format!("locals {{\n  l{n} = {}\n}}\n", reader(dice));
        text += &format!("output \"o{n}\" {{\n  value = local.l{n}\n}}\n");
    }
    text
}

fn reader(dice: &mut Dice<'_>) -> String {
    let path = dice.pick(PATHS);
    match dice.below(6) {
        0 => format!("templatefile(\"{path}\", {{ x = 1 }})"),
        1 => format!(
            "join(\",\", fileset(\"{path}\", \"{}\"))",
            dice.pick(&["**", "*", "secret", ".git/*"])
        ),
        2 => format!("try(file(\"{path}\"), \"no\")"),
        _ => format!("\"${{{}(\"{path}\")}}\"", dice.pick(READERS)),
    }
}

/// The machine, from another current directory than the process's.
struct At(PathBuf);

impl System for At {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        OsSystem.read(&self.0.join(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        OsSystem.list(&self.0.join(dir))
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        OsSystem.kind(&self.0.join(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        OsSystem.canonicalize(&self.0.join(path))
    }

    fn replace(
        &self,
        path: &Path,
        _expected: ExpectedContent<'_>,
        _bytes: &[u8],
    ) -> io::Result<()> {
        Err(io::Error::new(ErrorKind::PermissionDenied, format!("{}: unconfined", path.display())))
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        self.replace(dir, ExpectedContent::Anything, b"")
    }

    fn env(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| self.0.join("../home").to_string_lossy().into_owned())
    }

    fn env_with_prefix(&self, _prefix: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.0.clone())
    }

    fn now(&self) -> SystemTime {
        OsSystem.now()
    }

    fn confine(&self, walls: Walls) -> io::Result<Option<ConfinedSystem<'_>>> {
        ConfinedSystem::new(self, walls).map(Some)
    }
}
