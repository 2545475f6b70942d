//! Random work in a repository: what changed must be what git says at every step.
//!
//! `TERRASCHEMA_SEED` chooses other work, `TERRASCHEMA_STEPS` how much of it.
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::{
    collections::BTreeSet,
    fs::{self, FileTimes},
    path::{Path, PathBuf},
};

use git::{Repository, RevisionRange};
use testkit::{random::Random, workspace::Workspace};

/// Their order is not the order of their directories' trees. One is not a file name on other
/// systems.
const PATHS: [&str; 12] = [
    "a",
    "a-b",
    "a/x",
    "a.b/c.tf",
    "a0",
    "dir/sub/deep/f.tf",
    "dir/sub/g",
    "dir/sub.tf",
    "ü/ß.tf",
    "new/é \"q\"\t.tf",
    "new/[x]*",
    "ignored/y.tf",
];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |it| it.parse().unwrap())
}

#[test]
fn what_changed_is_what_git_says() {
    let (seed, steps) = (number("TERRASCHEMA_SEED", 1), number("TERRASCHEMA_STEPS", 80));
    let random = &mut Random::new(seed);
    let it = Workspace::repository();
    it.write("keep", "").write(".gitignore", "ignored/\n*.log\n").commit("First");
    let (mut seen, mut secret) = (0, BTreeSet::new());
    for step in 0..steps {
        let what = work(&it, random, &mut secret);
        for (range, mut expected) in [
            (RevisionRange::WorkTree(Some("HEAD".to_owned())), work_tree(&it)),
            (RevisionRange::Staged, staged(&it)),
        ] {
            let repository = Repository::discover(&it.path("").canonicalize().unwrap()).unwrap();
            let found: BTreeSet<_> = repository.changed(&range).unwrap().into_iter().collect();
            // Changes within one second are invisible to git itself.
            expected.extend(found.intersection(&secret).cloned());
            assert_eq!(found, expected, "seed {seed}, step {step}, after {what}: {range:?}");
            seen += found.len();
        }
        let repository = Repository::discover(&it.path("").canonicalize().unwrap()).unwrap();
        let mut gone: BTreeSet<_> =
            repository.deleted(&RevisionRange::Staged).unwrap().into_iter().collect();
        // A file that becomes a link is one gone and one new; what is only intended to be
        // added may be either.
        let mut expected = listed(&it, &["diff", "--cached", "--no-renames", "--diff-filter=DT"]);
        let intended = listed(&it, &["diff", "--no-renames", "--diff-filter=A"]);
        gone.retain(|it| !intended.contains(it));
        expected.retain(|it| !intended.contains(it));
        assert_eq!(gone, expected, "seed {seed}, step {step}, after {what}: deleted");
    }
    eprintln!("seed {seed}: {steps} steps, {seen} changed paths");
    assert!(seen > 100, "only {seen} changes");
}

/// The index against `HEAD`, the files against the index, and what git does not know yet.
fn work_tree(it: &Workspace) -> BTreeSet<PathBuf> {
    let mut paths = listed(it, &["diff", "--cached", "--no-renames"]);
    paths.append(&mut listed(it, &["diff", "--no-renames"]));
    let others = it.git(&["ls-files", "-z", "--others", "--exclude-standard"]);
    paths.extend(split(&others));
    paths
}

/// The index against `HEAD`. What is only intended to be added counts for libgit2, as an empty file.
fn staged(it: &Workspace) -> BTreeSet<PathBuf> {
    let mut paths = listed(it, &["diff", "--cached", "--no-renames"]);
    paths.append(&mut listed(it, &["diff", "--no-renames", "--diff-filter=A"]));
    paths
}

fn listed(it: &Workspace, arguments: &[&str]) -> BTreeSet<PathBuf> {
    split(&it.git(&[arguments, &["--name-only", "-z"]].concat())).collect()
}

fn split(text: &str) -> impl Iterator<Item = PathBuf> {
    text.split('\0').filter(|it| !it.is_empty()).map(PathBuf::from)
}

/// One thing that people and tools do to files and to the index; what it was. Files whose times
/// were set back are noted.
fn work(it: &Workspace, random: &mut Random, secret: &mut BTreeSet<PathBuf>) -> String {
    let name = *random.pick(&PATHS);
    let path = it.path(name);
    let is_file = path.symlink_metadata().is_ok_and(|it| !it.is_dir());
    let what = match random.below(14) {
        0..4 => {
            make_way(it, name);
            it.write(name, *random.pick(&["one", "two", "six", "three"]));
            "write"
        }
        4 if is_file && !path.is_symlink() => {
            let before = path.metadata().unwrap();
            it.write(name, *random.pick(&["one", "two", "six"]));
            let times = FileTimes::new().set_modified(before.modified().unwrap());
            fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
            secret.insert(name.into());
            "write in secret"
        }
        5 if path.symlink_metadata().is_ok() => {
            _ = it.remove(name);
            "remove"
        }
        #[cfg(unix)]
        6 => {
            make_way(it, name);
            it.write(name, "");
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("keep", &path).unwrap();
            "link"
        }
        #[cfg(unix)]
        7 if is_file && !path.is_symlink() => {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = *random.pick(&[0o644, 0o755]);
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            "chmod"
        }
        8 => {
            it.git(&["add", "-A"]);
            "add"
        }
        9 if is_file && !name.starts_with("ignored") => {
            it.git(&["--literal-pathspecs", "add", "--intent-to-add", name]);
            "add in intent"
        }
        10 if is_file => {
            it.git(&["--literal-pathspecs", "add", "--force", name]);
            "add one"
        }
        11 => {
            it.git(&[
                "--literal-pathspecs",
                "rm",
                "-f",
                "-q",
                "-r",
                "--cached",
                "--ignore-unmatch",
                name,
            ]);
            "forget"
        }
        12 => {
            it.commit("More");
            "commit"
        }
        _ => {
            it.git(&["reset", "-q"]);
            "reset"
        }
    };
    format!("{what} {name:?}")
}

/// A file where a directory was, and the other way round.
fn make_way(it: &Workspace, name: &str) {
    let above = Path::new(name).ancestors().skip(1);
    for dir in above.filter(|it| !it.as_os_str().is_empty()) {
        if it.path(dir.to_str().unwrap()).symlink_metadata().is_ok_and(|it| !it.is_dir()) {
            it.remove(dir.to_str().unwrap());
        }
    }
    if it.path(name).symlink_metadata().is_ok() {
        it.remove(name);
    }
}
