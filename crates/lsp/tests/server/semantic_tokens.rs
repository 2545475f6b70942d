//! `textDocument/semanticTokens/full` and `textDocument/semanticTokens/range`

use serde_json::{Value, json};
use testkit::client::Client;

/// Each token as its line, character, text and type.
fn tokens(client: &mut Client, name: &str, text: &str) -> Vec<String> {
    client.open_text(name, text);
    let params = json!({"textDocument": {"uri": client.uri(name)}});
    let found = client.request("textDocument/semanticTokens/full", params);
    client.close(name);
    shown(client, &found, text)
}

/// Each token of an answer as its line, character, text and type.
fn shown(client: &Client, found: &Value, text: &str) -> Vec<String> {
    let types = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let none = Vec::new();
    let data = found["data"].as_array().unwrap_or(&none);
    let number = |it: &Value| usize::try_from(it.as_u64().unwrap()).unwrap();
    let (mut line, mut character) = (0, 0);
    let mut all = Vec::new();
    for token in data.chunks(5) {
        character = if number(&token[0]) > 0 { 0 } else { character } + number(&token[1]);
        line += number(&token[0]);
        let units: Vec<u16> = text.lines().nth(line).unwrap().encode_utf16().collect();
        let word = String::from_utf16(&units[character..character + number(&token[2])]).unwrap();
        all.push(format!(
            "{line}:{character} {word} {}",
            types[number(&token[3])].as_str().unwrap()
        ));
    }
    all
}

#[test]
fn words_of_values_files_have_types() {
    let mut client = Client::new(&[]);
    let text = "# 💥\nsize = 1\nopts = { mode = \"é💥\", \"k\" = [true, null] } # x\n/* a\n b */\n";
    assert_eq!(
        tokens(&mut client, "prod.tfvars", text),
        [
            "0:0 # 💥 comment",
            "1:0 size variable",
            "1:7 1 number",
            "2:0 opts variable",
            "2:9 mode property",
            "2:16 \"é💥\" string",
            "2:23 \"k\" property",
            "2:30 true keyword",
            "2:36 null keyword",
            "2:44 # x comment",
            "3:0 /* a comment",
            "4:0  b */ comment",
        ]
    );
    assert_eq!(tokens(&mut client, "prod.tfvars", "a = <<E\nx\nE\n").len(), 4);
    assert_eq!(tokens(&mut client, "prod.tfvars.json", "{}"), [""; 0]);
}

#[test]
fn a_long_text_has_the_tokens_that_are_seen() {
    let can = json!({"textDocument": {"semanticTokens": {"requests": {"range": true}}}});
    let mut client = Client::with(&[], can, json!({}));
    let long = format!("# {}\n", "é💥".repeat(1_000));
    let text = format!("# é\nlist = [\n  1,\n]\n{}on = true\n", long.repeat(50));
    assert_eq!(
        tokens(&mut client, "prod.tfvars", &text),
        [""; 0],
        "only what is seen is asked for"
    );
    client.open_text("prod.tfvars", &text);
    let mut seen = |from: u32, to: u32| {
        let at = |line| json!({"line": line, "character": 0});
        let uri = client.uri("prod.tfvars");
        let params =
            json!({"textDocument": {"uri": uri}, "range": {"start": at(from), "end": at(to)}});
        let found = client.request("textDocument/semanticTokens/range", params);
        shown(&client, &found, &text)
    };
    assert_eq!(seen(0, 2), ["0:0 # é comment", "1:0 list variable"]);
    assert_eq!(seen(2, 3), ["2:2 1 number"]);
    assert_eq!(seen(54, 55), ["54:0 on variable", "54:5 true keyword"]);
    drop(client);
    // A client that cannot ask for a part gets everything.
    let mut client = Client::new(&[]);
    assert_eq!(tokens(&mut client, "prod.tfvars", &text).len(), 55);
}
