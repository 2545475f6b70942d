//! Paths as they come: blanks, Unicode, links and loops, line ends, letter case.
#![cfg(unix)]
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::os::unix::fs::symlink;

use testkit::workspace::Workspace;

const X: &str = "variable \"x\" {\n  type = string\n}\n";

#[test]
fn names_with_blanks_and_unicode() {
    let it = Workspace::repository();
    let names = ["a b", "ä/日本語", "e\u{301}", "quote'\"", "#[x]{y}", "$HOME", "-dash"];
    for name in names {
        it.write(&format!("{name}/main.tf"), X).write(&format!("{name}/p q.tfvars"), "x = []\n");
    }
    it.write(
        ".terraschema.hcl",
        "rule \"type-mismatch\" {\n  level = \"off\"\n  paths = [\"ä/*\"]\n}\n",
    );
    let answer = it.terraschema("check --fix --format concise");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert_eq!(answer.stdout.lines().count(), names.len() - 1, "{}", answer.stdout);
    for name in names {
        assert!(it.path(&format!("{name}/schema.json")).exists(), "{name}");
    }
    it.git(&["add", "-A"]);
    let staged = it.terraschema("check --staged --format concise");
    assert_eq!(staged.stdout, it.terraschema("check --format concise").stdout);
}

#[test]
fn links_are_followed_where_they_are_named_and_not_walked() {
    let it = Workspace::repository();
    it.write("real/main.tf", X).write("shared/more.tf", "variable \"y\" {\n  default = 1\n}\n");
    symlink("../shared/more.tf", it.path("real/more.tf")).unwrap();
    symlink("real", it.path("alias")).unwrap();
    symlink("..", it.path("real/loop")).unwrap();
    let answer = it.terraschema("check --fix");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert!(it.read("real/schema.json").contains("\"y\""), "a linked file counts");
    assert_eq!(it.terraschema("check alias").code, 0);
    it.write("real/schema.json", "{}");
    let answer = it.terraschema("check alias --format concise");
    assert_eq!(answer.code, 1, "{}", answer.text());
    assert!(answer.stdout.contains("stale-schema"), "{}", answer.text());
}

#[test]
fn links_to_nothing_and_to_themselves_are_clear_errors() {
    for target in ["nothing.tf", "main.tf"] {
        let it = Workspace::new();
        std::fs::create_dir(it.path("m")).unwrap();
        symlink(target, it.path("m/main.tf")).unwrap();
        let answer = it.terraschema("check --format concise");
        assert_eq!(answer.code, 2, "{target}: {}", answer.text());
        assert!(answer.text().contains("m/main.tf"), "{target}: {}", answer.text());
    }
}

#[test]
fn the_index_follows_its_own_links() {
    let it = Workspace::repository();
    it.write("m/main.tf", X).write("shared/more.tf", "variable \"y\" {\n  type = string\n}\n");
    symlink("../shared/more.tf", it.path("m/more.tf")).unwrap();
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.git(&["add", "-A"]);
    it.write("shared/more.tf", "nonsense {");
    let answer = it.terraschema("check --staged");
    assert_eq!(answer.code, 0, "an unstaged edit of what a link leads to: {}", answer.text());
    symlink("self.tf", it.path("m/self.tf")).unwrap();
    it.git(&["add", "m/self.tf"]);
    assert_eq!(it.terraschema("check --staged").code, 2);
}

#[test]
fn a_linked_schema_is_read_and_not_written() {
    let it = Workspace::new();
    it.write("m/main.tf", X).write("n/main.tf", X).write("schemas/m.json", "{}");
    assert_eq!(it.terraschema("check --fix n").code, 0);
    symlink("../schemas/m.json", it.path("m/schema.json")).unwrap();
    let answer = it.terraschema("check --fix");
    assert_eq!((answer.code, it.read("schemas/m.json").as_str()), (2, "{}"), "{}", answer.text());
    assert!(
        answer.stderr.contains("terraschema does not write through links"),
        "{}",
        answer.stderr
    );
    it.write("schemas/m.json", it.read("n/schema.json"));
    assert_eq!(it.terraschema("check").code, 0);
}

#[test]
fn line_ends_do_not_count() {
    let it = Workspace::new();
    it.write("m/main.tf", X.replace('\n', "\r\n")).write("m/p.tfvars", "x = \"\"\r\n");
    assert_eq!(it.terraschema("check --fix").code, 0);
    it.write("m/schema.json", it.read("m/schema.json").replace('\n', "\r\n"));
    it.write(".terraschema.hcl", "modules {\r\n  include = [\"m\"]\r\n}\r\n");
    assert_eq!(it.terraschema("check").code, 0);
}

#[test]
fn letter_case_counts_as_in_terraform() {
    let it = Workspace::new();
    it.write("m/main.tf", X).write("m/OTHER.TF", "nonsense {").write("m/P.TFVARS", "nonsense {");
    assert_eq!(it.terraschema("check --fix").code, 0, "only `.tf` and `.tfvars` are Terraform's");
    assert_eq!(it.terraschema("check").code, 0);
}

#[test]
#[cfg(unix)]
fn names_cannot_speak_to_a_terminal_and_stay_on_their_line() {
    let it = Workspace::new();
    it.write("a\x1b[2J\nb/main.tf", "variable \"x\" {}\n");
    for format in ["concise", "human", "human --color always"] {
        let text = it.terraschema(&format!("check --format {format}")).stdout;
        assert!(!text.contains("\x1b[2J") && !text.contains("\nb/"), "{text:?}");
        assert!(text.contains(r"a\u{1b}[2J\u{a}b/main.tf"), "{text:?}");
    }
    let concise = it.terraschema("check --format concise").stdout;
    assert_eq!(concise.lines().count(), 1, "{concise:?}");
    let written = it.terraschema("check --fix").stdout;
    assert!(!written.contains('\x1b'), "{written:?}");
}
