//! `textDocument/codeAction`

use diagnostics::lints;
use serde_json::{Value, json};
use testkit::client::Client;

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
    let text = "{\"optoins\": {}}\n";
    let (titles, new) = fixes(&mut client, "prod.tfvars.json", text, lints::UNDECLARED_VARIABLE.id);
    // The fix of the rule would be the same edit.
    let missing = "Add the missing variables, with values that pass";
    assert_eq!(titles, ["Change to \"options\"", missing]);
    assert_eq!(new, "{\"options\": {}}\n");
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

/// The titles of the quick fixes at the first diagnostic with a rule, and the text after the first of them.
fn fixes(client: &mut Client, name: &str, text: &str, rule: &str) -> (Vec<String>, String) {
    client.write(name, text);
    client.open(name);
    let found = client.diagnostics(name);
    let it = found.iter().find(|it| it["code"] == rule).unwrap_or_else(|| panic!("{found:?}"));
    let number = |at: &Value| u32::try_from(at.as_u64().unwrap()).unwrap();
    let start = &it["range"]["start"];
    let place = (number(&start["line"]), number(&start["character"]));
    let found = actions_at(client, name, place.0, place.1);
    let found: Vec<Value> = found.as_array().unwrap().clone();
    let own = found.iter().filter(|it| it["kind"] == "quickfix");
    let titles = own.map(|it| it["title"].as_str().unwrap().to_owned());
    let edit = found.first().map(|it| it["edit"].clone()).unwrap_or_default();
    (titles.collect(), client.edited(name, &edit))
}

#[test]
fn a_name_in_an_expression_or_a_call_is_corrected() {
    let app = [("app/variables.tf", "variable \"cidr\" {\n  default = \"\"\n}\n")];
    let call = "module \"app\" {\n  source = \"./app\"\n  cdir   = 1\n}\n";
    let local = "variable \"size\" {}\nlocals {\n  a = var.szie + 1\n}\n";
    for (text, rule, expected) in [
        (call, lints::UNSUPPORTED_ARGUMENT.id, call.replace("cdir", "cidr")),
        (local, lints::UNDECLARED_REFERENCE.id, local.replace("szie", "size")),
    ] {
        let mut client = Client::new(&app);
        let (titles, new) = fixes(&mut client, "main.tf", text, rule);
        assert!(titles[0].starts_with("Change to "), "{titles:?}");
        assert_eq!(new, expected);
    }
}

#[test]
fn a_value_is_replaced_by_one_that_passes() {
    let module = [("variables.tf", REQUIRED)];
    let mut client = Client::new(&module);
    let (titles, new) =
        fixes(&mut client, "a.tfvars", "env = \"prdo\"\nsize = 1\n", lints::FAILED_VALIDATION.id);
    assert_eq!(titles[0], "Change to \"prod\"");
    assert_eq!(new, "env = \"prod\"\nsize = 1\n");
    // Without a near one, each that passes is offered.
    let mut client = Client::new(&module);
    let text = "env = \"elsewhere\"\nsize = 1\n";
    let (titles, _) = fixes(&mut client, "a.tfvars", text, lints::FAILED_VALIDATION.id);
    assert_eq!(titles[..2], ["Change to \"dev\"", "Change to \"prod\""]);
}

#[test]
fn only_what_is_a_word_is_quoted() {
    let module = [("variables.tf", REQUIRED)];
    for (text, quoted) in [
        ("env = prod\nsize = 1\n", Some("env = \"prod\"\nsize = 1\n")),
        ("env = var.x\nsize = 1\n", Some("env = \"var.x\"\nsize = 1\n")),
        ("env = \"dev\"\nsize = 1\nsize = 2\n", None),
        ("env = \"dev\"\nsize = 1\nblock {}\n", None),
    ] {
        let mut client = Client::new(&module);
        let (titles, new) = fixes(&mut client, "a.tfvars", text, lints::INVALID_INPUT_SYNTAX.id);
        assert_eq!(titles.iter().any(|it| it.starts_with("Quote")), quoted.is_some(), "{titles:?}");
        assert!(quoted.is_none_or(|it| it == new), "{new}");
    }
}

#[test]
fn missing_arguments_get_values_that_pass() {
    for call in
        ["module \"app\" {\n  source = \"./app\"\n}\n", "module \"app\" { source = \"./app\" }\n"]
    {
        let mut client = Client::new(&[("app/variables.tf", REQUIRED)]);
        let (titles, new) = fixes(&mut client, "main.tf", call, lints::MISSING_ARGUMENT.id);
        assert_eq!(titles[0], "Add the missing arguments, with values that pass");
        let begin = "module \"app\" {\n  source = \"./app\"\n  env = \"dev\"\n  size = ";
        assert!(new.starts_with(begin), "{new}");
        client.edit("main.tf", &new);
        assert_eq!(client.lines("main.tf"), [""; 0], "{new}");
    }
}

#[test]
fn what_no_comment_silences_is_not_ignored() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let (titles, _) =
        fixes(&mut client, "a.tfvars", "options = [\n", lints::INVALID_INPUT_SYNTAX.id);
    assert_eq!(titles, [""; 0]);
}
