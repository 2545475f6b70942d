//! What the README leads with is what the command prints: a picture, and the same as text. `UPDATE=1`
//! rewrites the picture.

use std::fs;

use crate::workspace::{Answer, Workspace, binary, isolated};

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
    assert!(committed == drawn, "{PICTURE} shows something else; UPDATE=1 draws it anew");
}

#[test]
fn the_text_is_what_the_command_prints() {
    let readme = fs::read_to_string("README.md").unwrap();
    let findings = findings("never");
    assert_eq!(findings.len(), SHOWN.len());
    let first = findings[0].trim_end();
    assert!(
        readme.contains(&format!("```text\n{first}\n```")),
        "README.md does not show:\n{first}"
    );
    let lead = readme.find(PICTURE).expect("README.md shows the picture");
    assert!(lead < readme.find("\n## ").unwrap(), "the picture comes first");
}
