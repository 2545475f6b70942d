//! Tests of the `git` layer, through `check --staged` and `check --changed`.

use testkit::workspace::{Answer, Workspace, binary, isolated};

mod callers;
#[cfg(unix)]
mod hooks;
mod random;

const X: &str = "variable \"x\" {\n  type = string\n}\n";
const X_NUMBER: &str = "variable \"x\" {\n  type = number\n}\n";

/// Three modules with fresh schemas, values files and a configuration, committed.
fn repository() -> Workspace {
    let it = Workspace::repository();
    for module in ["a", "b", "c"] {
        it.write(&format!("modules/{module}/main.tf"), X);
        it.write(&format!("modules/{module}/prod.tfvars"), "x = \"1\"\n");
    }
    it.write("envs/shared.tfvars", "x = \"2\"\n");
    it.write(
        "modules/c/.terraschema.hcl",
        "input \"all\" {\n  files = [\"../../envs/shared.tfvars\"]\n}\n",
    );
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.commit("First");
    it
}

/// The modules that a run looked at.
fn modules(answer: &Answer) -> Vec<String> {
    assert!(answer.code < 2, "{}", answer.text());
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let modules = report["modules"].as_array().unwrap().iter();
    modules.map(|it| it["path"].as_str().unwrap().to_owned()).collect()
}

fn changed(it: &Workspace, range: &str) -> Vec<String> {
    modules(&it.terraschema(&format!("check --format json {range}")))
}

