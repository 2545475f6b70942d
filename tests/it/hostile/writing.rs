//! What `--fix` and `--fix-inputs` write, and what they leave alone.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{Hostile, MODULE};

#[test]
fn a_schema_behind_a_linked_directory_is_not_written() {
    for file in ["out/.bashrc", "out/x.json", "out/new/x.json"] {
        let it = Hostile::new();
        it.link("../../home", "m/out");
        it.write(".terraschema.hcl", &format!("schema {{\n  file = \"{file}\"\n}}\n"));
        it.attack();
        let expected = match file {
            "out/.bashrc" => "invalid-configuration .terraschema.hcl:2:10",
            _ => "outside-root m/out:1:1",
        };
        assert_eq!(it.findings(""), [expected], "{file}");
        assert_eq!(it.run("check --fix").code, if file == "out/.bashrc" { 2 } else { 1 });
    }
}

#[test]
fn no_configured_name_leads_into_git_or_to_hidden_names() {
    let names = [
        ".git/hooks/pre-commit.json",
        ".git/x.json",
        ".GIT/x.json",
        "a/.git/x.json",
        "git~1/x.json",
        ".github/x.json",
        "a/.b/x.json",
        "/tmp/x.json",
        "../x.json",
        "a/../../x.json",
        "hook",
        ".git",
        "run.sh",
        "Makefile",
        "main.tf",
        "x.tfvars.json",
        ".x.json",
        "a.JSON",
    ];
    for name in names {
        let it = Hostile::new();
        it.write(".terraschema.hcl", &format!("schema {{\n  file = \"{name}\"\n}}\n"));
        let answer = it.run("check --fix");
        assert_eq!(answer.code, 2, "{name}: {}", answer.text());
        let place = "invalid-configuration .terraschema.hcl:2:10";
        assert_eq!(it.findings("--fix"), [place], "{name}");
        assert!(!it.path("m/schema.json").exists(), "{name}");
    }
    let it = Hostile::new();
    it.write(".terraschema.hcl", "schema {\n  file = \".git/hooks/pre-commit\"\n}\n").attack();
}

#[test]
fn only_schemas_are_replaced() {
    let ours = "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"string\"}";
    let replaced = [
        "",
        " \n",
        "{}",
        ours,
        "{\"properties\": {}}",
        "<<<<<<< HEAD\n{}\n=======\n",
        "{\"properties\":",
        "{\"type\": \"object\", \"properties\": {\"a\": {}, \"b\": true}}",
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"}",
    ];
    let kept = [
        "{\"$schema\": \"https://json.schemastore.org/package\", \"name\": \"x\"}",
        "[]",
        "{\"a\":",
        "not JSON",
        "{\"private_key\": \"x\"}",
        "{\"type\": \"service_account\", \"properties\": {}}",
        "{\"type\": \"Feature\", \"properties\": {\"a\": {}}}",
        "{\"properties\": {\"a\": 1}}",
        "{\"properties\": []}",
        "[1]",
        "1",
        "\"text\"",
        "null",
        "{\"$schema\": 1}",
        "{\"$schema\": \"http://json-schema.org.evil.example/\"}",
        "{\"$schema\": \"x http://json-schema.org/\"}",
    ];
    for (texts, is_replaced) in [(&replaced[..], true), (&kept[..], false)] {
        for text in texts {
            let it = Hostile::new();
            it.write("m/schema.json", text);
            let answer = it.run("check --fix --format concise");
            let now = fs::read_to_string(it.path("m/schema.json")).unwrap();
            if is_replaced {
                assert_eq!(answer.code, 0, "{text}: {}", answer.text());
                assert!(now.contains("\"properties\""), "{text}");
            } else {
                assert_eq!((answer.code, now.as_str()), (1, *text), "{}", answer.text());
                assert_eq!(it.findings("--fix"), ["foreign-schema m/schema.json:1:1"], "{text}");
            }
        }
    }
}

