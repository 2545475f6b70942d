//! `textDocument/rename` and `textDocument/prepareRename`

use serde_json::{Value, json};
use testkit::client::Client;

const FILES: [(&str, &str); 8] = [
    (
        "app/variables.tf",
        "variable \"size\" {\n  validation {\n    condition = var.size > 1\n    error_message = \
            \"var.size is ${var.size}\"\n  }\n}\nvariable \"taken\" {}\n",
    ),
    (
        "app/main.tf",
        "resource \"r\" \"x\" {\n  count = 2\n  a = var.size[count.index].name\n  b = \"${ var . size }-${local.size}\"\n  \
            c = [for size in var.size : size]\n  d = <<EOT\n%{ if var.size > 1 }x%{ endif }\nEOT\n}\n",
    ),
    (
        "app/more.tf.json",
        "{\"output\": {\"o\": {\"value\": \"${var.size} var.size ${var.sizes}\", \"description\": \"${var.size}\"}}}",
    ),
    ("app/prod.tfvars", "size = 1\ntaken = { size = 1 }\n"),
    ("app/prod.tfvars.json", "{\"size\": 1, \"taken\": {\"size\": 2}}"),
    (
        "app/tests/a.tftest.hcl",
        "variables {\n  size = 1\n}\nrun \"x\" {\n  variables {\n    size = var.size\n  }\n}\n",
    ),
    (
        "main.tf",
        "module \"app\" {\n  source = \"./app\"\n  size = var.size\n}\nvariable \"size\" {}\n",
    ),
    ("call.tf.json", "{\"module\": {\"b\": {\"source\": \"./app\", \"size\": 1}}}"),
];

fn rename(client: &mut Client, name: &str, text: &str, new: &str) -> Result<Value, String> {
    let mut params = client.at(name, text);
    params["newName"] = json!(new);
    let id = client.ask("textDocument/rename", params);
    client.answer(id).response_result.map_err(|it| it.message)
}

#[test]
fn a_variable_has_its_new_name_everywhere() {
    // Text that only looks like a reference makes JSON ambiguous.
    let mut files = FILES;
    files[2].1 = "{\"output\": {\"o\": {\"value\": \"${var.size} ${var.sizes}\", \"description\": \"${var.size}\"}}}";
    let mut client = Client::new(&files);
    let edit =
        rename(&mut client, "app/prod.tfvars", "si|ze = 1\ntaken = { size = 1 }\n", "count_of")
            .unwrap();
    for (name, expected) in [
        (
            "app/variables.tf",
            FILES[0]
                .1
                .replace("\"size\"", "\"count_of\"")
                .replace("var.size >", "var.count_of >")
                .replace("${var.size", "${var.count_of"),
        ),
        (
            "app/main.tf",
            FILES[1].1.replace("var.size", "var.count_of").replace("var . size", "var . count_of"),
        ),
        ("app/more.tf.json", files[2].1.replacen("var.size}", "var.count_of}", 1)),
        ("app/prod.tfvars", FILES[3].1.replacen("size", "count_of", 1)),
        ("app/prod.tfvars.json", FILES[4].1.replacen("size", "count_of", 1)),
        ("app/tests/a.tftest.hcl", FILES[5].1.replace("size", "count_of")),
        ("main.tf", FILES[6].1.replacen("size =", "count_of =", 1)),
        ("call.tf.json", FILES[7].1.replace("size", "count_of")),
    ] {
        assert_eq!(client.edited(name, &edit), expected, "{name}");
    }
}

#[test]
fn a_rename_that_would_miss_a_place_is_refused() {
    let mut client = Client::new(&FILES);
    let why = rename(&mut client, "app/prod.tfvars", "si|ze = 1\n", "other").unwrap_err();
    assert!(why.contains("more.tf.json"), "{why}");
}

#[test]
fn names_that_collide_or_are_none_are_refused() {
    let mut client = Client::new(&FILES);
    for (new, part) in
        [("taken", "already"), ("source", "every module block"), ("a b", "not a name")]
    {
        let why = rename(&mut client, "app/prod.tfvars", "si|ze = 1\n", new).unwrap_err();
        assert!(why.contains(part), "{new}: {why}");
    }
    let why = rename(&mut client, "app/prod.tfvars", "|# x\n", "other").unwrap_err();
    assert!(why.contains("no variable"), "{why}");
}

#[test]
fn the_name_alone_is_prepared() {
    let mut client = Client::new(&FILES);
    let params = client.at("app/prod.tfvars.json", "{\"si|ze\": 1}");
    let found = client.request("textDocument/prepareRename", params);
    let (start, end) = (json!({"line": 0, "character": 2}), json!({"line": 0, "character": 6}));
    assert_eq!(found, json!({"start": start, "end": end}));
    for text in ["other| = 1\n", "taken = { si|ze = 1 }\n", "size = |1\n"] {
        let params = client.at("app/prod.tfvars", text);
        assert_eq!(client.request("textDocument/prepareRename", params), Value::Null, "{text}");
    }
}

/// The `input` blocks for this module alone name it; other lists are about other modules, too.
#[test]
fn given_names_of_the_module_are_renamed() {
    let configuration = "given = [\"size\"]\ninput \"a\" {\n  module = \"app\"\n  files  = [\"a.tfvars\"]\n  given  = [\"size\", \"sizes\", \"s*\"]\n}\n\
        input \"b\" {\n  modules = [\"*\"]\n  files   = [\"b.tfvars\"]\n  given   = [\"size\"]\n}\n";
    let mut client = Client::new(&[("app/variables.tf", "variable \"size\" {}\n")]);
    client.write(".terraschema.hcl", configuration);
    let edit = rename(&mut client, "app/variables.tf", "variable \"si|ze\" {}\n", "most").unwrap();
    let expected = configuration.replace("given  = [\"size\"", "given  = [\"most\"");
    assert_eq!(client.edited(".terraschema.hcl", &edit), expected);
}
