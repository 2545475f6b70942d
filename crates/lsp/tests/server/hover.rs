//! `textDocument/hover`

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = r#"variable "size" {
  type        = number
  default     = 2
  description = "How many."
  validation {
    condition     = var.size > 1
    error_message = "At least two."
  }
}
variable "key" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
variable "cfg" {
  type = object({ port = number, mode = optional(string, "slow") })
}
"#;

fn hover(client: &mut Client, name: &str, text: &str) -> String {
    let params = client.at(name, text);
    client.diagnostics(name);
    let found = client.request("textDocument/hover", params);
    found["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_variable_shows_its_type_its_default_and_its_rules() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let text = hover(&mut client, "prod.tfvars", "si|ze = 3\n");
    for part in ["size: number", "default `2`", "How many.", "At least two. — ✓ passes"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = hover(&mut client, "prod.tfvars", "si|ze = 1\n");
    assert!(text.contains("At least two. — ✗ fails (var.size is 1)"), "{text}");
}

/// What was not judged is not said to pass.
#[test]
fn a_rule_that_nobody_can_decide_has_no_verdict() {
    let rule = MODULE.replace("var.size > 1", "var.size > 1 && fileexists(\"/etc/x\")");
    let mut client = Client::new(&[("variables.tf", &rule)]);
    let text = hover(&mut client, "prod.tfvars", "si|ze = 3\n");
    assert!(text.contains("At least two.") && !text.contains("passes"), "{text}");
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let text = hover(&mut client, "prod.tfvars", "si|ze = 3\ncfg = {\n");
    assert!(text.contains("At least two.") && !text.contains("passes"), "{text}");
}

#[test]
fn an_attribute_shows_its_own_type() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let text = hover(&mut client, "prod.tfvars", "cfg = { mo|de = \"x\" }");
    assert!(text.contains("cfg.mode: string") && text.contains("default `\"slow\"`"), "{text}");
    let text = hover(&mut client, "prod.tfvars.json", "{\"cfg\": {\"po|rt\": 1}}");
    assert!(text.contains("cfg.port: number") && text.contains("required"), "{text}");
}

#[test]
fn a_sensitive_default_is_not_shown() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let text = hover(&mut client, "prod.tfvars", "k|ey = \"x\"\n");
    assert!(text.contains("sensitive") && !text.contains("hunter2"), "{text}");
}

#[test]
fn references_and_arguments_show_the_variable() {
    let mut client = Client::new(&[("app/variables.tf", MODULE)]);
    let text = hover(&mut client, "app/main.tf", "output \"a\" {\n  value = \"${var.si|ze}\"\n}\n");
    assert!(text.contains("size: number"), "{text}");
    let call = "module \"app\" {\n  source = \"./app\"\n  si|ze = 3\n}\n";
    let text = hover(&mut client, "main.tf", call);
    assert!(text.contains("size: number"), "{text}");
}

#[test]
fn nothing_is_shown_where_there_is_no_variable() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    for text in ["|# comment\n", "oth|er = 1\n", "cfg = { x| = 1 }\n", "|"] {
        let params = client.at("prod.tfvars", text);
        assert_eq!(client.request("textDocument/hover", params), Value::Null, "{text}");
    }
}

#[test]
fn no_text_shows_a_secret_default() {
    let module = "variable \"key\" {\n  type = object({ a = optional(string, \"hunter2\") })\n  sensitive = true\n  \
        default = {}\n  description = \"By default hunter2.\"\n  validation {\n    condition = var.key.a != \"x\"\n    \
        error_message = \"Keep hunter2.\"\n  }\n}\nvariable \"b\" {\n  description = \"As hunter2.\"\n}\n";
    let mut client = Client::new(&[("variables.tf", module)]);
    for text in ["ke|y = {}\n", "b| = 1\n", "key = { a| = 1 }\n"] {
        let params = client.at("prod.tfvars", text);
        let found = client.request("textDocument/hover", params).to_string();
        assert!(found.contains("value") && !found.contains("hunter2"), "{found}");
    }
}

