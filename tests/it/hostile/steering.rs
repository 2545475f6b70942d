//! Trees that would steer git, or what is taken for git's: which repository it is, what it ignores, what may be
//! replaced.

use std::fs;

use testkit::workspace::isolated;

use super::{Hostile, SECRET};

/// A repository of its own in a directory of the tree, whose files anybody can commit: the work tree and further
/// configuration lie outside.
fn with_embedded(configuration: &str) -> Hostile {
    let it = Hostile::new();
    let other = it.outside("embedded");
    let mut init = isolated("git", &it.outside(""));
    assert!(init.args(["init", "-q", "-b", "main", "embedded"]).status().unwrap().success());
    fs::create_dir_all(it.path("sub")).unwrap();
    for name in ["HEAD", "config", "objects", "refs"] {
        fs::rename(other.join(".git").join(name), it.path("sub").join(name)).unwrap();
    }
    let home = it.outside("home").display().to_string();
    let configuration = configuration.replace("HOME", &home);
    let core = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
    it.write("sub/config", &format!("{core}{configuration}"));
    it.write("sub/main.tf", "variable \"s\" {\n  type = number\n}\n");
    it.git(&["add", "-A", "-f"]);
    it
}

#[test]
fn a_directory_that_looks_like_a_repository_is_a_directory() {
    for configuration in [
        "\tworktree = HOME\n",
        "\tworktree = /\n",
        "[include]\n\tpath = HOME/.bashrc\n",
        "\tfsmonitor = \"echo S3CR3T-outside >&2\"\n\thooksPath = HOME\n",
        "\tbare = true\n",
        "",
    ] {
        let it = with_embedded(configuration);
        for command in ["check --changed", "check --staged", "check", "check --hook main.tf"] {
            let answer = it.run_in("sub", &format!("{command} --format concise"));
            let text = answer.text();
            assert_eq!(answer.code, 1, "{configuration}: {command}: {text}");
            let found = "main.tf:1:1: error[missing-schema]";
            assert!(answer.stdout.contains(found), "{configuration}: {command}: {text}");
            assert!(!text.contains(SECRET) && !text.contains("../home"), "{command}: {text}");
        }
    }
}

/// A configuration that a stranger wrote names the file that a person keeps next to a module.
#[test]
fn no_file_of_a_person_is_replaced_by_a_schema() {
    for text in [
        "{\"type\": \"service_account\", \"private_key\": \"S3CR3T-outside\"}\n",
        "{\"properties\": {\"private_key\": {}}, \"S3CR3T-outside\": 1}\n",
        "S3CR3T-outside \"properties\": json-schema.org/\n",
    ] {
        let it = Hostile::new();
        it.write(".gitignore", "account.json\n").write("m/account.json", text);
        it.write(".terraschema.hcl", "schema {\n  file = \"account.json\"\n}\n");
        it.git(&["add", "-A"]);
        for command in
            ["check --fix", "check --hook --fix m/main.tf", "check --fix -v --format json"]
        {
            let answer = it.run(command);
            assert_eq!(answer.code, 1, "{command}: {}", answer.text());
            assert!(answer.text().contains("foreign-schema"), "{command}: {}", answer.text());
            assert!(!answer.text().contains(SECRET), "{command}: {}", answer.text());
            assert_eq!(fs::read_to_string(it.path("m/account.json")).unwrap(), text, "{command}");
        }
    }
    // A schema that git ignores is one by its `$schema`.
    let it = Hostile::new();
    it.write(".gitignore", "schema.json\n");
    assert_eq!(it.run("check --fix").code, 0);
    it.write("m/main.tf", "variable \"y\" {\n  type = number\n}\n");
    assert_eq!(it.run("check --fix").code, 0);
    assert!(fs::read_to_string(it.path("m/schema.json")).unwrap().contains("\"y\""));
}

/// Each pattern with a sign in its middle takes a thousand times its bytes.
#[test]
fn patterns_of_ignored_files_are_bounded() {
    let it = Hostile::new();
    let patterns: String = (0..30_000).map(|n| format!("**/*a{n}d*b*/**\n")).collect();
    it.write(".gitignore", &format!("ignored/\n{patterns}late/\n"));
    it.write("ignored/main.tf", "variable \"x\" {}\n").write("late/main.tf", "variable \"x\" {}\n");
    let answer = it.run("check --format concise");
    let text = answer.text();
    assert_eq!(answer.code, 2, "{text}");
    assert!(
        text.contains(".gitignore:1:1: error[budget-exceeded] .gitignore has too many patterns"),
        "{text}"
    );
    assert!(text.contains("late/main.tf") && !text.contains("ignored/main.tf"), "{text}");
    // Many names cause no trouble.
    let names: String = (0..30_000).map(|n| format!("directory-{n}/\n*.ending{n}\n")).collect();
    it.write(".gitignore", &format!("{names}late/\n"));
    let text = it.run("check --format concise").text();
    assert!(!text.contains("late/main.tf") && !text.contains("too many patterns"), "{text}");
    assert!(text.contains("ignored/main.tf"), "{text}");
}
