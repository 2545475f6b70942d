//! What git says to its hooks by `GIT_DIR`, `GIT_WORK_TREE` and `GIT_INDEX_FILE`: a commit is judged by its own index.

use std::{os::unix::fs::PermissionsExt, path::Path};

use testkit::workspace::{Answer, Workspace, binary, isolated};

const FINE: &str = "variable \"x\" {\n  default = 1\n}\n";
const WRONG: &str = "variable \"x\" {\n  type    = number\n  default = \"a\"\n}\n";

/// A repository with a module in each of two directories, and a hook that runs the command in a directory.
fn repository(hook_in: &str) -> Workspace {
    let it = Workspace::repository();
    it.write("a/main.tf", FINE).write("b/main.tf", FINE);
    it.write(".terraschema.hcl", "rule \"missing-schema\" {\n  level = \"off\"\n}\n");
    it.commit("First");
    write_hook(&it, ".git/hooks/pre-commit", hook_in);
    it
}

fn write_hook(it: &Workspace, path: &str, hook_in: &str) {
    let text = format!("#!/bin/sh\ncd '{hook_in}' && exec '{}' check --staged\n", binary());
    it.write(path, text);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(it.path(path), mode).unwrap();
}

fn commit(dir: &Path, arguments: &[&str]) -> Answer {
    Answer::new(isolated("git", dir).args(arguments).output().unwrap())
}

/// With the error staged the commit is refused, wherever the hook runs; without it, it is made.
#[test]
fn a_hook_judges_the_index_of_its_commit() {
    for (hook_in, file) in [(".", "a/main.tf"), ("b", "b/main.tf")] {
        for (what, arguments) in [
            ("staged", &["commit", "-qm", "Next"][..]),
            ("all", &["commit", "-qam", "Next"]),
            ("one path", &["commit", "-qm", "Next", file]),
            ("from below", &["-C", "a", "commit", "-qam", "Next"]),
        ] {
            let it = repository(hook_in);
            let stage = || {
                if what == "staged" {
                    it.git(&["add", "-A"]);
                }
            };
            it.write(file, WRONG);
            stage();
            let answer = commit(&it.path(""), arguments);
            assert_ne!(answer.code, 0, "{what} in {hook_in}: {}", answer.text());
            assert!(answer.text().contains("main.tf:3"), "{what} in {hook_in}: {}", answer.text());
            it.write(file, format!("{FINE}# changed\n"));
            stage();
            let answer = commit(&it.path(""), arguments);
            assert_eq!(answer.code, 0, "{what} in {hook_in}: {}", answer.text());
        }
    }
}

#[test]
fn a_hook_of_a_linked_work_tree_judges_that_tree() {
    let it = repository(".");
    it.git(&["worktree", "add", "-q", "linked"]);
    it.write("linked/a/main.tf", WRONG);
    let answer = commit(&it.path("linked"), &["commit", "-qam", "Next"]);
    assert_ne!(answer.code, 0, "{}", answer.text());
    assert!(answer.text().contains("a/main.tf"), "{}", answer.text());
    // The main tree has no error.
    it.write("a/main.tf", format!("{FINE}# changed\n"));
    let answer = commit(&it.path(""), &["commit", "-qam", "Next"]);
    assert_eq!(answer.code, 0, "{}", answer.text());
}

#[test]
fn a_repository_apart_from_its_work_tree_is_found() {
    let it = repository(".");
    let outside = tempfile::tempdir().unwrap();
    let (dir, tree) = (outside.path().join("git"), it.path(""));
    std::fs::rename(it.path(".git"), &dir).unwrap();
    let dir = format!("--git-dir={}", dir.display());
    let tree = format!("--work-tree={}", tree.display());
    it.write("a/main.tf", WRONG);
    let answer = commit(&it.path(""), &[&dir, &tree, "commit", "-qam", "Next"]);
    assert_ne!(answer.code, 0, "{}", answer.text());
    assert!(answer.text().contains("a/main.tf"), "{}", answer.text());
    it.write("a/main.tf", format!("{FINE}# changed\n"));
    let answer = commit(&it.path(""), &[&dir, &tree, "commit", "-qam", "Next"]);
    assert_eq!(answer.code, 0, "{}", answer.text());
}

/// The hook of a repository runs the command in a repository inside: the outer index is not the inner one's.
#[test]
fn a_repository_inside_has_an_index_of_its_own() {
    let it = repository("inner");
    it.write("inner/c/main.tf", FINE);
    let git = |arguments: &[&str]| commit(&it.path("inner"), arguments);
    for arguments in
        [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "--no-verify", "-m", "First"]]
    {
        assert_eq!(git(arguments).code, 0);
    }
    it.write(".gitignore", "inner\n");
    it.write("inner/c/main.tf", WRONG);
    assert_eq!(git(&["add", "-A"]).code, 0);
    let answer = commit(&it.path(""), &["commit", "-qam", "Next", "--allow-empty"]);
    assert_ne!(answer.code, 0, "{}", answer.text());
    assert!(answer.text().contains("c/main.tf"), "{}", answer.text());
}
