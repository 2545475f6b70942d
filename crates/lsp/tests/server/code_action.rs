//! `textDocument/codeAction`

use serde_json::{Value, json};

use crate::client::Client;

const MODULE: &str = "variable \"options\" {\n  type = object({ mode = optional(string) })\n}\n";

/// The actions at a character of the first line: title, and text of the first edit.
fn actions(client: &mut Client, name: &str, character: u32) -> Vec<(String, String)> {
    client.diagnostics(name);
    let at = json!({"line": 0, "character": character});
    let found = client.request(
        "textDocument/codeAction",
        json!({
            "textDocument": {"uri": client.uri(name)},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": []},
        }),
    );
    let uri = client.uri(name);
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let edit = |it: &Value| it["edit"]["changes"][&uri][0]["newText"].clone();
    found.as_array().unwrap().iter().map(|it| (text(&it["title"]), text(&edit(it)))).collect()
}

fn titles(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect()
}

#[test]
fn the_nearest_name_is_offered_and_the_removal_of_what_is_dropped() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "options = { moed = \"x\" }\n");
    let found = actions(&mut client, "prod.tfvars", 13);
    let found = titles(&found);
    assert_eq!(found[0], ("Change to \"mode\"", "mode"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[1].1, "", "{found:?}");
    assert_eq!(actions(&mut client, "prod.tfvars", 2), []);
}

#[test]
fn names_in_json_keep_their_quotes() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars.json", "{\"optoins\": {}}\n");
    let found = actions(&mut client, "prod.tfvars.json", 3);
    assert_eq!(titles(&found)[0], ("Change to \"options\"", "\"options\""));
}

const REQUIRED: &str = "variable \"env\" {\n  type = string\n  validation {\n    condition = \
    contains([\"dev\", \"prod\"], var.env)\n    error_message = \"No.\"\n  }\n}\nvariable \"size\" {\n  type = number\n}\n";

/// The text of a file after the action that adds missing variables.
fn completed(client: &mut Client, name: &str, text: &str) -> String {
    client.write(name, text);
    client.open(name);
    client.diagnostics(name);
    let at = json!({"line": 0, "character": 0});
    let params = json!({
        "textDocument": {"uri": client.uri(name)},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    let found = client.request("textDocument/codeAction", params);
    let is_it = |it: &&Value| it["title"].as_str().unwrap().starts_with("Add the missing");
    let mut action = found.as_array().unwrap().iter().find(is_it).unwrap().clone();
    if action.get("edit").is_none() {
        action = client.request("codeAction/resolve", action);
    }
    client.edited(name, &action["edit"])
}

#[test]
fn missing_variables_get_values_that_pass() {
    let resolves =
        json!({"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}});
    for capabilities in [json!({}), resolves] {
        for (name, text) in
            [("prod.tfvars", "size = 3 # three\n"), ("prod.tfvars.json", "{\"size\": 3}\n")]
        {
            let mut client =
                Client::with(&[("variables.tf", REQUIRED)], capabilities.clone(), json!({}));
            let new = completed(&mut client, name, text);
            assert!(new.contains("env") && new.contains("size"), "{new}");
            client.edit(name, &new);
            assert_eq!(client.lines(name), [""; 0], "{new}");
        }
    }
}

#[test]
fn a_finding_is_ignored_by_a_comment() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.write("prod.tfvars", "options = { moed = \"x\" }\n");
    client.open("prod.tfvars");
    let at = json!({"line": 0, "character": 13});
    client.diagnostics("prod.tfvars");
    let params = json!({
        "textDocument": {"uri": client.uri("prod.tfvars")},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    let found = client.request("textDocument/codeAction", params);
    let is_it = |it: &&Value| it["title"].as_str().unwrap().starts_with("Ignore");
    let action = found.as_array().unwrap().iter().find(is_it).unwrap().clone();
    let new = client.edited("prod.tfvars", &action["edit"]);
    assert!(new.starts_with("# terraschema:ignore "), "{new}");
    client.edit("prod.tfvars", &new);
    assert_eq!(client.lines("prod.tfvars"), [""; 0], "{new}");
}