/// A change in words, the change, and the modules that it selects.
type Case<'a> = (&'a str, &'a dyn Fn(), &'a [&'a str]);

#[test]
fn any_kind_of_change_selects_the_module() {
    let it = repository();
    assert_eq!(changed(&it, "--changed"), Vec::<String>::new());
    let cases: [Case; 8] = [
        ("a source file", &|| _ = it.write("modules/a/main.tf", X_NUMBER), &["modules/a"]),
        ("a new file", &|| _ = it.write("modules/b/new.tf", ""), &["modules/b"]),
        ("a schema", &|| _ = it.write("modules/b/schema.json", "{}"), &["modules/b"]),
        ("a deleted schema", &|| _ = it.remove("modules/b/schema.json"), &["modules/b"]),
        ("a values file", &|| _ = it.remove("modules/a/prod.tfvars"), &["modules/a"]),
        ("a named input", &|| _ = it.write("envs/shared.tfvars", "x = 1\n"), &["modules/c"]),
        ("a deleted named input", &|| _ = it.remove("envs/shared.tfvars"), &["modules/c"]),
        (
            "a configuration above",
            &|| _ = it.write("modules/.terraschema.hcl", ""),
            &["modules/a", "modules/b", "modules/c"],
        ),
    ];
    for (what, change, expected) in cases {
        change();
        assert_eq!(changed(&it, "--changed"), expected, "{what}");
        it.git(&["add", "-A"]);
        assert_eq!(changed(&it, "--changed"), expected, "{what}, staged");
        it.git(&["reset", "-q", "--hard"]);
        it.git(&["clean", "-qfd"]);
    }
}

#[test]
fn values_below_a_module_select_it_and_every_module_above() {
    let it = repository();
    it.write("main.tf", X);
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.commit("A root");
    it.write("modules/a/envs/new/x.tfvars", "x = \"3\"\n");
    assert_eq!(changed(&it, "--changed"), [".", "modules/a"]);
}

#[test]
fn a_renamed_file_selects_both_modules() {
    let it = repository();
    it.git(&["mv", "modules/a/prod.tfvars", "modules/b/renamed.tfvars"]);
    assert_eq!(changed(&it, "--staged"), ["modules/a", "modules/b"]);
}

#[test]
fn a_module_whose_sources_are_deleted_leaves_an_orphan() {
    let it = repository();
    it.git(&["rm", "-q", "modules/a/main.tf"]);
    for range in ["--staged", "--changed"] {
        let answer = it.terraschema(&format!("check --format concise {range}"));
        assert_eq!(answer.code, 1, "{}", answer.text());
        assert!(answer.stdout.contains("modules/a/schema.json:1:1: error[orphan-schema]"));
    }
}

#[test]
fn ranges_compare_with_the_merge_base() {
    let it = repository();
    it.git(&["checkout", "-q", "-b", "topic"]);
    it.write("modules/a/main.tf", X_NUMBER).commit("On the topic");
    it.git(&["checkout", "-q", "main"]);
    it.write("modules/b/main.tf", X_NUMBER).commit("On main meanwhile");
    it.git(&["checkout", "-q", "topic"]);
    it.write("modules/c/main.tf", X_NUMBER);
    assert_eq!(changed(&it, "--changed"), ["modules/a", "modules/c"]);
    assert_eq!(changed(&it, "--changed=main"), ["modules/a", "modules/c"]);
    assert_eq!(changed(&it, "--changed=HEAD"), ["modules/c"]);
    assert_eq!(changed(&it, "--changed=main...topic"), ["modules/a"]);
    assert_eq!(changed(&it, "--changed=main...HEAD modules/b"), Vec::<String>::new());
    assert_eq!(changed(&it, "--changed=main..topic"), ["modules/a", "modules/b"]);
    let unknown = it.terraschema("check --changed=nowhere");
    assert_eq!((unknown.code, unknown.stderr.contains("nowhere")), (2, true));
}

#[test]
fn the_index_is_judged_and_not_the_work_tree() {
    let it = repository();
    it.write("modules/a/main.tf", X_NUMBER);
    it.git(&["add", "-A"]);
    it.write("modules/a/main.tf", X);
    let answer = it.terraschema("check --staged --format concise");
    assert_eq!(answer.code, 1, "an unstaged edit must not pass a commit: {}", answer.text());
    it.git(&["reset", "-q", "--hard"]);
    it.write("modules/a/other.tf", "variable \"y\" {\n  default = 1\n}\n");
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.git(&["add", "-A"]);
    it.write("modules/a/main.tf", "nonsense {").write("modules/a/schema.json", "{}");
    let answer = it.terraschema("check --staged");
    assert_eq!(answer.code, 0, "an unstaged edit must not fail a commit: {}", answer.text());
    it.git(&["reset", "-q", "modules/a/schema.json"]);
    let answer = it.terraschema("check --staged --format concise");
    assert_eq!(answer.code, 1, "an unstaged schema is no schema: {}", answer.text());
    let answer = it.terraschema_in("modules", "check --staged --format concise");
    assert!(answer.stdout.starts_with("a/other.tf:1:1:"), "{}", answer.text());
}

#[test]
#[cfg(unix)]
fn the_index_of_the_commit_at_hand_counts() {
    use std::os::unix::fs::PermissionsExt;
    let it = repository();
    let hook = it.path(".git/hooks/pre-commit");
    it.write(".git/hooks/pre-commit", format!("#!/bin/sh\nexec '{}' check --staged\n", binary()));
    #[allow(clippy::disallowed_methods)] // git runs only what is executable.
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let commit = |arguments: &[&str]| {
        let mut git = isolated("git", &it.path(""));
        git.args(["commit", "-q", "-m", "Next"]).args(arguments);
        Answer::new(git.output().unwrap())
    };
    it.write("modules/a/main.tf", X_NUMBER);
    let answer = commit(&["-a"]);
    assert!(answer.code != 0 && answer.text().contains("stale-schema"), "{}", answer.text());
    it.write("modules/b/prod.tfvars", "x = \"3\"\n");
    assert_eq!(commit(&["modules/b/prod.tfvars"]).code, 0, "the rest is not committed");
}

#[test]
fn staged_is_refused_with_fix() {
    let it = repository();
    let answer = it.terraschema("check --staged --fix");
    assert_eq!((answer.code, answer.stderr.contains("--fix")), (2, true));
}

#[test]
fn outside_a_repository_it_says_what_it_needs() {
    let it = Workspace::new();
    it.write("main.tf", X);
    for flag in ["--staged", "--changed", "--changed=main"] {
        let answer = it.terraschema(&format!("check {flag}"));
        assert_eq!(answer.code, 2);
        assert!(answer.stderr.contains("is not in a Git repository"), "{}", answer.stderr);
    }
    assert_eq!(it.terraschema("check --fix").code, 0, "everything else works");
}

#[test]
fn it_works_before_the_first_commit() {
    let it = Workspace::repository();
    it.write("main.tf", X);
    assert_eq!(changed(&it, "--changed"), ["."]);
    assert_eq!(changed(&it, "--staged"), Vec::<String>::new());
    it.git(&["add", "-A"]);
    assert_eq!(changed(&it, "--staged"), ["."]);
}

#[test]
fn it_works_in_a_worktree_and_in_a_submodule() {
    let it = repository();
    it.git(&["worktree", "add", "-q", "linked", "-b", "linked"]);
    it.write("linked/modules/a/main.tf", X_NUMBER);
    let answer = it.terraschema_in("linked", "check --changed --format json");
    assert_eq!(modules(&answer), ["modules/a"]);
    let staged = || modules(&it.terraschema_in("linked", "check --staged --format json"));
    assert_eq!(staged(), Vec::<String>::new());
    it.git(&["-C", "linked", "add", "-A"]);
    assert_eq!(staged(), ["modules/a"]);

    let outer = Workspace::repository();
    let from = it.path("");
    let from = from.to_str().unwrap();
    outer.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        "-b",
        "main",
        from,
        "sub",
    ]);
    outer.commit("With a submodule");
    outer.write("sub/modules/b/main.tf", X_NUMBER);
    let answer = outer.terraschema_in("sub", "check --changed --format json");
    assert_eq!(modules(&answer), ["modules/b"]);
    assert_eq!(changed(&outer, "--changed"), Vec::<String>::new(), "its own commits alone count");
}

