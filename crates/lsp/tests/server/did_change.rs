//! `textDocument/didChange`, and its neighbours.

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = "variable \"size\" {\n  type = number\n}\n";

fn range(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    let at = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"range": {"start": at(start), "end": at(end)}, "text": text})
}

#[test]
fn positions_are_in_the_encoding_that_was_agreed_on() {
    for (offered, character) in
        [(json!([]), 13), (json!(["utf-8", "utf-16"]), 15), (json!(["utf-32"]), 12)]
    {
        let capabilities = json!({"general": {"positionEncodings": offered}});
        let mut client = Client::with(&[("variables.tf", MODULE)], capabilities, json!({}));
        client.open_text("prod.tfvars", "size = \"a💥\"");
        let end = client.diagnostics("prod.tfvars")[0]["range"]["end"]["character"].clone();
        assert_eq!(end, character - 1, "{offered} {}", client.capabilities);
        let edit = range((0, 7), (0, character - 1), "4");
        client.change("prod.tfvars", json!([edit]));
        assert_eq!(client.lines("prod.tfvars"), [""; 0]);
    }
}

#[test]
fn changes_apply_one_after_the_other() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "size = 1\r\n");
    let changes = json!([
        range((0, 7), (0, 8), "x"),
        range((0, 7), (0, 8), "true"),
        range((0, 11), (1, 0), "")
    ]);
    client.change("prod.tfvars", changes);
    let lines = client.lines("prod.tfvars");
    assert!(lines[0].starts_with("0:7-0:11 error[type-mismatch]"), "{lines:?}");
}

#[test]
fn a_change_of_a_file_that_is_not_open_is_logged() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let identifier = json!({"uri": client.uri("prod.tfvars"), "version": 7});
    let params = json!({"textDocument": identifier, "contentChanges": [{"text": ""}]});
    client.notify("textDocument/didChange", params);
    client.until(|it| it.log.iter().any(|it| it.contains("prod.tfvars is not open")));
    client.notify("textDocument/didChange", json!({"nonsense": 1}));
    client.until(|it| it.log.iter().any(|it| it.contains("missing field")));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "untitled:1"}}));
    client.settle();
}

#[test]
fn ranges_outside_of_the_text_are_at_its_end() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "size = 1");
    client.change("prod.tfvars", json!([range((9, 9), (99, 9), "2"), range((0, 99), (0, 3), "3")]));
    assert_eq!(client.lines("prod.tfvars"), [""; 0]);
}

#[test]
fn many_changes_are_judged_by_the_last_text() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "size = 1\n");
    for _ in 0..200 {
        client.edit("prod.tfvars", "size = [\n");
        client.edit("prod.tfvars", "size = true\n");
    }
    assert_eq!(client.lines("prod.tfvars").len(), 1);
    let sent = client.pushed.len();
    assert!(sent < 10, "{sent}");
}
