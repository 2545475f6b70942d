//! Tests of `contract` blocks, of `calls` and of `--initialised`: what a configuration says about calls.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use config::{Config, Configurations, Settings};
use system::{MemorySystem, System};
use terraschema::{Console, run};
use testkit::workspace::Workspace;

const VPC: &str = "contract \"terraform-aws-modules/vpc/aws\" {\n  version = \"~> 5.0\"\n  path    = \"contracts/vpc\"\n}\n";

fn settings(system: &dyn System, dir: &str) -> Settings {
    let configurations = Configurations::new(system, Config::default(), None).unwrap();
    let settings = configurations.settings(Path::new(dir));
    assert!(configurations.problems().is_empty(), "{:?}", configurations.problems());
    settings
}

/// A tree in which `contract` blocks of a file lead to directories that exist.
fn with(configuration: &str) -> MemorySystem {
    let mut system = MemorySystem::new().file("/.terraschema.hcl", configuration);
    for dir in ["vpc", "old", "new", "inner", "git"] {
        system = system.file(format!("/contracts/{dir}/main.tf"), "");
    }
    system
}

fn found(system: &MemorySystem, source: &str, version: Option<&str>) -> Option<String> {
    let found: Option<PathBuf> = settings(system, "/live").contract(source, version);
    found.map(|it| it.to_str().unwrap().to_owned())
}

#[test]
fn two_spellings_of_one_source_are_one() {
    let of =
        |label: &str| with(&format!("contract \"{label}\" {{\n  path = \"contracts/git\"\n}}\n"));
    let registry = [
        "terraform-aws-modules/vpc/aws",
        "registry.terraform.io/terraform-aws-modules/vpc/aws",
        "Registry.OpenTofu.org/terraform-aws-modules/vpc/aws",
    ];
    let private = ["app.example.com/org/vpc/aws", "APP.example.com/org/vpc/aws"];
    let git = [
        "github.com/org/vpc",
        "git::https://github.com/org/vpc.git",
        "git::https://github.com/org/vpc.git?ref=v1.0.0",
        "git@github.com:org/vpc.git",
        "git::ssh://git@github.com/org/vpc.git?depth=1&ref=main",
        "git::https://user@GitHub.com/org/vpc",
    ];
    let archive = ["https://example.com/vpc.zip", "https::https://example.com/vpc.zip"];
    let groups = [&registry[..], &private, &git, &archive];
    for (at, group) in groups.iter().enumerate() {
        for label in group.iter().filter(|it| !it.contains("ref=")) {
            let system = of(label);
            for (other, sources) in groups.iter().enumerate() {
                for source in *sources {
                    let expected = (at == other).then_some("/contracts/git");
                    assert_eq!(
                        found(&system, source, None).as_deref(),
                        expected,
                        "{label} {source}"
                    );
                }
            }
        }
    }
    let system = of("https://example.com/vpc?archive=zip");
    assert_eq!(found(&system, "https://example.com/vpc?archive=tgz", None), None);
    assert_eq!(found(&system, "https://example.com/vpc", None), None);
    for local in ["./vpc", "../vpc", "/vpc", "", "vpc", "terraform-aws-modules/vpc"] {
        assert_eq!(found(&of("terraform-aws-modules/vpc/aws"), local, None), None, "{local}");
    }
}

#[test]
fn a_subdirectory_is_below_the_path() {
    let system = with(
        "contract \"org/vpc/aws\" {\n  path = \"contracts/vpc\"\n}\n\
         contract \"org/vpc/aws//modules/inner\" {\n  path = \"contracts/inner\"\n}\n\
         contract \"github.com/org/vpc\" {\n  path = \"contracts/git\"\n}\n",
    );
    let cases = [
        ("org/vpc/aws", "/contracts/vpc"),
        ("org/vpc/aws//modules/x", "/contracts/vpc/modules/x"),
        ("org/vpc/aws//modules/inner", "/contracts/inner"),
        ("org/vpc/aws//modules/inner/x", "/contracts/inner/x"),
        ("org/vpc/aws//modules/inner-2", "/contracts/vpc/modules/inner-2"),
        ("git::https://github.com/org/vpc.git//modules/x?ref=v1", "/contracts/git/modules/x"),
        ("github.com/org/vpc/modules/x", "/contracts/git/modules/x"),
        // Four names, and still no module of a registry.
        ("github.com/org/vpc/x", "/contracts/git/x"),
    ];
    for (source, expected) in cases {
        assert_eq!(found(&system, source, None).as_deref(), Some(expected), "{source}");
    }
    assert_eq!(found(&system, "org/vpc/aws//../x", None), None);
}