#[test]
fn a_shallow_clone_without_the_base_is_a_clear_error() {
    let it = repository();
    it.git(&["checkout", "-q", "-b", "topic"]);
    it.write("modules/a/main.tf", X_NUMBER).commit("On the topic");
    it.git(&["checkout", "-q", "main"]);
    it.write("modules/b/main.tf", X_NUMBER).commit("On main");
    let clone = Workspace::new();
    let from = format!("file://{}", it.path("").display());
    clone.git(&["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "topic", &from, "c"]);
    let answer = clone.terraschema_in("c", "check --changed=origin/main");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("shallow"), "{}", answer.stderr);
    assert!(answer.stderr.contains("fetch-depth: 0"), "{}", answer.stderr);
}

/// What a run that must fail says.
fn failure(answer: &Answer) -> &str {
    assert_eq!(answer.code, 2, "{}", answer.text());
    &answer.stderr
}

/// What git ignores is often made before the plan; what it does not ignore has been forgotten.
#[test]
fn a_missing_file_that_git_ignores_is_not_judged() {
    const USES: &str = "variable \"x\" {
  type = string
  validation {
    condition     = var.x == local.made
    error_message = \"No.\"
  }
}
locals {
  made = jsondecode(file(\"${path.module}/FILE\")).name
  then = upper(local.made)
}
provider \"a\" {
  key = file(\"FILE\")
}
resource \"a_b\" \"c\" {
  count = length(local.then) > 3 ? 1 : 0
}
module \"c\" {
  source = \"./c\"
  text   = file(\"FILE\")
}
output \"o\" {
  value = module.c.text
}
";
    const CALLED: &str = "variable \"text\" {
  type = string
  validation {
    condition     = length(var.text) > 2
    error_message = \"Short.\"
  }
}
output \"text\" {
  value = file(\"${path.module}/FILE\")
}
";
    let it = repository();
    it.write(".gitignore", "/modules/d/c/build/\n*.pem\n")
        .write("modules/d/build/.gitignore", "*\n");
    it.write("modules/d/x.tfvars", "x = \"a\"\n");
    for (file, is_ignored) in [("key.pem", true), ("build/out.json", true), ("key.txt", false)] {
        it.write("modules/d/main.tf", USES.replace("FILE", file));
        it.write("modules/d/c/main.tf", CALLED.replace("FILE", file));
        it.terraschema("check --fix modules/d");
        let answer = it.terraschema("check modules/d --format concise");
        assert_eq!(answer.code == 0, is_ignored, "{file}: {}", answer.text());
        let told = answer.stdout.matches("no file exists at").count();
        assert_eq!(told > 1, !is_ignored, "{file}: {}", answer.text());
        let answer = it.terraschema("check modules/d -v");
        let open = answer.text().matches("Only a plan can decide whether a file exists").count();
        // The called module is judged by itself, too.
        assert_eq!(open, if is_ignored { 5 } else { 0 }, "{file}: {}", answer.text());
        let rule = "whether a rule of \"x\" holds: It depends on a file that is missing";
        assert_eq!(answer.text().contains(rule), is_ignored, "{file}: {}", answer.text());
        // A plan of now fails.
        let answer = it.terraschema("validate --input modules/d -var-file=modules/d/x.tfvars");
        assert!(answer.text().contains("no file exists at"), "{file}: {}", answer.text());
    }
}

