//! `textDocument/codeAction`

use serde_json::{Value, json};

use crate::client::Client;

const MODULE: &str = "variable \"options\" {\n  type = object({ mode = optional(string) })\n}\n";

/// The answer about a place.
fn actions_at(client: &mut Client, name: &str, line: u32, character: u32) -> Value {
    client.diagnostics(name);
    let at = json!({"line": line, "character": character});
    client.request(
        "textDocument/codeAction",
        json!({
            "textDocument": {"uri": client.uri(name)},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": []},
        }),
    )
}

/// The actions at a character of the first line: title, and text of the first edit.
fn actions(client: &mut Client, name: &str, character: u32) -> Vec<(String, String)> {
    let found = actions_at(client, name, 0, character);
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

#[test]
fn the_same_edit_is_offered_once() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    client.open_text("prod.tfvars", "options = {}\noptoins = {}\n");
    let found = actions_at(&mut client, "prod.tfvars", 1, 3);
    let titles: Vec<&str> =
        found.as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Change to \"options\"", "Ignore undeclared-variable here"]);
}

const REQUIRED: &str = "variable \"env\" {\n  type = string\n  validation {\n    condition = \
    contains([\"dev\", \"prod\"], var.env)\n    error_message = \"No.\"\n  }\n}\nvariable \"size\" {\n  type = number\n}\n";

/// The text of a file after the action that adds missing variables.
fn completed(client: &mut Client, name: &str, text: &str) -> String {
    client.write(name, text);
    client.open(name);
    let found = actions_at(client, name, 0, 0);
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
    let found = actions_at(&mut client, "prod.tfvars", 0, 13);
    let is_it = |it: &&Value| it["title"].as_str().unwrap().starts_with("Ignore");
    let action = found.as_array().unwrap().iter().find(is_it).unwrap().clone();
    let new = client.edited("prod.tfvars", &action["edit"]);
    assert!(new.starts_with("# terraschema:ignore "), "{new}");
    client.edit("prod.tfvars", &new);
    assert_eq!(client.lines("prod.tfvars"), [""; 0], "{new}");
}

/// The action whose title begins so, with its edit.
fn action(client: &mut Client, name: &str, (line, character): (u32, u32), title: &str) -> Value {
    let found = actions_at(client, name, line, character);
    let is_it = |it: &&Value| it["title"].as_str().unwrap().starts_with(title);
    let action = found.as_array().unwrap().iter().find(is_it).cloned().unwrap_or_default();
    let has_edit = action.is_null() || action.get("edit").is_some();
    if has_edit { action } else { client.request("codeAction/resolve", action) }
}

fn creates() -> Value {
    json!({"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}}})
}

/// The uri of the new file of an edit, and its text.
fn created(edit: &Value) -> (&str, &str) {
    let changes = edit["documentChanges"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["kind"]), (2, &json!("create")), "{edit}");
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    (changes[0]["uri"].as_str().unwrap(), text)
}

#[test]
fn a_bare_word_gets_quotes() {
    let mut client = Client::new(&[("variables.tf", "variable \"env\" {\n  type = string\n}\n")]);
    client.write("prod.tfvars", "env = prod\n");
    client.open("prod.tfvars");
    let found = action(&mut client, "prod.tfvars", (0, 7), "Quote");
    assert_eq!(client.edited("prod.tfvars", &found["edit"]), "env = \"prod\"\n");
    client.edit("prod.tfvars", "env = f(1)\n");
    assert_eq!(action(&mut client, "prod.tfvars", (0, 7), "Quote"), Value::Null);
}

#[test]
fn an_input_block_says_whose_values_these_are() {
    let module = "variable \"env\" {\n  type = string\n}\n";
    let other = "variable \"size\" {}\n";
    let files = [("app/variables.tf", module), ("other/variables.tf", other)];
    let mut client = Client::with(&files, creates(), json!({}));
    client.open_text("live/prod.tfvars", "env = [1]\n");
    assert_eq!(client.lines("live/prod.tfvars"), [""; 0], "nobody knows whose it is");
    let found = action(&mut client, "live/prod.tfvars", (0, 0), "Use this file");
    assert_eq!(found["title"], "Use this file for the module in \"app\"");
    let (uri, text) = created(&found["edit"]);
    assert_eq!(uri, client.uri(".terraschema.hcl"));
    client.open_text(".terraschema.hcl", text);
    client.until(|it| it.pushed("live/prod.tfvars").len() == 1);
    assert_eq!(action(&mut client, "live/prod.tfvars", (0, 0), "Use this file"), Value::Null);
    // A configuration that exists gets one more block.
    client.edit(".terraschema.hcl", "calls = true");
    client.write(".terraschema.hcl", "calls = true");
    client.until(|it| it.pushed("live/prod.tfvars").is_empty());
    let found = action(&mut client, "live/prod.tfvars", (0, 0), "Use this file");
    let new = client.edited(".terraschema.hcl", &found["edit"]);
    assert_eq!(new, format!("calls = true\n\n{text}"));
}

#[test]
fn a_schema_is_written_again() {
    let module = "variable \"env\" {\n  type = string\n}\n";
    for resolves in [json!({}), json!({"resolveSupport": {"properties": ["edit"]}})] {
        let mut capabilities = creates();
        capabilities["textDocument"] = json!({"codeAction": resolves});
        let mut client = Client::with(&[("main.tf", module)], capabilities, json!({}));
        client.open("main.tf");
        let found = action(&mut client, "main.tf", (0, 0), "Write the schema");
        let (uri, text) = created(&found["edit"]);
        assert!(uri.ends_with("/schema.json") && text.contains("\"env\""), "{uri} {text}");
        client.write("schema.json", "{}\n");
        let found = action(&mut client, "main.tf", (0, 0), "Write the schema");
        let new = client.edited("schema.json", &found["edit"]);
        assert_eq!(new, text);
        client.edit("main.tf", "variable \"zone\" {}\n");
        let found = action(&mut client, "main.tf", (0, 0), "Write the schema");
        assert!(client.edited("schema.json", &found["edit"]).contains("\"zone\""));
    }
}

#[test]
fn a_version_that_is_too_low_is_raised() {
    let text = "terraform {\n  required_version = \">= 1.0\"\n}\nvariable \"a\" {\n  type = object({ b = optional(string, \
        \"x\") })\n}\n";
    let mut client = Client::new(&[("main.tf", text)]);
    client.open("main.tf");
    let found = client.diagnostics("main.tf");
    let at = &found[0]["range"]["start"];
    let number = |key: &str| u32::try_from(at[key].as_u64().unwrap()).unwrap();
    let place = (number("line"), number("character"));
    let found = action(&mut client, "main.tf", place, "Raise required_version");
    assert!(client.edited("main.tf", &found["edit"]).contains("\">= 1.3"), "{found}");
}
