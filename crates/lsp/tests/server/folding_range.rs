//! `textDocument/foldingRange`

use serde_json::json;
use testkit::client::Client;

#[test]
fn brackets_over_several_lines_fold() {
    let mut client = Client::new(&[]);
    client.open_text("a.tfvars", "a = {\n  b = [\n    1,\n  ]\n}\nc = [1]\n# {\nd = {\n");
    let params = json!({"textDocument": {"uri": client.uri("a.tfvars")}});
    let found = client.request("textDocument/foldingRange", params);
    let expected = json!([{"startLine": 0, "endLine": 3}, {"startLine": 1, "endLine": 2}]);
    assert_eq!(found, expected);
}
