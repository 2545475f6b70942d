//! `textDocument/definition`

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = "variable \"size\" {\n  type = number\n}\nvariable \"cfg\" {\n  type = list(object({\n    \
    mode = optional(object({ on = bool }))\n  }))\n}\n";

fn definition(client: &mut Client, name: &str, text: &str) -> (String, Value) {
    let params = client.at(name, text);
    let found = client.request("textDocument/definition", params);
    let uri = found["uri"].as_str().unwrap_or_default().to_owned();
    (uri, found["range"]["start"].clone())
}

#[test]
fn a_name_leads_to_its_declaration_from_everywhere() {
    let mut client = Client::new(&[("app/variables.tf", MODULE)]);
    let declared = (client.uri("app/variables.tf"), json!({"line": 0, "character": 9}));
    for (name, text) in [
        ("app/prod.tfvars", "si|ze = 1\n"),
        ("app/env/prod.tfvars", "si|ze = 1\n"),
        ("app/prod.tfvars.json", "{\"siz|e\": 1}"),
        ("app/main.tf", "locals {\n  a = [for it in [1] : var.si|ze]\n}\n"),
        ("app/more.tf.json", "{\"output\": {\"é\": {\"value\": \"é\\\"${var.si|ze}\"}}}"),
        ("main.tf", "module \"app\" {\n  source = \"./app\"\n  si|ze = 3\n}\n"),
        ("more.tf.json", "{\"module\": {\"app\": {\"source\": \"./app\", \"si|ze\": 3}}}"),
    ] {
        assert_eq!(definition(&mut client, name, text), declared, "{name}");
    }
}

#[test]
fn a_nested_key_leads_to_its_attribute() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let (_, at) = definition(&mut client, "prod.tfvars", "cfg = [{ mo|de = null }]\n");
    assert_eq!(at, json!({"line": 5, "character": 4}));
    let (_, at) = definition(&mut client, "prod.tfvars", "cfg = [{ mode = { o|n = true } }]\n");
    assert_eq!(at, json!({"line": 5, "character": 29}));
}
