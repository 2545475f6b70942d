//! `textDocument/rename` and `textDocument/prepareRename`

use serde_json::{Value, json};
use testkit::client::Client;

const FILES: [(&str, &str); 9] = [
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
    // Terraform drops such a value, with a warning.
    ("app/more.auto.tfvars", "extra = 1\n"),
];

fn rename(client: &mut Client, name: &str, text: &str, new: &str) -> Result<Value, String> {
    let mut params = client.at(name, text);
    params["newName"] = json!(new);
    let id = client.ask("textDocument/rename", params);
    client.answer(id).response_result.map_err(|it| it.message)
}

#[test]
fn a_variable_has_its_new_name_everywhere() {
    let mut client = Client::new(&FILES);
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
        // Text that only looks like a reference stays as it is.
        ("app/more.tf.json", FILES[2].1.replacen("var.size}", "var.count_of}", 1)),
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
    // Half of a surrogate pair is not a text.
    let broken = "{\"output\": {\"o\": {\"value\": \"\\ud800 ${var.size}\"}}}";
    client.write("app/more.tf.json", broken);
    let why = rename(&mut client, "app/prod.tfvars", "si|ze = 1\n", "other").unwrap_err();
    assert!(why.contains("more.tf.json"), "{why}");
}

/// Terraform reads the parts of a declaration as they are, and every other text of JSON as a template.
#[test]
fn templates_of_json_are_renamed_wherever_they_are() {
    let text = r#"[{"variable": [{"size": [{"default": "${var.size}", "description": "${var.size}", "validation":
[{"condition": "${var.size != \"\u00e9\ud83d\ude00\"}", "error_message": "${var.size}"}]}]}]},
{"resource": {"r": {"x": {"description": "\u0024{v\u0061r.s\u0069ze} ${var.size} var.size ${v.var.size} ${"${ var . size }"}",
"a": {"//": "${var.size}", "${var.size}": 1, "b": "$${var.size}"}}}}}]"#;
    let text = text.replace("${\"${ var . size }\"}", "${\\\"${ var . size }\\\"}");
    let expected = text
        .replace("{\"size\"", "{\"most\"")
        .replace("${var.size", "${var.most")
        .replace("$${var.most", "$${var.size")
        .replace("var . size", "var . most")
        .replace("s\\u0069ze", "most");
    let literal = "\"default\": \"${var.size}\", \"description\": \"${var.size}\"";
    let expected = expected.replacen(&literal.replace("size", "most"), literal, 1);
    let mut client = Client::new(&[("all.tf.json", &text), ("a.tfvars", "size = 1\n")]);
    let edit = rename(&mut client, "a.tfvars", "si|ze = 1\n", "most").unwrap();
    assert_eq!(client.edited("all.tf.json", &edit), expected);
    // It is found from there, too, and from a call in arrays.
    let place = text.replacen(" ${var.s", " ${var.|s", 1);
    assert_eq!(rename(&mut client, "all.tf.json", &place, "most").unwrap(), edit);
    let call = r#"{"module": [{"m": [{"source": "./m", "size": 1}]}]}"#;
    let mut client = Client::new(&[("call.tf.json", call), ("m/a.tf", "variable \"size\" {}\n")]);
    let place = call.replacen("size", "si|ze", 1);
    let edit = rename(&mut client, "call.tf.json", &place, "most").unwrap();
    assert_eq!(client.edited("call.tf.json", &edit), call.replace("size", "most"));
    assert_eq!(client.edited("m/a.tf", &edit), "variable \"most\" {}\n");
}

/// Terraform gives the values of a file of tests to each module that a run is about.
#[test]
fn tests_are_renamed_where_they_are_about_the_module() {
    let native = "run \"a\" {\n  module { source = \"./app\" }\n  variables { size = var.size }\n  assert { condition = var.size == 1 }\n}\n\
        run \"b\" {\n  variables { size = 1 }\n  assert { condition = var.size == 1 }\n}\n";
    let expected = native.replacen("{ size", "{ most", 1).replacen(
        "condition = var.size",
        "condition = var.most",
        1,
    );
    let json = r#"{"variables": {"size": 1}, "provider": {"p": {"a": "${var.size}"}}, "run": {"x": {"variables": {"size": "${var.size}"}, "assert": [{"condition": "${var.size == 1}"}]}}}"#;
    let files = [
        ("app/a.tf", "variable \"size\" {}\n"),
        ("main.tf", "variable \"size\" {}\n"),
        ("tests/n.tftest.hcl", native),
        ("app/j.tftest.json", json),
    ];
    let mut client = Client::new(&files);
    let edit = rename(&mut client, "app/a.tf", "variable \"si|ze\" {}\n", "most").unwrap();
    assert_eq!(client.edited("tests/n.tftest.hcl", &edit), expected);
    assert_eq!(client.edited("app/j.tftest.json", &edit), json.replace("size", "most"));
    client.write(
        "tests/n.tftest.hcl",
        "variables {\n  size = 1\n}\nrun \"a\" {\n  module {\n    source = \"./app\"\n  }\n}\nrun \"b\" {}\n",
    );
    let why = rename(&mut client, "app/a.tf", "variable \"si|ze\" {}\n", "most").unwrap_err();
    assert!(why.contains("n.tftest.hcl") && why.contains("another module"), "{why}");
}

/// A module that declares no variables has no values files, so those next to it are for the module above.
#[test]
fn values_below_a_module_without_variables_are_renamed() {
    let files = [
        ("main.tf", "variable \"size\" {}\n"),
        ("sub/main.tf", "locals {\n  a = 1\n}\n"),
        ("sub/prod.tfvars", "size = 1\n"),
        ("own/main.tf", "variable \"size\" {}\n"),
        ("own/prod.tfvars", "size = 1\n"),
    ];
    let mut client = Client::new(&files);
    let edit = rename(&mut client, "main.tf", "variable \"si|ze\" {}\n", "most").unwrap();
    let changed = |name: &str| client.edited(name, &edit) != client.edited(name, &json!({}));
    let names = files.map(|it| it.0).into_iter().filter(|it| changed(it));
    assert_eq!(names.collect::<Vec<_>>(), ["main.tf", "sub/prod.tfvars"]);
}

/// A file of two modules would lack the value of one of them.
#[test]
fn values_of_another_module_are_not_renamed() {
    let configuration = "input \"a\" {\n  modules = [\"*\"]\n  files   = [\"all.tfvars\"]\n}\n";
    let mut files = vec![
        ("a/a.tf", "variable \"size\" {}\nvariable \"own\" {}\n"),
        ("b/b.tf", "variable \"size\" {}\n"),
        ("all.tfvars", "size = 1\nown = 1\n"),
        (".terraschema.hcl", configuration),
    ];
    let mut client = Client::new(&files);
    let text = files.remove(0).1;
    let why = rename(&mut client, "a/a.tf", &text.replace("size", "si|ze"), "most").unwrap_err();
    assert!(why.contains("all.tfvars") && why.contains("in b,"), "{why}");
    let edit = rename(&mut client, "a/a.tf", &text.replace("own", "o|wn"), "most").unwrap();
    assert_eq!(client.edited("all.tfvars", &edit), "size = 1\nmost = 1\n");
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
    let why = rename(&mut client, "app/prod.tfvars", "si|ze = 1\n", "extra").unwrap_err();
    assert!(why.contains("app/more.auto.tfvars gives a value to \"extra\" already"), "{why}");
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
