//! `initialize`, `shutdown`, `exit`, `$/cancelRequest` and clients that forget them.

use lsp::ClientExit;
use serde_json::{Value, json};
use testkit::client::Client;

#[test]
fn a_client_that_says_goodbye_leaves_orderly() {
    let mut client = Client::new(&[]);
    assert_eq!(client.end(), ClientExit::Orderly);
}

#[test]
fn exit_without_shutdown_and_a_lost_connection_end_the_server() {
    assert_eq!(Client::new(&[]).leave(), ClientExit::Abruptly);
    let mut client = Client::new(&[("main.tf", "variable \"a\" {}\n")]);
    client.open("main.tf");
    assert_eq!(client.vanish(), ClientExit::Abruptly);
}

#[test]
fn nothing_is_answered_after_shutdown() {
    let mut client = Client::new(&[]);
    client.request("shutdown", Value::Null);
    let id = client.ask("textDocument/diagnostic", json!({}));
    assert_eq!(client.answer(id).response_result.unwrap_err().code, -32600);
    assert_eq!(client.leave(), ClientExit::Orderly);
}

#[test]
fn requests_that_nobody_knows_are_refused() {
    let mut client = Client::new(&[]);
    for (method, code) in [("textDocument/nonsense", -32601), ("initialize", -32600)] {
        let id = client.ask(method, json!({}));
        assert_eq!(client.answer(id).response_result.unwrap_err().code, code, "{method}");
    }
    client.notify("$/nonsense", json!([1]));
    client.settle();
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let pulls = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::with(&[("main.tf", "variable \"a\" {}\n")], pulls, json!({}));
    client.open("main.tf");
    let uri = client.uri("main.tf");
    let ids: Vec<i32> = (0..500)
        .map(|_| {
            let params = json!({"textDocument": {"uri": uri}});
            let id = client.ask("textDocument/diagnostic", params);
            client.notify("$/cancelRequest", json!({"id": id}));
            id
        })
        .collect();
    for id in ids {
        let result = client.answer(id).response_result;
        assert!(result.is_ok() || result.as_ref().is_err_and(|it| it.code == -32800), "{result:?}");
    }
    client.notify("$/cancelRequest", json!({"id": 99_999}));
    client.notify("$/cancelRequest", json!({"id": null}));
    client.settle();
}

#[test]
fn files_are_watched_if_the_client_can() {
    let watches = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let files = [("variables.tf", "variable \"a\" {}\n")];
    let mut client = Client::with(&files, watches, json!({}));
    client.open_text("prod.tfvars", "a = 1\nb = 1\n");
    assert_eq!(client.lines("prod.tfvars").len(), 1);
    assert_eq!(client.asks, ["client/registerCapability"]);
    client.write("more.tf", "variable \"b\" {}\n");
    let change = json!({"uri": client.uri("more.tf"), "type": 1});
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    client.until(|it| it.pushed("prod.tfvars").is_empty());
}

/// What a watched module was read as is trusted until the client reports a change, or for a second.
#[test]
fn a_called_module_is_watched_with_its_callers() {
    let watches = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let called = |ty: &str| format!("variable \"a\" {{\n  type = {ty}\n}}\n");
    let root = "variable \"a\" {}\nmodule \"m\" {\n  source = \"../m\"\n  a      = var.a\n}\n";
    let files = [("r/main.tf", root), ("m/main.tf", &called("string"))];
    let mut client = Client::with(&files, watches, json!({}));
    client.open_text("r/prod.tfvars", "a = \"x\"\n");
    for letter in ["y", "z", "x"] {
        client.edit("r/prod.tfvars", &format!("a = \"{letter}\"\n"));
        assert!(client.lines("r/prod.tfvars").is_empty());
    }
    client.write("m/main.tf", &called("number"));
    let change = json!({"uri": client.uri("m/main.tf"), "type": 2});
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    client.until(|it| it.pushed("r/main.tf").len() == 1);
    // A document of the called module counts before it is saved, and no longer when it is closed.
    client.open_text("m/main.tf", &called("string"));
    client.until(|it| it.pushed("r/main.tf").is_empty());
    client.edit("m/main.tf", &called("bool"));
    client.until(|it| it.pushed("r/main.tf").len() == 1);
    client.edit("m/main.tf", &called("any"));
    client.until(|it| it.pushed("r/main.tf").is_empty());
    client.close("m/main.tf");
    client.until(|it| it.pushed("r/main.tf").len() == 1);
}

#[test]
fn what_is_out_of_order_does_no_harm() {
    let mut client = Client::new(&[("variables.tf", "variable \"a\" {\n  type = bool\n}\n")]);
    let uri = client.uri("prod.tfvars");
    // A document that is not open has no answers.
    for method in ["hover", "completion", "documentSymbol", "formatting", "semanticTokens/full"] {
        let params = json!({
            "textDocument": {"uri": uri},
            "position": {"line": 9, "character": 9},
            "options": {"tabSize": 2, "insertSpaces": true},
        });
        assert_eq!(
            client.request(&format!("textDocument/{method}"), params),
            Value::Null,
            "{method}"
        );
    }
    // The last change counts, whatever its version, and so does the last opening.
    let change = |version: i32, text: &str| json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]});
    client.open_text("prod.tfvars", "a = true\n");
    client.notify("textDocument/didChange", change(9, "a = true\n"));
    client.notify("textDocument/didChange", change(3, "a = [\n"));
    client.notify("textDocument/didChange", change(1, "a = 1\n"));
    let is_wrong = |it: &String| it.contains("error[type-mismatch]");
    client.until(|it| it.pushed("prod.tfvars").iter().any(is_wrong));
    client.open_text("prod.tfvars", "a = true\n");
    client.notify("textDocument/didChange", change(1, "a = 2\n"));
    client.until(|it| it.pushed("prod.tfvars").len() == 1);
    client.close("prod.tfvars");
    client.close("prod.tfvars");
    client.settle();
}

/// A request for every key that somebody types, each cancelled by the next one.
#[test]
fn storms_of_requests_are_weathered() {
    let mut client = Client::new(&[("variables.tf", "variable \"a\" {\n  type = bool\n}\n")]);
    let params = client.at("prod.tfvars", "a| = true\n");
    let mut ids = Vec::new();
    for at in 0..300 {
        client.edit("prod.tfvars", if at % 2 == 0 { "a = 1\n" } else { "a = true\n" });
        for method in ["hover", "completion", "definition"] {
            let id = client.ask(&format!("textDocument/{method}"), params.clone());
            client.notify("$/cancelRequest", json!({"id": id}));
            ids.push(id);
        }
    }
    for id in ids {
        let result = client.answer(id).response_result;
        assert!(result.is_ok() || result.as_ref().is_err_and(|it| it.code == -32800), "{result:?}");
    }
    assert_eq!(client.lines("prod.tfvars"), [""; 0]);
}
