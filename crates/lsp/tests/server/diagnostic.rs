//! `textDocument/diagnostic`

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = "variable \"size\" {\n  type = number\n}\n";

fn client() -> Client {
    let pulls = json!({"textDocument": {"diagnostic": {}}});
    Client::with(&[("variables.tf", MODULE)], pulls, json!({}))
}

fn pull(client: &mut Client, name: &str, previous: Option<&Value>) -> Value {
    let mut params = json!({"textDocument": {"uri": client.uri(name)}});
    if let Some(it) = previous {
        params["previousResultId"] = it.clone();
    }
    client.request("textDocument/diagnostic", params)
}

#[test]
fn a_client_that_asks_gets_the_verdict_on_the_present_text() {
    let mut client = client();
    assert_eq!(client.capabilities["diagnosticProvider"]["interFileDependencies"], true);
    client.open_text("prod.tfvars", "size = true\n");
    let report = pull(&mut client, "prod.tfvars", None);
    assert_eq!(report["kind"], "full");
    let message = report["items"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("Invalid value for input variable"), "{message}");
    client.edit("prod.tfvars", "size = 1\n");
    assert_eq!(pull(&mut client, "prod.tfvars", None)["items"], json!([]));
    assert!(client.pushed.is_empty(), "{:?}", client.pushed);
}

#[test]
fn what_did_not_change_is_not_sent_again() {
    let mut client = client();
    client.open_text("prod.tfvars", "size = true\n");
    let first = pull(&mut client, "prod.tfvars", None);
    client.edit("prod.tfvars", "size = true\n\n");
    let second = pull(&mut client, "prod.tfvars", Some(&first["resultId"]));
    assert_eq!(second, json!({"kind": "unchanged", "resultId": first["resultId"]}));
    client.edit("prod.tfvars", "\nsize = true\n");
    let third = pull(&mut client, "prod.tfvars", Some(&first["resultId"]));
    assert_eq!(third["kind"], "full");
}

#[test]
fn a_file_that_is_not_open_has_no_diagnostics() {
    let mut client = client();
    assert_eq!(pull(&mut client, "variables.tf", None)["items"], json!([]));
}

#[test]
fn a_file_that_is_not_open_is_pushed_until_it_is() {
    let mut client = client();
    client.write("terraform.tfvars", "size = 1\n");
    client.open("variables.tf");
    client.edit("variables.tf", &MODULE.replace("number", "list(number)"));
    client.until(|it| it.pushed("terraform.tfvars").len() == 1);
    client.open("terraform.tfvars");
    client.until(|it| it.pushed("terraform.tfvars").is_empty());
    assert_eq!(pull(&mut client, "terraform.tfvars", None)["items"].as_array().unwrap().len(), 1);
}