/// Each of them is at another commit, after which a different number of modules changed.
#[test]
fn the_default_branch_is_the_first_there_is_of_five() {
    let it = Workspace::repository();
    it.write("README.md", "").commit("Nothing");
    it.git(&["checkout", "-q", "-b", "work"]);
    it.git(&["branch", "-q", "-D", "main"]);
    let refs = [
        "heads/master",
        "heads/main",
        "remotes/origin/master",
        "remotes/origin/main",
        "remotes/origin/HEAD",
    ];
    for (at, name) in refs.iter().enumerate() {
        it.git(&["update-ref", &format!("refs/{name}"), "HEAD"]);
        it.write(&format!("m{at}/main.tf"), X).commit("One more");
    }
    for (at, name) in refs.iter().enumerate().rev() {
        let changed = modules(&it.terraschema("check --changed --format json"));
        assert_eq!(changed.len(), refs.len() - at, "{name}: {changed:?}");
        it.git(&["update-ref", "-d", &format!("refs/{name}")]);
    }
    let answer = it.terraschema("check --changed");
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.text().contains("no default branch found"), "{}", answer.text());
}

/// Everybody links such files to values of their own.
#[cfg(unix)]
#[test]
fn automatic_values_that_git_ignores_and_that_are_not_there_are_not_judged() {
    let it = repository();
    it.write("m/main.tf", "variable \"x\" {\n  type = number\n}\n");
    it.write("m/prod.tfvars", "x = \"one\"\n");
    it.terraschema("check --fix m");
    let told = || it.terraschema("check m --format concise");
    assert!(told().stdout.starts_with("m/prod.tfvars:1:5: error[type-mismatch]"));
    std::os::unix::fs::symlink("../none", it.path("m/common.auto.tfvars")).unwrap();
    it.commit("All");
    assert!(told().stdout.contains("error[unreadable-input]"), "{}", told().text());
    // What is on top of automatic values is not judged without them.
    it.write(".gitignore", "*.auto.tfvars\n");
    assert_eq!((told().code, told().stdout.as_str()), (0, ""));
    let all = it.terraschema("check m -v").text();
    let open = "not judged: m/common.auto.tfvars: it is a broken link";
    assert_eq!(all.matches(open).count(), 1, "{all}");
}

/// `make` downloads the one, `git submodule update` the other. `validate` and a plan need them.
#[test]
fn called_modules_that_are_made_after_a_clone_are_not_judged() {
    let it = Workspace::repository();
    let call =
        |name: &str| format!("module \"{name}\" {{\n  source = \"./{name}/m\"\n  a      = 1\n}}\n");
    it.write("main.tf", &(call("vendor") + &call("shared")));
    let told = || it.terraschema("check --format concise");
    assert_eq!(told().stdout.matches("error[missing-module]").count(), 2, "{}", told().text());
    it.write(".gitignore", "vendor/\n");
    it.write(".gitmodules", "[submodule \"s\"]\n\tpath = shared\n\turl = https://example.com/s\n");
    for directory in ["other", "shared", "shared/m"] {
        std::fs::create_dir_all(it.path(directory)).unwrap();
        let is_checked_out = directory == "shared/m";
        assert_eq!(told().code, i32::from(is_checked_out), "{}", told().text());
        if !is_checked_out {
            let all = it.terraschema("check -v").text();
            assert!(
                all.contains("module.vendor (its directory does not exist, and Git ignores it)"),
                "{all}"
            );
            assert!(
                all.contains(
                    "module.shared (the Git submodule in its directory is not checked out)"
                ),
                "{all}"
            );
        }
        let answer = it.terraschema("validate");
        assert!(answer.text().contains("error[missing-module]"), "{}", answer.text());
    }
}

