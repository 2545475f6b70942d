//! `workspaceFolders` and `workspace/didChangeWorkspaceFolders`
//!
//! Outside of a repository the nearest folder of the workspace is what a file may read, and without one its own
//! directory.

use testkit::client::Client;

const CALLED: &str = "variable \"a\" {\n  type = number\n}\n";
const CALL: &str = "module \"m\" {\n  source = \"../m\"\n  a      = \"many\"\n}\n";

/// Two folders and a third place, each with a caller and its module.
const FILES: [(&str, &str); 6] = [
    ("one/r/main.tf", CALL),
    ("one/m/main.tf", CALLED),
    ("two/r/main.tf", CALL),
    ("two/m/main.tf", CALLED),
    ("away/r/main.tf", CALL),
    ("away/m/main.tf", CALLED),
];

fn is_judged(client: &Client, name: &str) -> bool {
    client.pushed(name).iter().any(|it| it.contains("error[type-mismatch]"))
}

#[test]
fn each_folder_of_a_workspace_is_read() {
    let mut client = Client::of_folders(&FILES, &["one", "two"]);
    for (name, expected) in
        [("one/r/main.tf", true), ("two/r/main.tf", true), ("away/r/main.tf", false)]
    {
        client.open(name);
        client.diagnostics(name);
        assert_eq!(is_judged(&client, name), expected, "{name}");
    }
}

#[test]
fn folders_come_and_go() {
    let mut client = Client::of_folders(&FILES, &["one"]);
    for name in ["one/r/main.tf", "two/r/main.tf", "away/r/main.tf"] {
        client.open(name);
        client.diagnostics(name);
    }
    assert!(is_judged(&client, "one/r/main.tf") && !is_judged(&client, "two/r/main.tf"));
    client.change_folders(&["two", "away"], &[]);
    client.until(|it| is_judged(it, "two/r/main.tf") && is_judged(it, "away/r/main.tf"));
    client.change_folders(&[], &["one", "away"]);
    client.until(|it| !is_judged(it, "one/r/main.tf") && !is_judged(it, "away/r/main.tf"));
    client.edit("two/r/main.tf", &CALL.replace("\"many\"", "1"));
    assert_eq!(client.lines("two/r/main.tf"), [""; 0]);
    // A folder that is not there, one that is not a directory and one that comes twice do no harm.
    client.change_folders(&["nowhere", "two/m/main.tf", "two", "two"], &["one"]);
    client.edit("two/r/main.tf", CALL);
    client.diagnostics("two/r/main.tf");
    assert!(is_judged(&client, "two/r/main.tf"));
    client.change_folders(&[], &["two"]);
    client.until(|it| !is_judged(it, "two/r/main.tf"));
}

/// The nearest of nested folders counts, and the outer one where that is removed.
#[test]
fn folders_may_be_nested() {
    let mut client = Client::of_folders(&FILES, &["one", "one/r"]);
    client.open("one/r/main.tf");
    client.diagnostics("one/r/main.tf");
    assert!(!is_judged(&client, "one/r/main.tf"), "the module is outside of the inner folder");
    client.change_folders(&[], &["one/r"]);
    client.until(|it| is_judged(it, "one/r/main.tf"));
}

/// A `.tofu` file anywhere in a folder says that OpenTofu runs its modules.
#[test]
fn the_product_is_that_of_the_folder() {
    let only_tofu = "output \"x\" {\n  value = urldecode(\"a\")\n}\n";
    let files = [("w/r/main.tf", only_tofu), ("w/other/main.tofu", "locals {}\n")];
    let mut client = Client::of_folders(&files, &["w/r"]);
    client.open("w/r/main.tf");
    assert_eq!(client.lines("w/r/main.tf").len(), 1, "{:?}", client.pushed("w/r/main.tf"));
    client.change_folders(&["w"], &["w/r"]);
    client.until(|it| it.pushed("w/r/main.tf").is_empty());
    client.change_folders(&["w/r"], &["w"]);
    client.until(|it| it.pushed("w/r/main.tf").len() == 1);
}