#[test]
fn a_reference_shows_its_value_with_each_input_set() {
    let module =
        "variable \"size\" {\n  type = number\n}\nvariable \"key\" {\n  sensitive = true\n}\n";
    let mut client = Client::new(&[
        ("variables.tf", module),
        (
            "locals.tf",
            "locals {\n  twice = var.size * 2\n  secret = \"${var.key}x\"\n  later = terraform_data.a.id\n}\n\
            resource \"terraform_data\" \"a\" {}\n",
        ),
        ("env/dev.tfvars", "size = 1\nkey = \"hunter2\"\n"),
        ("env/prod.tfvars", "size = 3\nkey = \"hunter2\"\n"),
    ]);
    let mut hover = |value: &str| {
        let params = client.at("main.tf", &format!("output \"o\" {{\n  value = {value}\n}}\n"));
        let found = client.request("textDocument/hover", params);
        found["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let found = hover("local.twi|ce + 1");
    let (dev, prod) = ("- with `env/dev.tfvars`: `2`", "- with `env/prod.tfvars`: `6`");
    assert_eq!(found, format!("```terraform\nlocal.twice\n```\n\n{dev}\n{prod}\n"));
    let found = hover("[var.si|ze]");
    assert!(found.contains("size: number") && found.contains("prod.tfvars`: `3`"), "{found}");
    for it in ["local.secr|et", "var.ke|y", "local.lat|er", "local.nothi|ng"] {
        let found = hover(it);
        assert!(!found.contains("- with") && !found.contains("hunter2"), "{it}: {found}");
    }
}

#[test]
fn a_whole_expression_shows_its_value() {
    let mut client = Client::new(&[
        ("variables.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("env/prod.tfvars", "size = 3\n"),
    ]);
    let mut hover = |value: &str| {
        let params = client.at("main.tf", &format!("output \"o\" {{\n  {value}\n}}\n"));
        let found = client.request("textDocument/hover", params);
        found["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    for (text, expression, value) in [
        ("val|ue = max(var.size, 2) + 1", "max(var.size, 2) + 1", "4"),
        ("value = max(var.size, 2) |+ 1", "max(var.size, 2) + 1", "4"),
        ("value = ma|x(var.size, 2) + 1", "max(var.size, 2)", "3"),
        // What is inside of a loop has a value as a whole only.
        (
            "value = [for i in range(var.size) : i |* 2]",
            "[for i in range(var.size) : i * 2]",
            "[0, 2, 4]",
        ),
    ] {
        let expected =
            format!("```terraform\n{expression}\n```\n\n- with `env/prod.tfvars`: `{value}`\n");
        assert_eq!(hover(text), expected, "{text}");
    }
    for text in [
        "val|ue = 1",
        "value = |1 + 1",
        "value = noth|ing(var.size)",
        "value = terraform_data.a|.id",
    ] {
        assert_eq!(hover(text), "", "{text}");
    }
}

#[test]
fn an_input_set_is_chosen_by_a_command_or_a_setting() {
    let files = [
        ("variables.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("base.tfvars", "size = 1\n"),
        ("env/prod.tfvars", "size = 3\n"),
    ];
    let text = "output \"o\" {\n  value = var.si|ze\n}\n";
    let lines = |client: &mut Client| {
        let params = client.at("main.tf", text);
        let found = client.request("textDocument/hover", params);
        let found = found["contents"]["value"].as_str().unwrap_or_default().to_owned();
        found.lines().filter(|it| it.starts_with("- with")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (base, prod) = ("- with `base.tfvars`: `1`", "- with `env/prod.tfvars`: `3`");
    let mut client = Client::new(&files);
    assert_eq!(lines(&mut client), [base, prod]);
    let run = |client: &mut Client, command: &str, argument: Value| {
        let command = format!("terraschema.server.{command}");
        let params = json!({"command": command, "arguments": [argument]});
        client.request("workspace/executeCommand", params)
    };
    let uri = json!(client.uri("main.tf"));
    assert_eq!(run(&mut client, "inputSets", uri), json!(["base.tfvars", "env/prod.tfvars"]));
    run(&mut client, "useInputSet", json!("env/prod.tfvars"));
    assert_eq!(lines(&mut client), [prod]);
    // In a module without it every set is shown.
    run(&mut client, "useInputSet", json!("other"));
    assert_eq!(lines(&mut client), [base, prod]);
    run(&mut client, "useInputSet", Value::Null);
    assert_eq!(lines(&mut client), [base, prod]);
    let settings = json!({"terraschema": {"inputSet": "prod.tfvars"}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    assert_eq!(lines(&mut client), [prod]);
    // The files of an `input` block are one set.
    let blocks = "input \"live\" {\n  files = [\"base.tfvars\", \"env/prod.tfvars\"]\n}\n\
        input \"each\" {\n  each = [\"base.tfvars\"]\n}\n";
    client.write(".terraschema.hcl", blocks);
    let uri = json!(client.uri("main.tf"));
    assert_eq!(run(&mut client, "inputSets", uri), json!(["live", "base.tfvars"]));
    run(&mut client, "useInputSet", json!("live"));
    assert_eq!(lines(&mut client), ["- with `live`: `3`"]);
}

#[test]
fn a_default_is_the_value_without_a_values_file() {
    let mut client = Client::new(&[("variables.tf", "variable \"size\" {\n  default = 2\n}\n")]);
    let params = client.at("main.tf", "locals {\n  a = var.si|ze\n}\n");
    let found = client.request("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(found.contains("- with the defaults: `2`"), "{found}");
    client.write("terraform.tfvars", "size = 5\n");
    let params = client.at("main.tf", "locals {\n  a = var.si|ze\n}\n");
    let found = client.request("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(found.contains("- with the automatic values files: `5`"), "{found}");
}

#[test]
fn placeholders_of_an_example_are_no_values() {
    let mut client = Client::new(&[("variables.tf", "variable \"size\" {}\n")]);
    client.write("terraform.tfvars.example", "size = \"<a number>\"\n");
    let params = client.at("main.tf", "locals {\n  a = var.si|ze\n}\n");
    let found = client.request("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(!found.contains("example"), "{found}");
}

#[test]
fn an_attribute_shows_the_rules_of_its_variable() {
    let module = "variable \"cfg\" {\n  type = object({ mode = string })\n  validation {\n    \
        condition = contains([\"slow\", \"fast\"], var.cfg.mode)\n    error_message = \"No.\"\n  }\n}\n";
    let mut client = Client::new(&[("variables.tf", module)]);
    let params = client.at("prod.tfvars", "cfg = { mo|de = \"fats\" }\n");
    let found = client.request("textDocument/hover", params)["contents"]["value"].to_string();
    assert!(found.contains("cfg.mode: string") && found.contains("fails"), "{found}");
}

/// The product is decided as for diagnostics, also for a file that is new.
#[test]
fn modules_of_opentofu_are_read() {
    let text = "variable \"si|ze\" {\n  type = number\n}\n";
    let plain = text.replace('|', "");
    let mut client = Client::new(&[("m/main.tofu", &plain), ("m/prod.tfvars", "")]);
    assert!(hover(&mut client, "m/main.tofu", text).contains("size: number"));
    assert!(hover(&mut client, "m/prod.tfvars", "si|ze = 1\n").contains("size: number"));
    let mut client = Client::new(&[("m/README.md", "")]);
    assert!(hover(&mut client, "m/new.tofu", text).contains("size: number"));
}