/// In a rule, a number of instances, a condition and an import, too; and a repository inside of another
/// one is independent.
#[test]
fn whatever_needs_a_missing_file_that_git_ignores_is_open() {
    let it = repository();
    it.write(".gitignore", "*.pem\n")
        .write("inner/main.tf", "locals {\n  a = file(\"k.txt\")\n}\n");
    it.write("m/x.tfvars", "x = \"a\"\n");
    let rule = |condition: &str, message: &str| {
        format!(
            "variable \"x\" {{\n  type = string\n  validation {{\n    condition     = {condition}\n    \
             error_message = {message}\n  }}\n}}\n"
        )
    };
    let file = "file(\"k.pem\")";
    let plain = rule("true", "\"No.\"").replace("true", "var.x != \"\"");
    for main in [
        rule(&format!("var.x == {file}"), "\"No.\""),
        rule(&format!("contains(jsondecode({file}), var.x)"), "\"No.\""),
        format!("{plain}resource \"a_b\" \"c\" {{\n  for_each = jsondecode({file})\n}}\n"),
        format!("{plain}resource \"a_b\" \"c\" {{\n  count = length({file})\n}}\n"),
        format!(
            "{plain}output \"o\" {{\n  value = 1\n  precondition {{\n    condition     = {file} == var.x\n    error_message = \"No.\"\n  }}\n}}\n"
        ),
        format!("{plain}resource \"a_b\" \"c\" {{}}\nimport {{\n  to = a_b.c\n  id = {file}\n}}\n"),
        format!(
            "{plain}locals {{\n  a = templatefile(\"k.pem\", {{}})\n  b = try({file}, yamldecode({file}))\n}}\n"
        ),
    ] {
        it.write("m/main.tf", &main);
        it.terraschema("check --fix m");
        let told = it.terraschema("check m --format concise");
        assert_eq!((told.code, told.stdout.as_str()), (0, ""), "{main}");
        let all = it.terraschema("check m -v").text();
        assert!(
            all.contains("not judged") || all.contains("Only a plan can decide"),
            "{main}{all}"
        );
    }
    // The outer repository ignores the directory of the inner one.
    it.write(".gitignore", "/inner\n");
    it.git(&["init", "-q", "inner"]);
    let told = it.terraschema("check inner --format concise");
    assert!(told.stdout.contains("no file exists at"), "{}", told.text());
}

