//! `textDocument/documentSymbol`

use serde_json::{Value, json};
use testkit::client::Client;

fn outline(symbols: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for it in symbols.as_array().into_iter().flatten() {
        lines.push(format!("{} {}", it["name"].as_str().unwrap(), it["kind"]));
        lines.extend(outline(&it["children"]).iter().map(|it| format!("  {it}")));
    }
    lines
}

#[test]
fn the_keys_of_values_files_are_symbols() {
    let mut client = Client::new(&[]);
    client.open_text("a.tfvars", "a = { b = 1, \"c\" = [] }\nd = \"x\"\ne = {\n");
    client.open_text("a.tfvars.json", "{\"a\": {\"b\": 1, \"\": true}}");
    client.open_text("main.tf", "variable \"a\" {}\n");
    let mut found = |name: &str| {
        let params = json!({"textDocument": {"uri": client.uri(name)}});
        outline(&client.request("textDocument/documentSymbol", params))
    };
    assert_eq!(found("a.tfvars")[..4], ["a 19", "  b 16", "  c 18", "d 15"]);
    assert_eq!(found("a.tfvars.json"), ["a 19", "  b 16", "  \"\" 17"]);
    assert_eq!(found("main.tf"), [""; 0]);
}
