//! Workspaces and files that are large.

use testkit::client::Client;

/// A file in one module does not make the server list the others.
#[test]
fn other_modules_are_not_read() {
    let names: Vec<String> = (0..300).map(|it| format!("modules/m{it}/variables.tf")).collect();
    let text = "variable \"size\" {\n  type = number\n}\n";
    let files: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), text)).collect();
    let mut client = Client::new(&files);
    client.open_text("modules/m7/prod.tfvars", "size = true\n");
    assert_eq!(client.lines("modules/m7/prod.tfvars").len(), 1);
    // One that only OpenTofu reads decides which product runs all of them, so it has to be found.
    client.write("modules/m9/only.tofu", "");
    client.close("modules/m7/prod.tfvars");
    client.open_text("modules/m8/prod.tfvars", "size = true\n");
    assert_eq!(client.lines("modules/m8/prod.tfvars").len(), 1);
}

#[test]
fn a_large_file_gets_an_answer() {
    let mut client =
        Client::new(&[("variables.tf", "variable \"list\" {\n  type = list(string)\n}\n")]);
    let text = format!("list = [\n{}]\n", "  \"0123456789\",\n".repeat(40_000));
    client.open_text("prod.tfvars", &text);
    client.diagnostics("prod.tfvars");
    client.edit("prod.tfvars", "list = 1\n");
    assert_eq!(client.lines("prod.tfvars").len(), 1);
}

/// Rules that take longer than a client of these tests waits, if all of them are evaluated.
fn endless() -> String {
    let rule = |at: u32| {
        let each = "sum([for a in range(1000) : sum([for b in range(1000) : a * b + var.size])])";
        format!(
            "variable \"slow{at}\" {{\n  default = 1\n  validation {{\n    condition = {each} > \
             var.slow{at}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let rules: String = (0..40).map(rule).collect();
    format!("variable \"size\" {{\n  type = number\n}}\n{rules}")
}

#[test]
fn a_verdict_under_way_gives_way_to_an_edit() {
    let mut client = Client::new(&[("variables.tf", &endless())]);
    client.open_text("prod.tfvars", "size = 1\n");
    client.settle();
    client.open("variables.tf");
    client.settle();
    client.edit("variables.tf", "variable \"size\" {\n  type = bool\n}\n");
    client.edit("prod.tfvars", "size = 2\n");
    assert_eq!(client.lines("prod.tfvars").len(), 1);
    // An edit of another module does not wait either.
    client.edit("variables.tf", &endless());
    client.settle();
    client.write("other/variables.tf", "variable \"size\" {\n  type = bool\n}\n");
    client.open_text("other/prod.tfvars", "size = 2\n");
    assert_eq!(client.lines("other/prod.tfvars").len(), 1);
}

#[test]
fn requests_are_answered_while_a_verdict_runs() {
    let mut client = Client::new(&[("variables.tf", &endless())]);
    client.write("other/variables.tf", "variable \"size\" {\n  type = bool\n}\n");
    client.open_text("prod.tfvars", "size = 1\n");
    client.settle();
    // Those that need a verdict of their own are cancelled.
    let slow = client.at("prod.tfvars", "slow1| = 1\n");
    for _ in 0..8 {
        let id = client.ask("textDocument/hover", slow.clone());
        client.notify("$/cancelRequest", serde_json::json!({"id": id}));
        assert_eq!(client.answer(id).response_result.unwrap_err().code, -32800);
    }
    let params = client.at("other/prod.tfvars", "size| = true\n");
    let found = client.request("textDocument/hover", params);
    assert!(found["contents"]["value"].as_str().unwrap().contains("size: bool"), "{found}");
    // The server leaves without waiting for the verdict.
}