/// A configuration that may name another work tree has libgit2 asked; any other is not looked into.
#[test]
fn gits_own_list_of_ignored_files_counts_whatever_its_configuration() {
    let it = repository();
    it.write(".git/info/exclude", "/modules/a\n/untracked\n").write("untracked/main.tf", X);
    let all = || modules(&it.terraschema("check --format json"));
    assert_eq!(all(), ["modules/a", "modules/b", "modules/c"], "what git tracks is not ignored");
    it.git(&["config", "include.path", "nowhere"]);
    assert_eq!(all(), ["modules/a", "modules/b", "modules/c"]);
    it.git(&["config", "core.worktree", "/"]);
    let named = it.terraschema("check --format json modules/b");
    assert_eq!(modules(&named), ["modules/b"], "{}", named.text());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_gits_files_is_not_waited_for() {
    for (name, all, changed) in [
        ("HEAD", true, false),
        ("config", true, false),
        ("index", true, false),
        ("info/attributes", true, false),
        ("info/exclude", true, false),
        ("objects/info/alternates", true, false),
        ("packed-refs", true, false),
        ("refs/heads/main", true, false),
        ("shallow", true, false),
    ] {
        let it = repository();
        let pipe = it.path(&format!(".git/{name}"));
        it.write(&format!(".git/{name}"), "");
        it.remove(&format!(".git/{name}"));
        assert!(isolated("mkfifo", &it.path("")).arg(pipe).status().unwrap().success());
        for (arguments, is_answered) in [("", all), ("--changed=HEAD", changed)] {
            let answer = it.terraschema(&format!("check --format json {arguments}"));
            let refusal = format!(".git/{name} is not a regular file");
            assert_eq!(answer.code != 2, is_answered, "{name} {arguments}: {}", answer.text());
            assert_eq!(!answer.text().contains(&refusal), is_answered, "{}", answer.text());
        }
    }
}

#[test]
fn what_git_tracks_is_not_ignored() {
    let it = repository();
    it.write(".gitignore", "*.tfvars\n/build\n").write("modules/a/prod.tfvars", "x = []\n");
    it.write("build/main.tf", X).commit("Ignored, but tracked before");
    let found = |arguments: &str| {
        let answer = it.terraschema(&format!("check --format concise {arguments}"));
        answer
            .stdout
            .lines()
            .map(|it| it.split(": ").next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let a = "modules/a/prod.tfvars:1:5";
    for arguments in
        ["", "modules", "modules/a/prod.tfvars", "--changed=HEAD~1", "--hook modules/a/prod.tfvars"]
    {
        assert_eq!(found(arguments), [a], "{arguments}");
    }
    assert_eq!(it.terraschema_in("modules/a", "check").code, 1);
    it.write("modules/b/local.tfvars", "x = []\n");
    assert_eq!(found(""), [a], "nobody else has it");
    assert_eq!(found("modules/b/local.tfvars"), ["modules/b/local.tfvars:1:5"], "it is asked for");
    it.git(&["add", "-f", "build"]);
    assert_eq!(found(""), ["build/main.tf:1:1", a]);
    it.write(".terraschema.hcl", "modules {\n  exclude = [\"build\"]\n}\ninput \"all\" {\n  module = \"modules/a\"\n  files  = [\"modules/a/*.tfvars\"]\n}\n");
    assert_eq!(found(""), [a], "patterns find it too");
    it.write(".ignore", "modules\n");
    assert_eq!(found(""), [a], "another tool's file");
}

#[test]
fn init_sees_what_git_tracks_although_it_ignores_it() {
    let it = repository();
    it.write("live/main.tf", "variable \"id\" {}\n").write("live/terraform.tfvars", "");
    it.commit("An automatic file that lacks a value");
    it.write(".gitignore", "terraform.tfvars\n");
    assert_eq!(it.terraschema("init").code, 0);
    let configuration = std::fs::read_to_string(it.path(".terraschema.hcl")).unwrap();
    assert!(configuration.contains("given = [\"id\"]"), "{configuration}");
    let answer = it.terraschema("check --fix");
    assert_eq!(answer.code, 0, "{}", answer.text());
}

#[test]
fn what_is_only_meant_to_be_added_is_not_in_a_commit() {
    let it = repository();
    it.write("modules/d/main.tf", X);
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.git(&["add", "modules/d/main.tf"]);
    it.git(&["add", "--intent-to-add", "modules/d/schema.json"]);
    for arguments in ["--staged", "--hook modules/d/main.tf"] {
        let answer = it.terraschema(&format!("check --format concise {arguments}"));
        assert!(answer.stdout.contains("error[missing-schema]"), "{arguments}: {}", answer.text());
    }
}

#[test]
fn an_index_with_conflicts_is_no_commit() {
    let it = repository();
    it.git(&["checkout", "-q", "-b", "topic"]);
    it.write("modules/a/schema.json", "{}").commit("One");
    it.git(&["checkout", "-q", "main"]);
    it.write("modules/a/schema.json", "[]").commit("Another");
    let merge = isolated("git", &it.path("")).args(["merge", "-q", "topic"]).output().unwrap();
    assert!(!merge.status.success());
    let answer = it.terraschema("check --staged");
    assert!(failure(&answer).contains("modules/a/schema.json is unmerged"), "{}", answer.stderr);
    let answer = it.terraschema("check --changed --format concise");
    assert!(answer.stdout.contains("The committed schema is not valid JSON"), "{}", answer.text());
    assert_eq!(it.terraschema("check --fix").code, 0, "the schema is what the variables give");
}

#[test]
fn repositories_that_cannot_be_read_are_clear_errors() {
    let it = repository();
    it.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "modules/a"]);
    for flag in ["--staged", "--changed", "--hook modules/a/main.tf"] {
        let answer = it.terraschema(&format!("check {flag}"));
        assert!(failure(&answer).contains("--no-sparse-index"), "{}", answer.stderr);
    }
    assert_eq!(it.terraschema("check").code, 0, "everything else works");
    it.git(&["sparse-checkout", "reapply", "--no-sparse-index"]);
    assert_eq!(
        changed(&it, "--changed"),
        Vec::<String>::new(),
        "what is not checked out is not gone"
    );
    it.write("modules/a/main.tf", X_NUMBER);
    assert_eq!(changed(&it, "--changed"), ["modules/a"]);

    let it = Workspace::new();
    it.git(&["init", "-q", "--object-format=sha256"]);
    let answer = it.write("main.tf", X).terraschema("check --changed");
    assert!(failure(&answer).contains("cannot be read"), "{}", answer.stderr);
}
