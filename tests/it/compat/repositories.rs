//! Repositories that are not as one expects: tags of several modules, shallow clones, submodules, names that are no
//! text.

use std::fs;

use system::MemorySystem;
use testkit::workspace::Workspace;

use super::{
    compat,
    states::{NARROW, OLD, WIDER, repository},
};

/// Each module has the newest of its own tags that HEAD descends from.
#[test]
fn modules_with_tags_of_their_own_have_a_base_each() {
    let space = Workspace::repository();
    space.write("modules/a/main.tf", OLD).write("modules/b/main.tf", WIDER).write("c/main.tf", OLD);
    space.commit("one");
    space.git(&["tag", "a/v1.0.0"]);
    space.git(&["tag", "modules/b-0.3.0"]);
    space.write("modules/a/main.tf", WIDER);
    space.commit("two");
    space.git(&["tag", "a/v1.1.0"]);
    space
        .write("modules/a/main.tf", OLD)
        .write("modules/b/main.tf", OLD)
        .write("c/main.tf", NARROW);
    space.commit("three");
    // A tag off the way to HEAD counts for nothing.
    space.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    space.write("modules/a/main.tf", OLD);
    space.commit("side");
    space.git(&["tag", "a/v9.0.0"]);
    space.git(&["checkout", "-q", "-"]);
    let answer = space.terraschema("compat");
    assert_eq!(answer.code, 1, "{}", answer.text());
    let end = "modules/a: major (1 major), next version 2.0.0\nmodules/b: major (1 major), next version \
               0.4.0\nthe newest tag of each module → the work tree: major\n";
    assert!(answer.stdout.ends_with(end), "{}", answer.stdout);
    assert!(answer.stdout.contains("a/v1.1.0:modules/a/main.tf:"), "{}", answer.stdout);
    let answer = space.terraschema("compat -- modules/b");
    assert!(!answer.stdout.contains("modules/a"), "{}", answer.stdout);
    // A module that is gone is known from the files of its tag.
    space.remove("modules/b/main.tf");
    assert!(space.terraschema("compat").stdout.contains("The module modules/b was removed"));
    // A tag without a name is of all modules.
    space.git(&["tag", "v3.0.0"]);
    assert!(space.terraschema("compat").stdout.contains("v3.0.0 → the work tree"));
}

/// No work tree holds such a path, but a commit can.
#[test]
fn a_commit_with_a_path_of_any_length_is_refused_in_good_time() {
    let space = Workspace::repository();
    space.write("main.tf", OLD);
    space.commit("one");
    let blob = space.git(&["rev-parse", "HEAD:main.tf"]);
    let path = format!("{}main.tf", "a/".repeat(3000));
    let entry = format!("100644,{},{path}", blob.trim());
    space.git(&["update-index", "--add", "--cacheinfo", &entry]);
    let tree = space.git(&["write-tree"]);
    let commit = space.git(&["commit-tree", "-m", "deep", tree.trim()]);
    space.git(&["read-tree", "HEAD"]);
    space.git(&["tag", "deep", commit.trim()]);
    let answer = space.terraschema("compat --base deep");
    assert_eq!(answer.code, 2, "{}", answer.text());
    let why = "has a path of more than 4096 bytes";
    assert!(answer.stderr.contains(why), "{}", answer.text());
}

