//! `textDocument/references`

use serde_json::{Value, json};
use testkit::client::Client;

#[test]
fn a_variable_is_found_in_its_module_its_values_and_its_callers() {
    let files = [
        ("app/variables.tf", "variable \"size\" {}\nvariable \"size2\" {}\n"),
        ("app/main.tf", "locals {\n  a = \"${var.size}\"\n  b = var.size2\n}\n"),
        ("app/env/prod.tfvars", "size = 1\n"),
        ("main.tf", "module \"app\" {\n  source = \"./app\"\n  size = 3\n}\n"),
        ("other/main.tf", "module \"app\" {\n  source = \"./app\"\n  size = 3\n}\n"),
    ];
    let mut client = Client::new(&files);
    let mut params =
        client.at("app/variables.tf", "variable \"si|ze\" {}\nvariable \"size2\" {}\n");
    let mut found = |is_whole: bool| -> Vec<String> {
        params["context"] = json!({"includeDeclaration": is_whole});
        let found = client.request("textDocument/references", params.clone());
        let name = |it: &Value| {
            let uri = it["uri"].as_str().unwrap().rsplit_once("/.tmp").unwrap().1.to_owned();
            uri.split_once('/').unwrap().1.to_owned()
        };
        found.as_array().unwrap().iter().map(name).collect()
    };
    let uses = ["app/env/prod.tfvars", "app/main.tf", "main.tf"];
    assert_eq!(found(false), uses);
    assert_eq!(found(true).len(), 4);
}
