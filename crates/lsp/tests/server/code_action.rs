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
    assert_eq!(found.len(), 2, "{found:?}");
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