/// Both `compat` and `--history` take a tag for a release of the same modules.
#[test]
fn a_tag_is_a_release_of_the_modules_with_its_name() {
    let space = Workspace::repository();
    let release = |tag: &str, text: &str| {
        space.write("cluster/main.tf", text).write("domains/main.tf", text);
        space.commit(tag);
        space.git(&["tag", tag]);
    };
    release("maintenance-templates-v1.0.0", OLD);
    release("maintenance-templates-v1.0.1", NARROW);
    let none =
        "there are version tags of maintenance-templates, but no module directory has such a name";
    for command in ["compat", "compat --history"] {
        let answer = space.terraschema(command);
        assert!(answer.code == 2 && answer.stderr.contains(none), "{}", answer.text());
    }
    release("cluster-v1.0.0", OLD);
    release("cluster-v1.0.1", NARROW);
    let answer = space.terraschema("compat --history");
    assert!(answer.stdout.contains("cluster-v1.0.1  major"), "{}", answer.text());
    assert!(!answer.stdout.contains("maintenance"), "{}", answer.text());
    space.write("cluster/main.tf", OLD).write("domains/main.tf", OLD);
    let answer = space.terraschema("compat");
    assert!(
        answer.stdout.contains("cluster: minor (1 minor), next version 1.1.0"),
        "{}",
        answer.text()
    );
    assert!(!answer.stdout.contains("domains:"), "{}", answer.text());
    let answer = space.terraschema("compat --history -- domains");
    assert_eq!(answer.code, 2, "{}", answer.text());
    // Where the root is a module, the only name is that of the repository.
    let space = Workspace::repository();
    for (tag, text) in [("terraform-vpc-v1.0.0", OLD), ("terraform-vpc-v1.0.1", NARROW)] {
        space.write("main.tf", text).commit(tag);
        space.git(&["tag", tag]);
    }
    let answer = space.terraschema("compat --history");
    assert!(answer.stdout.contains("terraform-vpc-v1.0.1  major"), "{}", answer.text());
    space.write("main.tf", OLD);
    let answer = space.terraschema("compat");
    let end = "terraform-vpc-v1.0.1 → the work tree: minor\n";
    assert!(answer.stdout.ends_with(end), "{}", answer.text());
}

/// Where many tags have newer ones, few commits are looked at.
#[test]
fn the_newest_of_many_tags_is_found() {
    let space = repository();
    for at in 0..40 {
        space.write("other", at.to_string()).commit("more");
        space.git(&["tag", &format!("v1.5.{at}")]);
    }
    space.git(&["checkout", "-q", "-b", "side", "HEAD~20"]);
    space.write("other", "side").commit("side");
    space.git(&["tag", "-a", "v1.6.0", "-m", "annotated"]);
    space.write("m/main.tf", WIDER);
    let answer = space.terraschema("compat");
    assert!(answer.stdout.ends_with("v1.6.0 → the work tree: minor\n"), "{}", answer.text());
    space.git(&["stash", "-q"]);
    space.git(&["checkout", "-q", "-"]);
    let answer = space.terraschema("compat");
    assert!(answer.stdout.ends_with("v1.5.39 → the work tree: none\n"), "{}", answer.text());
}

/// What lies behind the end of a shallow clone is asked for.
#[test]
fn a_shallow_clone_says_how_to_get_more() {
    let space = repository();
    space.write("m/main.tf", WIDER);
    space.commit("two");
    let clone = Workspace::new();
    let url = format!("file://{}", space.path(".").display());
    clone.git(&["clone", "-q", "--depth=1", &url, "."]);
    let answer = clone.terraschema("compat");
    assert_eq!(answer.code, 2, "{}", answer.text());
    let advice = "name BASE, for example `terraschema compat origin/main`; the clone is shallow: fetch more \
                  history (`git fetch --unshallow`";
    assert!(answer.stderr.contains(advice), "{}", answer.stderr);
    let answer = clone.terraschema("compat HEAD~1");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("the clone is shallow"), "{}", answer.stderr);
    let answer = clone.terraschema("compat --history");
    assert!(answer.stderr.contains("the clone is shallow"), "{}", answer.stderr);
    assert_eq!(clone.terraschema("compat HEAD").code, 0);
}

/// A submodule is another repository: neither its modules nor the step of its commit is a change.
#[test]
fn submodules_are_not_compared() {
    let (space, other) = (repository(), repository());
    let url = other.path(".").display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"];
    space.git(&add);
    space.commit("two");
    space.write("sub/m/main.tf", NARROW).write("m/main.tf", WIDER);
    let answer = space.terraschema("compat HEAD~1");
    assert!(
        answer.stdout.ends_with("m: minor (1 minor)\nHEAD~1 → the work tree: minor\n"),
        "{}",
        answer.text()
    );
    space.commit("three");
    let answer = space.terraschema("compat HEAD~1 HEAD");
    assert!(
        answer.stdout.ends_with("m: minor (1 minor)\nHEAD~1 → HEAD: minor\n"),
        "{}",
        answer.text()
    );
}