#[test]
fn a_contract_serves_calls_that_one_of_its_releases_meets() {
    let system = with(VPC);
    let serves = ["5.0.0", "~> 5.0", "~> 5.1.2", ">= 5.0, < 6.0", ">= 3.0", "< 5.0.1", "!= 5.0.0"];
    for version in serves {
        let found = found(&system, "terraform-aws-modules/vpc/aws", Some(version));
        assert_eq!(found.as_deref(), Some("/contracts/vpc"), "{version}");
    }
    for version in ["4.9.9", "~> 4.0", "6.0.0", "< 5.0", "> 5.0, < 5.0.1", "new"] {
        let found = found(&system, "terraform-aws-modules/vpc/aws", Some(version));
        assert_eq!(found, None, "{version}");
    }
    assert!(found(&system, "terraform-aws-modules/vpc/aws", None).is_some(), "the newest release");
    let all = with("contract \"org/vpc/aws\" {\n  path = \"contracts/vpc\"\n}\n");
    assert!(found(&all, "org/vpc/aws", Some("0.0.1")).is_some(), "no version is all");
}

#[test]
fn the_release_of_a_repository_is_its_ref() {
    let system = with(
        "contract \"git::https://example.com/vpc.git\" {\n  version = \"~> 5.0\"\n  path = \"contracts/git\"\n}\n",
    );
    let found = |it: &str| found(&system, &format!("git::https://example.com/vpc.git{it}"), None);
    for served in
        ["", "?ref=v5.1.0", "?ref=5.1.0", "?ref=main", "?ref=51b2d3e", "?depth=1&ref=v5.0.1"]
    {
        assert!(found(served).is_some(), "{served}");
    }
    for not in ["?ref=v4.0.0", "?ref=6.0.0", "?depth=1&ref=v6.0.1"] {
        assert_eq!(found(not), None, "{not}");
    }
}

#[test]
fn the_first_contract_that_serves_counts_of_the_nearest_file() {
    let block = |version: &str, path: &str| {
        format!("contract \"org/vpc/aws\" {{\n  version = \"{version}\"\n  path = \"{path}\"\n}}\n")
    };
    let both = block("~> 6.0", "contracts/new") + &block("~> 5.0", "contracts/old");
    let system = with(&both)
        .file("/live/.terraschema.hcl", block("5.1.0", "../contracts/vpc"))
        .file("/other/main.tf", "");
    let of = |dir: &str, version: &str| {
        let found = settings(&system, dir).contract("org/vpc/aws", Some(version));
        found.map(|it| it.to_str().unwrap().to_owned())
    };
    assert_eq!(of("/other", ">= 5.0").as_deref(), Some("/contracts/new"));
    assert_eq!(of("/other", "~> 5.0").as_deref(), Some("/contracts/old"));
    assert_eq!(of("/live/a", "~> 5.0").as_deref(), Some("/contracts/vpc"));
    assert_eq!(of("/live/a", "5.2.0").as_deref(), Some("/contracts/old"));
    assert_eq!(of("/live/a", "7.0.0"), None);
}

