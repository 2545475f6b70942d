//! The picture on the first page of the documentation shows what the command prints. `UPDATE=1` redraws
//! it. (`tests/it/commands.rs` compares the text in the README.)

use std::fs;

use testkit::workspace::{Answer, Workspace, binary, isolated};

const PICTURE: &str = "docs/check.svg";
/// The findings that are shown, out of all those of the example.
const SHOWN: [&str; 3] = ["The name is too short.", "has no attribute", "A port is a number"];

/// What `check examples/broken` prints, finding by finding.
fn findings(color: &str) -> Vec<String> {
    let it = Workspace::new();
    for name in ["broken.tfvars.json", "variables.tf", "versions.tf", "schema.json"] {
        let from = format!("examples/broken/{name}");
        it.write(&from, fs::read(&from).unwrap());
    }
    let mut command = isolated(binary(), &it.path(""));
    let answer = command.args(["check", "examples/broken", "--color", color]).output().unwrap();
    let answer = Answer::new(answer);
    assert_eq!(answer.code, 1, "{}", answer.text());
    let shown = |finding: &&str| SHOWN.iter().any(|it| finding.contains(it));
    answer.stdout.split("\n\n").filter(shown).map(str::to_owned).collect()
}

#[test]
fn the_picture_is_what_the_command_prints() {
    let mut text = "$ terraschema check examples/broken\n".to_owned();
    text += &findings("always").join("\n\n");
    let drawn = anstyle_svg::Term::new().render_svg(&text);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(PICTURE, &drawn).unwrap();
    }
    let committed = fs::read_to_string(PICTURE).unwrap_or_default();
    assert!(committed == drawn, "{PICTURE} shows something else; UPDATE=1 redraws it");
}

#[test]
fn the_documentation_starts_with_the_picture() {
    assert_eq!(findings("never").len(), SHOWN.len());
    let page = fs::read_to_string("docs/README.md").unwrap();
    let lead = page.find("(check.svg)").expect("docs/README.md shows the picture");
    assert!(lead < page.find("\n## ").unwrap(), "the picture comes first");
}

/// The first command of the README shows a finding.
#[test]
fn the_readme_starts_with_a_finding() {
    let readme = fs::read_to_string("README.md").unwrap();
    let (first, _) = readme.split_once("\n## ").unwrap();
    assert!(first.contains(" check examples/quickstart "), "{first}");
    assert!(first.contains("\nerror[failed-validation]: "), "{first}");
    assert!(readme.lines().count() <= 100, "{} lines", readme.lines().count());
}