#[test]
fn nothing_is_written_through_links() {
    // Inside of the root a link is read, and not written through.
    let it = Hostile::new();
    it.write("schemas/m.json", "{}").link("../schemas/m.json", "m/schema.json");
    let answer = it.run("check --fix");
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stderr.contains("m/schema.json"), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("terraschema does not write through links"),
        "{}",
        answer.stderr
    );
    assert_eq!(fs::read_to_string(it.path("schemas/m.json")).unwrap(), "{}");
    it.attack();
    // `generate` writes a default name that nobody wrote, also where the link leads to nothing.
    for target in ["../../home/profile", "../schemas/m.json"] {
        let it = Hostile::new();
        it.write("m/main.tf", "variable \"x\" {}\n").write("schemas/m.json", "{}");
        it.link(target, "m/schema.json");
        let answer = it.run_in("m", "generate --overwrite");
        assert_eq!(answer.code, 2, "{}", answer.text());
        assert!(answer.stderr.contains("is a symbolic link"), "{}", answer.stderr);
        assert_eq!(fs::read_to_string(it.path("schemas/m.json")).unwrap(), "{}");
        assert!(!it.path("../home/profile").exists());
    }
    // A values file outside.
    let it = Hostile::new();
    it.link("../../home/x.tfvars", "m/prod.tfvars").attack();
    assert!(it.findings("").contains(&"outside-root m/prod.tfvars:1:1".to_owned()));
    // One inside is fixed where it is, and not through the link.
    let it = Hostile::new();
    it.write("values/x.tfvars", "x = { b = 1 }\n").link("../values/x.tfvars", "m/prod.tfvars");
    let answer = it.run("check --fix-inputs");
    assert_ne!(answer.code, 0);
    assert_eq!(fs::read_to_string(it.path("values/x.tfvars")).unwrap(), "x = { b = 1 }\n");
}

#[test]
fn modes_are_kept_and_never_widened() {
    for (old, new) in [(0o755, 0o644), (0o600, 0o600), (0o640, 0o640), (0o4755, 0o644)] {
        let it = Hostile::new();
        it.write("m/schema.json", "{}");
        let path = it.path("m/schema.json");
        fs::set_permissions(&path, fs::Permissions::from_mode(old)).unwrap();
        assert_eq!(it.run("check --fix").code, 0);
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode, new, "{old:o} becomes {mode:o}");
    }
    for read_only in [0o444, 0o400, 0o555] {
        let it = Hostile::new();
        it.write("m/schema.json", "{}");
        let path = it.path("m/schema.json");
        fs::set_permissions(&path, fs::Permissions::from_mode(read_only)).unwrap();
        assert_eq!(it.run("check --fix").code, 2, "{read_only:o}");
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode, fs::read(&path).unwrap()), (read_only, b"{}".to_vec()));
    }
    let it = Hostile::new();
    let mut command = super::isolated("sh", &it.path(""));
    command.args(["-c", &format!("umask 027; exec '{}' check --fix", super::binary())]);
    assert!(command.output().unwrap().status.success());
    let mode = fs::metadata(it.path("m/schema.json")).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode, 0o640, "a new file follows the umask");
}

#[test]
fn no_file_of_the_tree_silences_what_was_not_looked_at() {
    let it = Hostile::new();
    it.link("/etc/hosts", "m/prod.tfvars").link("/etc/hosts", "m/more.tf");
    it.write(
        ".terraschema.hcl",
        "rule \"outside-root\" {\n  level = \"off\"\n}\nignore \"outside-root\" {\n  reason = \"quiet\"\n}\n",
    );
    it.write("m/main.tf", &format!("# terraschema:ignore outside-root quiet\n{MODULE}"));
    let found = it.findings("");
    assert!(found.contains(&"outside-root m/more.tf:1:1".to_owned()), "{found:?}");
    fs::remove_file(it.path("m/more.tf")).unwrap();
    let found = it.findings("");
    assert!(found.contains(&"outside-root m/prod.tfvars:1:1".to_owned()), "{found:?}");
}
