//! `textDocument/inlayHint`

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = "variable \"cfg\" {\n  type = list(object({\n    port = number\n    mode = optional(string, \"slow\")\n    \
    on   = optional(bool, true)\n    note = optional(string)\n  }))\n}\nvariable \"key\" {\n  sensitive = true\n  \
    type = object({ a = optional(string, \"hunter2\") })\n}\n";

#[test]
fn defaults_of_attributes_that_are_left_out_are_shown() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let text = "cfg = [\n  { port = 1 },\n  { port = 2, on = false, mode = \"x\" },\n]\nkey = {}\n";
    client.open_text("prod.tfvars", text);
    let mut found = |first: u32, last: u32| -> Vec<(u64, String)> {
        let at = |line: u32| json!({"line": line, "character": 0});
        let params = json!({
            "textDocument": {"uri": client.uri("prod.tfvars")},
            "range": {"start": at(first), "end": at(last)},
        });
        let found = client.request("textDocument/inlayHint", params);
        let hint = |it: &Value| {
            (it["position"]["line"].as_u64().unwrap(), it["label"].as_str().unwrap().to_owned())
        };
        found.as_array().unwrap().iter().map(hint).collect()
    };
    let first = (1, "mode = \"slow\", on = true".to_owned());
    assert_eq!(found(0, 9), [first], "nothing of a sensitive variable is shown");
    assert_eq!(found(2, 9), []);
}