/// A path that is not a text stops nothing: the others are compared.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_not_utf_8_stop_nothing() {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt};
    let space = repository();
    let dir = space.path(".").join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("main.tf"), OLD).unwrap();
    fs::write(space.path("m").join(OsStr::from_bytes(b"\xff.tf")), "variable \"z\" {}\n").unwrap();
    space.commit("two");
    fs::write(dir.join("main.tf"), NARROW).unwrap();
    space.write("m/main.tf", WIDER);
    space.commit("three");
    for states in ["HEAD~1 HEAD", "HEAD~2 HEAD", "v1.4.2"] {
        let answer = space.terraschema(&format!("compat {states} -- m"));
        assert!(answer.stdout.contains("m: minor (1 minor)"), "{states}: {}", answer.text());
        let answer = space.terraschema(&format!("compat {states}"));
        assert!(answer.stdout.contains("m: minor (1 minor)"), "{states}: {}", answer.text());
    }
}

#[test]
fn revisions_that_are_none_are_named() {
    let space = repository();
    let blob = space.git(&["rev-parse", "HEAD:m/main.tf"]);
    for revision in ["v9.9.9", "HEAD~9", "0123456789", "HEAD:m", "@{upstream}", blob.trim()] {
        for line in [format!("compat {revision}"), format!("compat HEAD {revision}")] {
            let answer = space.terraschema(&line);
            assert_eq!(answer.code, 2, "{line}: {}", answer.text());
            let name = format!("{revision:?} is not a revision of this repository");
            assert!(answer.stderr.contains(&name), "{line}: {}", answer.stderr);
        }
    }
}

/// Whether the old rule holds only a plan knows, so that no arguments are known to be accepted.
#[test]
fn no_witness_is_sought_where_an_old_rule_needs_a_data_source() {
    let module = |rules: &str| {
        format!(
            "data \"a_zones\" \"here\" {{}}\nvariable \"x\" {{\n  type = string\n  validation {{\n    condition     = \
             contains(data.a_zones.here.names, var.x)\n    error_message = \"No.\"\n  }}\n{rules}}}\n"
        )
    };
    let short = "  validation {\n    condition     = length(var.x) < 3\n    error_message = \"Short.\"\n  }\n";
    let told = |before: &str, after: &str| {
        let system = MemorySystem::new().working_in("/r").file("/r/before/main.tf", before);
        compat(&system.file("/r/after/main.tf", after), "before after").1
    };
    let text = told(&module(""), &module(short));
    assert!(text.contains("warning[undecided-change]"), "{text}");
    assert!(
        text.ends_with("before → after: undecided\n") && !text.contains("module \"example\""),
        "{text}"
    );
    // The same rule is the same rule, whatever it needs.
    assert!(told(&module(short), &module("")).ends_with("before → after: minor\n"));
    assert!(told(&module(""), &module("")).ends_with("before → after: none\n"));
}

/// What the index says about the work tree is trusted only for files that were not touched since.
#[test]
fn an_edit_is_seen_whatever_the_index_says_of_the_file() {
    let space = repository();
    let is_major = || {
        let answer = space.terraschema("compat HEAD");
        assert_eq!(answer.code, i32::from(answer.stdout.contains("m: major")), "{}", answer.text());
        answer.code == 1
    };
    assert!(!is_major());
    // Of the same length, in the same second.
    space.write("m/main.tf", OLD.replace("string", "number"));
    assert!(is_major());
    space.git(&["update-index", "--assume-unchanged", "m/main.tf"]);
    assert!(is_major());
    space.git(&["update-index", "--no-assume-unchanged", "m/main.tf"]);
    space.git(&["update-index", "--skip-worktree", "m/main.tf"]);
    assert!(is_major());
    space.git(&["update-index", "--no-skip-worktree", "m/main.tf"]);
    // Staged, and taken back in the work tree alone.
    space.git(&["add", "m/main.tf"]);
    assert!(is_major());
    space.write("m/main.tf", OLD);
    assert!(!is_major());
    // A directory that is a link to another one, where the index holds the old files.
    #[cfg(unix)]
    {
        space.git(&["checkout", "-q", "HEAD", "m/main.tf"]);
        space.write("other/main.tf", NARROW).remove("m/main.tf");
        fs::remove_dir(space.path("m")).unwrap();
        std::os::unix::fs::symlink("other", space.path("m")).unwrap();
        let answer = space.terraschema("compat HEAD");
        assert!(answer.stdout.contains("m: major"), "{}", answer.text());
    }
}

/// A configuration that cannot be read is not an empty one.
#[test]
fn a_broken_configuration_is_told() {
    let space = repository();
    space.write("m/main.tf", WIDER).write(".terraschema.hcl", "nonsense {\n");
    let answer = space.terraschema("compat HEAD");
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stdout.contains(".terraschema.hcl:1:"), "{}", answer.stdout);
}
