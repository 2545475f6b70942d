//! `textDocument/formatting`

use serde_json::{Value, json};
use testkit::client::Client;

/// The text of a file after formatting; `None` if the server leaves it alone.
fn formatted(client: &mut Client, name: &str, text: &str) -> Option<String> {
    client.write(name, text);
    client.open(name);
    let uri = client.uri(name);
    let params = json!({
        "textDocument": {"uri": uri},
        "options": {"tabSize": 8, "insertSpaces": false},
    });
    let edits = client.request("textDocument/formatting", params);
    client.close(name);
    edits.as_array()?;
    Some(client.edited(name, &json!({"changes": {uri: edits}})))
}

#[test]
fn a_values_file_is_written_as_terraform_does() {
    let mut client = Client::new(&[]);
    for (text, expected) in [
        ("a=1\nlong   = {\nb=\"x\" # c\n}\n", "a = 1\nlong = {\n  b = \"x\" # c\n}\n"),
        ("a = \"${1}\"\r\nbb = [1,2]\r\n", "a  = 1\r\nbb = [1, 2]\r\n"),
        ("a = 1\n", "a = 1\n"),
        ("", ""),
    ] {
        assert_eq!(formatted(&mut client, "prod.tfvars", text).as_deref(), Some(expected));
    }
}

#[test]
fn files_with_blocks_are_written_as_terraform_does() {
    let mut client = Client::new(&[]);
    let text =
        "input  prod {\nfiles=[\"a.tfvars\",\n\"b.tfvars\"] # c\n}\nrule \"x\"{level=\"off\"}\n";
    let expected = "input \"prod\" {\n  files = [\"a.tfvars\",\n  \"b.tfvars\"] # c\n}\nrule \"x\" { level = \"off\" }\n";
    for name in [".terraschema.hcl", "a.rules.hcl", "prod.tfvars"] {
        assert_eq!(formatted(&mut client, name, text).as_deref(), Some(expected), "{name}");
    }
}

#[test]
fn what_terraform_does_not_format_is_left_alone() {
    let mut client = Client::new(&[]);
    for (name, text) in [
        ("prod.tfvars", "a = = 1\n"),
        ("prod.tfvars.json", "{\"a\":1}"),
        // It would lose the comment.
        (".terraschema.hcl", "input /* c */ prod {\n}\n"),
        ("main.tf", "locals {\na=1\n}\n"),
    ] {
        assert_eq!(formatted(&mut client, name, text), None, "{name}: {text}");
    }
    let none = json!({"textDocument": {"uri": client.uri("x.tfvars")}, "options": {"tabSize": 2, "insertSpaces": true}});
    assert_eq!(client.request("textDocument/formatting", none), Value::Null);
}
