//! The parts of a release that can be made here: archives and notes. (`tests/outside/wheel.rs` makes the wheel.)
#![cfg(unix)]

use std::fs;

use report::TOOL_VERSION;
use testkit::workspace::{Answer, Workspace, binary, isolated};

fn script(name: &str, arguments: &[&str]) -> Answer {
    let mut command = isolated(format!("scripts/{name}"), ".".as_ref());
    Answer::new(command.args(arguments).output().unwrap())
}

#[test]
fn an_archive_holds_the_command_and_what_belongs_to_it() {
    let it = Workspace::new();
    let out = it.path("out");
    let out = out.to_str().unwrap();
    assert_eq!(script("release-archive", &[out, "x86_64-unknown-linux-musl", binary()]).code, 0);
    let name = "terraschema-x86_64-unknown-linux-musl";
    let mut check = isolated("sha256sum", &it.path("out"));
    let check = Answer::new(check.args(["-c", &format!("{name}.tar.gz.sha256")]).output().unwrap());
    assert_eq!(check.code, 0, "{}", check.text());
    let unpacked =
        isolated("tar", &it.path("out")).args(["-xzf", &format!("{name}.tar.gz")]).status();
    assert!(unpacked.unwrap().success());
    for file in ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
        assert!(it.path(&format!("out/{name}/{file}")).is_file(), "{file}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(it.read(&format!("out/{name}/completions/terraschema.{shell}")).contains("check"));
    }
    assert!(it.read(&format!("out/{name}/terraschema.1")).contains(".TH"));
    let commands = it.terraschema("man").stdout;
    let commands = commands.lines().filter_map(|it| it.strip_prefix(".SH \"TERRASCHEMA "));
    for words in commands.map(|it| it.trim_end_matches('"').to_lowercase()) {
        // `policy test` is documented on the page of `policy`.
        let command = words.split(' ').next().unwrap();
        let page = it.read(&format!("out/{name}/terraschema-{command}.1"));
        let title = format!(".TH TERRASCHEMA-{} 1", command.to_uppercase());
        assert!(page.contains(&title), "{command}: {page}");
        let section = format!("TERRASCHEMA {}", words.to_uppercase());
        assert!(command == words || page.contains(&section), "{words}: {page}");
    }
    let mut command = isolated(it.path(&format!("out/{name}/terraschema")), &it.path(""));
    let version = Answer::new(command.arg("--version").output().unwrap());
    assert_eq!(version.stdout, format!("terraschema {TOOL_VERSION}\n"));
}

#[test]
fn release_notes_are_a_section_of_the_changelog() {
    let notes = script("release-notes", &["Unreleased"]);
    assert_eq!(notes.code, 0);
    assert!(
        notes.stdout.starts_with("### ") && !notes.stdout.contains("\n## "),
        "{}",
        notes.text()
    );
    assert_eq!(script("release-notes", &["99.0.0"]).code, 1);
}

#[test]
fn the_versions_agree() {
    let page = fs::read_to_string("docs/ci.md").unwrap();
    for (at, pin) in page.match_indices("pip install terraschema==") {
        let version = &page[at + pin.len()..];
        assert!(version.starts_with(TOOL_VERSION), "docs/ci.md names another version");
    }
    let workflow = fs::read_to_string(".github/workflows/release.yml").unwrap();
    let tools = fs::read_to_string("tests/consumers/requirements.txt").unwrap();
    let maturin = tools.lines().find(|it| it.starts_with("maturin")).unwrap();
    assert!(
        workflow.contains(&format!("pip install {maturin}")),
        "the release uses the tested one"
    );
}

/// Who builds waits for the build, who downloads does not: only what is handed out is built whole.
#[test]
fn what_is_handed_out_is_built_whole_and_nothing_else() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let profile = |name: &str| {
        let (_, rest) = manifest.split_once(&format!("[profile.{name}]\n")).unwrap();
        rest.split("\n[").next().unwrap().lines().collect::<Vec<_>>()
    };
    let (release, dist) = (profile("release"), profile("dist"));
    for setting in ["inherits = \"release\"", "lto = \"fat\"", "codegen-units = 1"] {
        assert!(dist.contains(&setting), "{setting} is missing in the profile dist");
    }
    let slow = |it: &&&str| it.starts_with("lto") || it.starts_with("codegen-units");
    assert_eq!(release.iter().find(slow), None, "the profile release builds long");
    let handing_out = [".github/workflows/release.yml", "scripts/tflint-assets"];
    let building = ["cargo build", "maturin build"];
    for file in handing_out {
        let text = fs::read_to_string(file).unwrap();
        let builds: Vec<&str> =
            text.lines().filter(|line| building.iter().any(|it| line.contains(it))).collect();
        assert!(!builds.is_empty(), "{file} builds nothing");
        for line in builds {
            assert!(line.contains("--profile dist"), "{file}: {line}");
        }
        assert!(!text.contains("/release/terraschema"), "{file} takes another build's file");
    }
    let ours = ["hooks/install.sh", "README.md", "action.yml", ".pre-commit-hooks.yaml"];
    for file in ours {
        let text = fs::read_to_string(file).unwrap();
        let is_long = ["profile dist", "profile=dist"].iter().any(|it| text.contains(it));
        assert!(!is_long, "{file} waits for a long build");
    }
}
