//! States, pairs of modules, levels, versions and exit codes of the command.

use compat::{next_version, version_of_tag};
use release::Version;
use report::Bump;
use system::MemorySystem;
use terraschema::Exit;
use testkit::workspace::Workspace;

use super::compat;

pub const OLD: &str = "variable \"x\" {\n  type = string\n}\n";
pub const NARROW: &str = "variable \"x\" {\n  type = string\n  validation {\n    condition     = length(var.x) < 3\n    error_message = \"Short.\"\n  }\n}\n";
pub const WIDER: &str = "variable \"x\" {\n  type = any\n}\n";

pub fn repository() -> Workspace {
    let space = Workspace::repository();
    space.write("m/main.tf", OLD);
    space.commit("one");
    space.git(&["tag", "v1.4.2"]);
    space
}

#[test]
fn the_newest_version_tag_is_the_base() {
    let space = repository();
    space.git(&["tag", "other-9.0.0-rc1"]);
    space.write("m/main.tf", NARROW);
    let answer = space.terraschema("compat");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.stdout.contains("error[rule-tightened]"), "{}", answer.stdout);
    let last = "m: major (1 major), next version 2.0.0\nv1.4.2 → the work tree: major\n";
    assert!(answer.stdout.ends_with(last), "{}", answer.stdout);
    space.commit("two");
    space.git(&["tag", "v2.0.0"]);
    assert!(space.terraschema("compat").stdout.ends_with("v2.0.0 → the work tree: none\n"));
    let answer = space.terraschema("compat v2.0.0 v1.4.2");
    assert!(
        answer.stdout.ends_with("m: minor (1 minor), next version 2.1.0\nv2.0.0 → v1.4.2: minor\n")
    );
    assert_eq!(answer.code, 0);
    assert_eq!(space.terraschema("compat v2.0.0 v1.4.2 --fail-on minor").code, 1);
    let elsewhere = space.terraschema("compat --base v1.4.2 --head v2.0.0 -- elsewhere");
    assert_eq!(elsewhere.code, 2);
    assert!(elsewhere.stderr.contains("elsewhere: no module in either version"));
    // Nothing was checked out.
    assert_eq!(space.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_file_of_the_old_state_is_shown_with_its_revision() {
    let space = repository();
    space.write("m/main.tf", "output \"o\" {\n  value = 1\n}\n");
    let answer = space.terraschema("compat v1.4.2 --format concise");
    let line =
        "v1.4.2:m/main.tf:1:1: error[variable-removed] The variable \"x\" was removed: Calls";
    assert!(answer.stdout.contains(line), "{}", answer.stdout);
}

#[test]
fn a_module_that_does_not_parse_fails_where_it_can_be_mended() {
    let space = repository();
    space.write("m/main.tf", "variable \"x\" {\n");
    let answer = space.terraschema("compat v1.4.2");
    assert!(answer.stdout.contains("error[invalid-syntax]"), "{}", answer.stdout);
    assert!(answer.stdout.contains("m: undecided"), "{}", answer.stdout);
    assert_eq!(answer.code, 1);
    space.commit("broken");
    space.git(&["tag", "v1.4.3"]);
    space.write("m/main.tf", OLD);
    let answer = space.terraschema("compat v1.4.3");
    assert!(answer.stdout.contains("warning[invalid-syntax]"), "{}", answer.stdout);
    assert_eq!(answer.code, 0);
}

#[test]
fn what_names_no_state_is_told_with_advice() {
    let space = repository();
    let told = |arguments: &str| {
        let answer = space.terraschema(arguments);
        assert_eq!(answer.code, 2, "{}", answer.text());
        answer.stderr
    };
    assert!(told("compat nowhere").contains("\"nowhere\" is not a revision of this repository"));
    assert!(told("compat ./nowhere").contains("no such directory"));
    space.git(&["branch", "m"]);
    let both = told("compat m");
    assert!(
        both.contains("`--base ./m` for the directory, or `--base m^0` for the revision"),
        "{both}"
    );
    assert_eq!(space.terraschema("compat m^0").code, 0);
    space.git(&["tag", "-d", "v1.4.2"]);
    assert!(
        told("compat")
            .contains("HEAD has no ancestor with a version tag such as v1.2.3: name BASE")
    );
    space.git(&["tag", "a/v1.0.0"]);
    let none = "there are version tags of a, but no module directory has such a name: name BASE, for example";
    assert!(told("compat").contains(none));
    space.git(&["tag", "b-v1.0.0"]);
    space.git(&["tag", "b-v1.1.0"]);
    let none = "there are version tags of a, b, but no module directory has such a name";
    assert!(told("compat").contains(none));
    assert!(told("compat --history").contains(none));
    assert!(told("compat HEAD m --fail-on never").contains("one of major, minor"));
}

#[test]
fn modules_are_removed_added_and_renamed() {
    let space = repository();
    let other =
        "variable \"name\" {\n  type = string\n}\n\nvariable \"size\" {\n  type = number\n}\n";
    space.write("a/main.tf", other);
    space.commit("two");
    space.git(&["mv", "a", "b"]);
    space.remove("m/main.tf").write("new/main.tf", "output \"o\" {\n  value = 1\n}\n");
    let answer = space.terraschema("compat HEAD");
    assert!(answer.stdout.contains("error[module-removed]"), "{}", answer.stdout);
    let end = "m: major (1 major)\nnew: minor (1 minor)\nHEAD → the work tree: major\n";
    assert!(answer.stdout.ends_with(end), "{}", answer.stdout);
    assert!(!answer.stdout.contains("b: m"), "{}", answer.stdout);
}

#[test]
fn a_module_that_does_not_parse_stops_no_other() {
    let space = repository();
    space.write("broken/main.tf", "variable \"x\" {\n");
    space.commit("two");
    space.write("broken/main.tf", OLD).write("m/main.tf", WIDER);
    let answer = space.terraschema("compat HEAD");
    assert!(answer.stdout.contains("HEAD:broken/main.tf:1:"), "{}", answer.stdout);
    assert!(answer.stdout.contains("broken: undecided\nm: minor (1 minor)\n"), "{}", answer.stdout);
}

fn directories(after: &str) -> MemorySystem {
    let system = MemorySystem::new().working_in("/r").file("/r/before/main.tf", OLD);
    system.file("/r/after/main.tf", after)
}

#[test]
fn comments_and_configurations_accept_changes() {
    let (exit, text, _) = compat(&directories(NARROW), "before after");
    assert!(
        exit == Exit::Findings && text.ends_with("after: major (1 major)\nbefore → after: major\n")
    );
    let ignored = NARROW.replace(
        "    condition",
        "    # terraschema:ignore rule-tightened meant so\n    condition",
    );
    let (exit, text, _) = compat(&directories(&ignored), "before after");
    assert_eq!((exit, text.as_str()), (Exit::Clean, "after: none\nbefore → after: none\n"));
    for (setting, exit, level) in [
        // The level says whether the run fails, the bump which version is due.
        ("rule \"rule-tightened\" {\n  level = \"note\"\n}\n", Exit::Clean, "major"),
        ("rule \"rule-tightened\" {\n  bump = \"minor\"\n}\n", Exit::Findings, "minor"),
        (
            "rule \"rule-tightened\" {\n  level = \"note\"\n  bump  = \"patch\"\n}\n",
            Exit::Clean,
            "patch",
        ),
        ("rule \"rule-tightened\" {\n  level = \"off\"\n}\n", Exit::Clean, "none"),
        (
            "ignore \"rule-tightened\" {\n  variable = \"x\"\n  reason   = \"meant so\"\n}\n",
            Exit::Clean,
            "none",
        ),
        (
            "ignore \"rule-tightened\" {\n  variable = \"y\"\n  reason   = \"meant so\"\n}\n",
            Exit::Findings,
            "major",
        ),
    ] {
        let system = directories(NARROW).file("/r/.terraschema.hcl", setting);
        let (found, text, _) = compat(&system, "before after");
        assert_eq!(found, exit, "{setting}{text}");
        assert!(text.ends_with(&format!("before → after: {level}\n")), "{setting}{text}");
    }
    let system = directories(WIDER)
        .file("/r/.terraschema.hcl", "rule \"type-widened\" {\n  level = \"error\"\n}\n");
    let (exit, text, _) = compat(&system, "before after");
    assert!(exit == Exit::Findings && text.ends_with("before → after: minor\n"), "{text}");
    let system = directories(WIDER)
        .file("/r/.terraschema.hcl", "rule \"type-widened\" {\n  bump = \"major\"\n}\n");
    let (exit, text, _) = compat(&system, "before after");
    assert!(exit == Exit::Findings && text.ends_with("before → after: major\n"), "{text}");
    let system = directories(WIDER)
        .file("/r/.terraschema.hcl", "rule \"type-mismatch\" {\n  bump = \"major\"\n}\n");
    let (exit, text, _) = compat(&system, "before after");
    assert!(exit != Exit::Clean && text.contains("invalid-configuration"), "{text}");
}

/// Examples and tests call modules, and nobody calls them.
#[test]
fn examples_and_tests_are_left_out() {
    let space = repository();
    let all = ["examples/a", "test/fixtures/b", "modules/m/tests/c", "testing/d"];
    for dir in all {
        space.write(&format!("{dir}/main.tf"), OLD);
    }
    space.commit("two");
    for dir in all {
        space.write(&format!("{dir}/main.tf"), NARROW);
    }
    let answer = space.terraschema("compat HEAD");
    let end = "testing/d: major (1 major)\nnot compared: examples/a and 2 more: examples and tests are \
               compared only with --examples\nHEAD → the work tree: major\n";
    assert!(answer.stdout.ends_with(end), "{}", answer.text());
    let answer = space.terraschema("compat HEAD --examples");
    for dir in all {
        assert!(answer.stdout.contains(&format!("{dir}: major")), "{}", answer.text());
    }
    assert!(!answer.stdout.contains("not compared"), "{}", answer.text());
    // What is named is wanted.
    let answer = space.terraschema("compat HEAD -- examples/a");
    assert!(answer.stdout.contains("examples/a: major"), "{}", answer.text());
    let report = space.terraschema("compat HEAD --format json").stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let left_out = &report["compat"]["left_out"];
    assert_eq!(left_out.as_array().unwrap().len(), 3, "{left_out}");
    // An example that is gone breaks nobody.
    space.remove("examples/a/main.tf").write("testing/d/main.tf", OLD);
    let answer = space.terraschema("compat HEAD");
    assert_eq!(answer.code, 0, "{}", answer.text());
}

/// The configuration is that of the work tree, whatever is compared, whether it is committed or not.
#[test]
fn the_work_tree_configures_every_comparison() {
    let space = repository();
    space.write("m/main.tf", NARROW);
    space.commit("two");
    space.git(&["tag", "v1.4.3"]);
    let exclude = "modules {\n  exclude = [\"m\"]\n}\n";
    space.write("c.hcl", exclude);
    let unannounced = "v1.4.3   major        patch  !";
    let excluded = "v1.4.3   none         patch";
    let history = |arguments: &str| space.terraschema(&format!("compat --history {arguments}"));
    assert!(history("").stdout.contains(unannounced), "{}", history("").text());
    for is_staged in [false, true] {
        let answer = history("--config c.hcl");
        assert!(answer.stdout.contains(excluded), "{is_staged} {}", answer.text());
        let answer = space.terraschema("compat v1.4.2 v1.4.3 --config c.hcl");
        assert_eq!(answer.code, 0, "{}", answer.text());
        space.git(&["add", "c.hcl"]);
    }
    space.write(".terraschema.hcl", exclude);
    assert!(history("").stdout.contains(excluded), "{}", history("").text());
    assert_eq!(space.terraschema("compat v1.4.2 v1.4.3").code, 0);
    space.write(".terraschema.hcl", "modules {\n  exlude = []\n}\n");
    let answer = history("");
    assert!(
        answer.code != 0 && answer.text().contains("invalid-configuration"),
        "{}",
        answer.text()
    );
}

/// `check` never reports findings of `compat`, so a comment that silences one is not one too many.
#[test]
fn check_leaves_comments_for_compat_alone() {
    let space = repository();
    let ignored = NARROW.replace(
        "    condition",
        "    # terraschema:ignore rule-tightened meant so\n    condition",
    );
    space.write("m/main.tf", ignored);
    let answer = space.terraschema("check");
    assert!(!answer.stdout.contains("unused-suppression"), "{}", answer.stdout);
}

/// The author of a tree can put anything into it.
#[test]
fn hostile_revisions_are_compared() {
    let space = repository();
    let large = format!("# {}\n{OLD}", "x".repeat(200_000));
    space.write("large/main.tf", &large);
    let many: String = (0..2000).map(|at| format!("variable \"v{at}\" {{}}\n")).collect();
    let deep = |inner: &str| {
        let ty = format!("{}{inner}{}", "list(".repeat(120), ")".repeat(120));
        format!("variable \"x\" {{\n  type = {ty}\n}}\n")
    };
    space.write("many/main.tf", &many).write("deep/main.tf", deep("string"));
    #[cfg(unix)]
    {
        std::fs::create_dir(space.path("links")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", space.path("links/main.tf")).unwrap();
        std::os::unix::fs::symlink("../../outside", space.path("links/a.tf")).unwrap();
        std::os::unix::fs::symlink("b.tf", space.path("links/b.tf")).unwrap();
    }
    space.commit("two");
    space.write("large/main.tf", OLD).write("many/main.tf", many.replace("v7\"", "w7\""));
    space.write("deep/main.tf", deep("number"));
    let answer = space.terraschema("compat HEAD --max-file-size 100KiB --format concise");
    assert!(answer.stdout.contains("large/main.tf is too large"), "{}", answer.text());
    assert!(
        answer.stdout.contains("many/main.tf:8:1: error[variable-renamed]"),
        "{}",
        answer.text()
    );
    assert!(answer.stdout.contains("deep/main.tf"), "{}", answer.text());
    assert!(!answer.text().contains("root:"), "{}", answer.text());
}

/// One of many outputs that a comment silences is not counted.
#[test]
fn outputs_that_only_a_plan_knows_are_one_note() {
    let module = |attribute: &str, comment: &str| {
        let output = |at: usize| {
            let comment = if at == 3 { comment } else { "" };
            format!("{comment}output \"o{at}\" {{\n  value = a_b.c.{attribute}\n}}\n")
        };
        OLD.to_owned() + "resource \"a_b\" \"c\" {}\n" + &(0..6).map(output).collect::<String>()
    };
    let told = |comment: &str| {
        let system = MemorySystem::new().working_in("/r");
        let system = system.file("/r/before/main.tf", module("id", ""));
        let system = system.file("/r/after/main.tf", module("arn", comment));
        compat(&system, "before after --format concise").1
    };
    let one = "after/main.tf:5:1: note[undecided-output] The expressions of 6 outputs changed: Only a plan can decide \
               whether their types changed too: \"o0\", \"o1\", \"o2\" and 3 more.";
    assert!(told("").contains(one), "{}", told(""));
    assert_eq!(told("").matches("undecided-output").count(), 1);
    let ignored = told("# terraschema:ignore undecided-output looked at\n");
    assert!(ignored.contains("The expressions of 5 outputs changed"), "{ignored}");
}

#[test]
fn the_report_follows_the_published_schema_and_every_format_tells_it() {
    let schema = std::fs::read_to_string("docs/report.schema.json").unwrap();
    let schema = jsonschema::draft7::new(&serde_json::from_str(&schema).unwrap()).unwrap();
    let (_, text, _) = compat(&directories(NARROW), "before after --format json");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(schema.is_valid(&report), "{:?}", schema.iter_errors(&report).next());
    assert!(
        report["compat"]["modules"][0]["changes"][0]["witness"]
            .as_str()
            .unwrap()
            .starts_with("module")
    );
    for format in ["human", "concise", "sarif", "github", "gitlab", "junit", "markdown"] {
        let (_, text, _) = compat(&directories(NARROW), &format!("before after --format {format}"));
        assert!(text.contains("rule-tightened"), "{format}: {text}");
    }
}

#[test]
fn secrets_are_in_no_output() {
    let secret = |ty: &str| {
        format!(
            "variable \"x\" {{\n  type      = {ty}\n  sensitive = true\n  default   = \"hunter22\"\n  validation {{\n    \
             condition     = var.x != \"hunter33\"\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let before = secret("string");
    let after =
        before.replace("var.x != \"hunter33\"", "length(var.x) < 4").replace("hunter22", "hu2");
    for (before, after) in [
        (before.clone(), after.clone()),
        (before.replace("sensitive = true", "sensitive = false"), after),
    ] {
        for format in ["human", "json", "sarif"] {
            let system = MemorySystem::new().working_in("/r").file("/r/before/main.tf", &before);
            let system = system.file("/r/after/main.tf", &after);
            let (_, text, _) = compat(&system, &format!("before after --format {format}"));
            assert!(text.contains("rule-tightened"), "{text}");
            assert!(!text.contains("hunter22") && !text.contains("hu2"), "{format}: {text}");
        }
    }
}

#[test]
fn tags_and_versions_are_read() {
    let version = |it| version_of_tag(it).map(|(name, version)| format!("{name} {version}"));
    for (tag, expected) in [
        ("v1.2.3", Some(" 1.2.3")),
        ("1.2.3", Some(" 1.2.3")),
        ("network/v1.2.3", Some("network 1.2.3")),
        ("network-1.2.3", Some("network 1.2.3")),
        ("a/b-2.0.10", Some("a/b 2.0.10")),
        ("v1.2", None),
        ("v1.2.3.4", None),
        ("v1.2.3-rc1", None),
        ("v1.2.3-0.3.7", None),
        ("network/v1.2.3-1.0.0", None),
        ("release1.2.3", None),
        ("release-1.2.3", Some(" 1.2.3")),
        ("release/v1.2.3", Some(" 1.2.3")),
        ("network@1.2.3", Some("network 1.2.3")),
        ("network_v1.2.3", Some("network 1.2.3")),
        ("", None),
        ("v1..3", None),
        ("v99999999999.0.0", None),
    ] {
        assert_eq!(version(tag).as_deref(), expected, "{tag}");
    }
    let next = |major, minor, patch, level| {
        next_version(Version::new(major, minor, patch), level).map(|it| it.to_string())
    };
    assert_eq!(next(1, 4, 2, Bump::Major).as_deref(), Some("2.0.0"));
    assert_eq!(next(1, 4, 2, Bump::Minor).as_deref(), Some("1.5.0"));
    assert_eq!(next(1, 4, 2, Bump::Patch).as_deref(), Some("1.4.3"));
    assert_eq!(next(1, 4, 2, Bump::None), None);
    assert_eq!(next(0, 4, 2, Bump::Major).as_deref(), Some("0.5.0"));
    assert_eq!(next(1, 4, 2, Bump::CannotTell), None);
}

/// Terraform 1.11 answers every call with "Cycle", whatever the rules accept.
#[test]
fn rules_that_read_each_other_are_an_error() {
    let module = |x: &str, y: &str| {
        format!(
            "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = var.x != 7{x}\n    error_message = \"No.\"\n  }}\n}}\nvariable \"y\" {{\n  default = 1\n  validation {{\n    condition     = var.y != 7{y}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let before = module("", "");
    let found = super::report(&before, &module(" || var.y != 8", " || var.x != 8"));
    let finding = &found["findings"][0];
    assert_eq!(finding["message"], "Cycle: var.x (validation) -> var.y (validation)", "{found}");
    assert_eq!(finding["level"], "error");
    assert_eq!(found["compat"]["modules"][0]["level"], "cannot-tell");
    let found = super::report(&before, &module(" || var.y != 8", ""));
    assert_eq!(found["compat"]["modules"][0]["level"], "minor", "{found}");
}