/// What `check` says about a configuration, in lines, without the modules.
fn problems(text: &str) -> String {
    let system = with(text).file("/a/main.tf", "variable \"x\" {}\n").file("/file", "");
    let words = ["terraschema", "check", "--format", "concise"].map(OsString::from);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words.to_vec(), &system, &mut console);
    drop(console);
    assert_eq!(exit.code(), 2, "{text}");
    String::from_utf8(stdout).unwrap()
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let block = |inside: &str| format!("contract \"org/vpc/aws\" {{\n  {inside}\n}}\n");
    let cases = [
        (
            block("path = \"contracts/vpc\"\n  verson = \"1\""),
            "3:3",
            "Supported here: path, version.",
        ),
        (block("path = []"), "2:10", "Unsuitable value for \"path\""),
        (block("version = \"~> 5.0\""), "1:1", "The block \"contract\" needs \"path\""),
        (block("path = \"\""), "1:1", "The block \"contract\" needs \"path\""),
        (
            block("path = \"contracts/none\""),
            "2:10",
            "the directory \"contracts/none\" does not exist",
        ),
        (block("path = \"file\""), "2:10", "\"file\" is not a directory"),
        (block("path = \"/contracts/vpc\""), "2:10", "a relative path is expected"),
        (block("path = \".terraform/vpc\""), "2:10", "a path without hidden names"),
        (block("path = \"contracts/vpc\"\n  version = \"new\""), "3:13", "such as \"~> 5.0\""),
        (block("path = \"contracts/vpc\"\n  version = 5.0"), "3:13", "write it in quotes"),
        (block("path = var.x"), "2:10", ""),
        ("contract {\n  path = \"contracts/vpc\"\n}\n".to_owned(), "1:1", "takes one label"),
        (
            "contract \"../vpc\" {\n  path = \"file\"\n}\n".to_owned(),
            "1:10",
            "is not a module source",
        ),
        (
            "contract \"github.com/o/r?ref=v1\" {\n  path = \"contracts/vpc\"\n}\n".to_owned(),
            "1:10",
            "Leave out",
        ),
        ("contracts {\n}\n".to_owned(), "1:1", "Unknown block \"contracts\""),
        ("calls = \"no\"\n".to_owned(), "1:9", "Unsuitable value for \"calls\""),
        ("initialised = true\n".to_owned(), "1:1", "Unknown argument \"initialised\""),
    ];
    for (text, place, part) in cases {
        let told = problems(&text);
        assert!(told.contains(&format!("{place}: error[invalid-configuration]")), "{text}{told}");
        assert!(told.contains(part), "{text}{told}");
    }
}

#[test]
fn a_contract_that_serves_no_call_is_not_reported() {
    let system = with(VPC).file("/live/main.tf", "module \"m\" {\n  source = \"./m\"\n}\n");
    let system = system.file("/live/m/main.tf", "locals {\n  a = 1\n}\n").working_in("/");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema", "check", "--format=concise", "-v"].map(OsString::from);
    run(arguments.into(), &system, &mut console);
    drop(console);
    assert_eq!(String::from_utf8(stdout).unwrap(), "");
}

#[test]
fn a_contract_lies_inside_of_the_root() {
    let it = Workspace::repository();
    it.write("inner/m/main.tf", "variable \"x\" {}\n").write("contracts/vpc/main.tf", "");
    let block = |path: &str| format!("contract \"org/vpc/aws\" {{\n  path = \"{path}\"\n}}\n");
    it.write("inner/.terraschema.hcl", block("../contracts/vpc"));
    assert_eq!(it.terraschema("check --fix").code, 0);
    assert_eq!(it.terraschema_in("inner", "check").code, 0);
    it.write("inner/.terraschema.hcl", block("../../outside"));
    let answer = it.terraschema("check --format concise");
    assert_eq!(answer.code, 2, "{}", answer.text());
    let told = "inner/.terraschema.hcl:2:10: error[invalid-configuration]";
    assert!(answer.stdout.starts_with(told), "{}", answer.text());
    it.write("inner/.terraschema.hcl", block("../contracts/vpc"));
    let answer = it.terraschema("check --format concise --root inner");
    assert_eq!(answer.code, 2, "{}", answer.text());
}

#[test]
fn calls_are_judged_where_nothing_else_is_said() {
    let system = MemorySystem::new()
        .file("/a/.terraschema.hcl", "calls = false\n")
        .file("/a/b/.terraschema.hcl", "calls = true\n");
    let calls = |dir: &str| settings(&system, dir).calls;
    assert_eq!([calls("/"), calls("/a"), calls("/a/b")], [true, false, true]);
    let mut flags = Config::default();
    (flags.calls, flags.initialised) = (Some(false), true);
    let configurations = Configurations::new(&system, flags, None).unwrap();
    let settings = configurations.settings(Path::new("/a/b"));
    assert_eq!((settings.calls, settings.initialised), (false, true));
    assert!(!Settings::default().initialised);
}
