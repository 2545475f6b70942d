//! `textDocument/completion`

use serde_json::{Value, json};
use testkit::client::Client;

const MODULE: &str = r#"variable "env" {
  type        = string
  description = "Where it runs."
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod."
  }
}
variable "size" {
  type    = number
  default = 2
}
variable "on" {
  type    = bool
  default = true
}
variable "key" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
variable "cfg" {
  type = object({
    port = number
    mode = optional(string, "slow")
    tags = optional(map(object({ name = string, on = optional(bool) })))
  })
  default = { port = 1 }
  validation {
    condition     = contains(["slow", "fast"], var.cfg.mode)
    error_message = "slow or fast."
  }
}
"#;

fn items(client: &mut Client, name: &str, text: &str) -> Vec<Value> {
    let params = client.at(name, text);
    let found = client.request("textDocument/completion", params);
    found.as_array().cloned().unwrap_or_default()
}

fn labels(client: &mut Client, name: &str, text: &str) -> Vec<String> {
    let label = |it: &Value| it["label"].as_str().unwrap().to_owned();
    items(client, name, text).iter().map(label).collect()
}

fn client() -> Client {
    let snippets =
        json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
    Client::with(&[("variables.tf", MODULE)], snippets, json!({}))
}

#[test]
fn variables_without_a_value_are_offered() {
    let mut client = client();
    let found = items(&mut client, "prod.tfvars", "size = 1\n|\non = true\n");
    let labels: Vec<&str> = found.iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["env", "key", "cfg"]);
    assert_eq!(found[0]["detail"], "string · required");
    assert_eq!(found[0]["documentation"]["value"], "Where it runs.");
    assert_eq!(found[1]["detail"], "string · optional, sensitive");
    let text = |at: usize| found[at]["textEdit"]["newText"].as_str().unwrap().to_owned();
    assert_eq!(text(0), "env = \"$1\"");
    assert_eq!(text(2), "cfg = {\n  port = $1\n}", "required attributes are filled in");
}

#[test]
fn attributes_are_offered_at_any_depth() {
    let mut client = client();
    let mut found = |text: &str| labels(&mut client, "prod.tfvars", text);
    assert_eq!(found("cfg = { | }"), ["mode", "port", "tags"]);
    assert_eq!(found("cfg = {\n  port = 1\n  m|\n}"), ["mode", "tags"]);
    assert_eq!(found("cfg = { tags = { a = { name = \"x\", | } } }"), ["on"]);
    assert_eq!(found("cfg = { tags = { | } }"), [""; 0], "keys of a map are the author's");
}

#[test]
fn values_that_a_rule_allows_are_offered() {
    let mut client = client();
    let mut found = |text: &str| labels(&mut client, "prod.tfvars", text);
    assert_eq!(found("env = |\n"), ["\"dev\"", "\"prod\""]);
    assert_eq!(found("env = \"|\"\nsize = 1\n"), ["\"dev\"", "\"prod\""]);
    assert_eq!(found("env = \"p|\n"), ["\"dev\"", "\"prod\""]);
    assert_eq!(found("on = |"), ["true", "false"]);
    assert_eq!(found("size = |"), ["2"]);
    assert_eq!(found("key = |"), [""; 0], "nothing of a sensitive variable is offered");
    assert_eq!(found("cfg = { port = 1, mode = | }"), ["\"slow\"", "\"fast\""]);
}

#[test]
fn a_default_that_a_rule_refuses_is_not_offered() {
    let module = "variable \"a\" {\n  type = number\n  default = 1\n  validation {\n    condition = \
        var.a > 5\n    error_message = \"No.\"\n  }\n}\n";
    let mut client = Client::new(&[("variables.tf", module)]);
    assert_eq!(labels(&mut client, "prod.tfvars", "a = |"), [""; 0]);
}

#[test]
fn json_gets_json() {
    let mut client = client();
    let found = items(&mut client, "prod.tfvars.json", "{\"on\": true, \"|\"}");
    assert_eq!(found[0]["label"], "env");
    assert_eq!(found[0]["textEdit"]["newText"], "\"env\": \"$1\"");
    let labels = labels(&mut client, "prod.tfvars.json", "{\"env\": |}");
    assert_eq!(labels, ["\"dev\"", "\"prod\""]);
}

#[test]
fn arguments_of_calls_are_offered() {
    let mut client = Client::new(&[("app/variables.tf", MODULE)]);
    let call = |body: &str| format!("module \"app\" {{\n  source = \"./app\"\n  {body}\n}}\n");
    let mut found = |body: &str| labels(&mut client, "main.tf", &call(body));
    assert_eq!(found("|"), ["env", "size", "on", "key", "cfg"]);
    assert_eq!(found("env = |")[..2], ["\"dev\"", "\"prod\""]);
    assert_eq!(found("env = \"|\""), ["\"dev\"", "\"prod\""], "no expression is inside of quotes");
    assert_eq!(found("cfg = { | }"), ["mode", "port", "tags"]);
}

#[test]
fn expressions_name_what_the_module_declares() {
    let called =
        "output \"id\" {\n  value = 1\n}\noutput \"key\" {\n  value = 1\n  sensitive = true\n}\n";
    let mut client = Client::new(&[
        ("variables.tf", MODULE),
        ("locals.tf", "locals {\n  first = 1\n  other = 2\n}\n"),
        ("app/outputs.tf", called),
        (
            "calls.tf",
            "module \"app\" {\n  source = \"./app\"\n}\nmodule \"many\" {\n  source = \"./app\"\n  \
            count = 2\n}\nresource \"null_resource\" \"a\" {}\ndata \"x_y\" \"z\" {}\n",
        ),
    ]);
    let mut found = |value: &str| {
        labels(&mut client, "main.tf", &format!("output \"o\" {{\n  value = {value}\n}}\n"))
    };
    assert_eq!(found("var.|"), ["env", "size", "on", "key", "cfg"]);
    assert_eq!(found("[upper(var.e|nv)]"), ["env", "size", "on", "key", "cfg"]);
    assert_eq!(found("var.cfg.|"), ["mode", "port", "tags"]);
    assert_eq!(found("\"a-${local.|}\""), ["first", "other"]);
    assert_eq!(found("module.|"), ["app", "many"]);
    assert_eq!(found("module.app.|"), ["id", "key"]);
    assert_eq!(found("module.many.|"), [""; 0], "an instance is chosen first");
    assert_eq!(found("null_resource.|"), ["a"]);
    assert_eq!(found("data.|"), ["x_y"]);
    assert_eq!(found("data.x_y.|"), ["z"]);
    assert_eq!(found("path.|"), ["cwd", "module", "root"]);
    let all = found("l|");
    for it in ["var", "local", "module", "data", "null_resource", "lower", "length"] {
        assert!(all.iter().any(|label| label == it), "{it}: {all:?}");
    }
    for text in ["\"var.|\"", "1 # var.|", "<<E\nvar.|\nE"] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn functions_are_offered_in_conditions() {
    let mut client = client();
    let text = "variable \"a\" {\n  validation {\n    condition = leng|\n    error_message = \"No.\"\n  }\n}\n";
    let found = items(&mut client, "main.tf", text);
    let length = found.iter().find(|it| it["label"] == "length").unwrap();
    assert_eq!(length["textEdit"]["newText"], "length($1)");
    assert_eq!(length["detail"], "length(value: any)");
    let found = items(&mut client, "main.tf", &text.replace("leng|", "leng|th(var.a)"));
    let length = found.iter().find(|it| it["label"] == "length").unwrap();
    assert_eq!(length["textEdit"]["newText"], "length");
    assert_eq!(length["textEdit"]["range"]["end"]["character"], 22);
}

#[test]
fn settings_are_offered_in_configurations() {
    let mut client = Client::new(&[]);
    let mut found = |text: &str| labels(&mut client, ".terraschema.hcl", text);
    let all = found("calls = true\n|");
    assert!(!all.contains(&"calls".to_owned()), "{all:?}");
    for it in ["terraform_version", "given", "input", "rule"] {
        assert!(all.iter().any(|label| label == it), "{it}: {all:?}");
    }
    let of_input = found("input \"prod\" {\n  module = \"app\"\n  |\n}\n");
    assert!(of_input.contains(&"files".to_owned()) && !of_input.contains(&"module".to_owned()));
    let rules = found("rule \"|\" {\n}\n");
    assert!(rules.iter().any(|it| it.starts_with("type-mis")), "{rules:?}");
    assert_eq!(found("input \"prod\" {\n  module = |\n}\n"), [""; 0]);
}

#[test]
fn rules_of_policies_are_offered_in_configurations() {
    let rules = "rule \"private-buckets\" {\n  resource \"aws_s3_bucket\" {\n    acl = \"private\"\n  }\n}\n";
    let mut client = Client::new(&[
        (".terraschema.hcl", "policy {\n  rules = [\"policies\"]\n}\n"),
        ("policies/buckets.rules.hcl", rules),
        ("app/main.tf", "variable \"a\" {}\n"),
    ]);
    let wanted = "policy/private-buckets".to_owned();
    // An unsaved policy, a file below another, and a block that is not closed yet.
    let policy = "policy {\n  rules = [\"policies\"]\n}\n";
    for (name, text) in [
        (".terraschema.hcl", format!("{policy}rule \"|\" {{\n}}\n")),
        (".terraschema.hcl", format!("{policy}ignore \"pol|")),
        ("app/.terraschema.hcl", "rule \"|\" {\n  level = \"error\"\n}\n".to_owned()),
    ] {
        let found = labels(&mut client, name, &text);
        assert!(found.contains(&wanted) && found.len() > 50, "{name} {text}: {found:?}");
    }
    // With errors in its rules a policy has none.
    client.open_text("policies/buckets.rules.hcl", "rule \"private-buckets\" {\n");
    let found = labels(&mut client, ".terraschema.hcl", &format!("{policy}rule \"|\" {{\n}}\n"));
    assert!(!found.contains(&wanted) && found.len() > 50, "{found:?}");
}

#[test]
fn values_of_settings_are_offered() {
    let mut client = Client::new(&[]);
    let mut found = |text: &str| labels(&mut client, ".terraschema.hcl", text);
    assert_eq!(found("calls = |"), ["true", "false"]);
    let levels = ["error", "warning", "note", "off"];
    assert_eq!(found("rule \"type-mismatch\" {\n  level = \"|\"\n}\n"), levels);
    assert_eq!(found("rule \"type-mismatch\" {\n  level = |\n}\n"), levels);
    assert!(found("schema {\n  draft = \"|\"\n}\n").len() > 1);
    assert!(found("docs {\n  sections = [\"inputs\", \"|\"]\n}\n").len() > 1);
    assert_eq!(found("docs {\n  sections = |\n}\n"), [""; 0]);
    assert_eq!(found("rule \"type-mismatch\" {\n  paths = [\"|\"]\n}\n"), [""; 0]);
    let text = "rule \"type-mismatch\" {\n  level = \"|\n}\n";
    let item = &items(&mut client, ".terraschema.hcl", text)[0];
    assert_eq!(item["textEdit"]["newText"], "\"error\"");
    assert_eq!(item["textEdit"]["range"]["start"]["character"], 10);
}

const RULES: &str = r#"context "owner" {
  type = string
}
locals {
  short = string({ max_length = 3 })
}
"#;

#[test]
fn the_policy_language_is_offered_in_rules() {
    let module = "resource \"aws_s3_bucket\" \"a\" {\n  acl = \"private\"\n  versioning {\n    enabled = true\n  }\n}\n\
        data \"aws_region\" \"r\" {}\n";
    let mut client = Client::new(&[("main.tf", module)]);
    let mut found = |text: &str| labels(&mut client, "a.rules.hcl", &format!("{RULES}{text}"));
    assert_eq!(found("|"), ["context", "locals", "rule", "test"]);
    let in_rule = found("rule \"a\" {\n  level = \"note\"\n  |\n}\n");
    for it in ["undecided", "when", "resource", "forbid", "count", "any_of"] {
        assert!(in_rule.iter().any(|label| label == it), "{it}: {in_rule:?}");
    }
    assert!(!in_rule.contains(&"level".to_owned()));
    let rule = |inside: &str| format!("rule \"a\" {{\n  {inside}\n}}\n");
    assert_eq!(found(&rule("level = \"|\"")), ["error", "warning", "note", "off"]);
    assert_eq!(found(&rule("when = { | }")), ["actions", "addresses", "except"]);
    assert!(found(&rule("when = { actions = [\"|\"] }")).contains(&"replace".to_owned()));
    assert_eq!(found(&rule("resource \"|\" {\n  }")), ["aws_s3_bucket"]);
    assert_eq!(found(&rule("resource \"|")), ["aws_s3_bucket"]);
    assert_eq!(found(&rule("forbid data \"|\" {\n  }")), ["aws_region"]);
    let bucket = |inside: &str| rule(&format!("resource \"aws_s3_bucket\" {{\n    {inside}\n  }}"));
    assert_eq!(found(&bucket("|")), ["acl", "count", "versioning", "where"]);
    assert_eq!(found(&bucket("versioning {\n      |\n    }")), ["enabled", "where"]);
    let values = found(&bucket("acl = |"));
    for it in ["required", "any", "string", "self", "parent", "local", "lower"] {
        assert!(values.iter().any(|label| label == it), "{it}: {values:?}");
    }
    assert_eq!(found(&bucket("acl = context.|")), ["owner"]);
    assert_eq!(found(&bucket("acl = local.|")), ["short"]);
    let options = ["min_length", "max_length", "pattern", "condition", "error_message"];
    assert_eq!(found(&bucket("acl = string({ | })")), options);
    assert_eq!(found(&bucket("acl = \"|\"")), [""; 0]);
    assert_eq!(found("test \"t\" {\n  expect = { a = \"|\" }\n}\n"), ["fail", "pass", "undecided"]);
}

#[test]
fn descriptions_with_a_secret_default_are_left_out() {
    let module = "variable \"key\" {\n  sensitive = true\n  default = \"hunter2\"\n  description = \"By default \
        hunter2.\"\n}\nvariable \"a\" {\n  description = \"Not hunter2.\"\n}\nvariable \"b\" {\n  description = \
        \"Fine.\"\n}\n";
    let mut client = Client::new(&[("variables.tf", module)]);
    let found = items(&mut client, "prod.tfvars", "|");
    assert_eq!(found.len(), 3);
    let text = serde_json::to_string(&found).unwrap();
    assert!(!text.contains("hunter2") && text.contains("Fine."), "{text}");
    let found = items(&mut client, "main.tf", "output \"o\" {\n  value = var.|\n}\n");
    assert_eq!(found.len(), 3);
    assert!(!serde_json::to_string(&found).unwrap().contains("hunter2"));
}

#[test]
fn a_key_with_a_value_is_replaced_alone() {
    let mut client = client();
    let found = items(&mut client, "prod.tfvars", "e| = \"dev\"\n");
    assert_eq!(found[0]["textEdit"]["newText"], "env");
}

#[test]
fn nothing_is_offered_where_nothing_is_known() {
    let mut client = Client::new(&[]);
    assert_eq!(labels(&mut client, "prod.tfvars", "|"), [""; 0]);
    assert_eq!(
        labels(&mut client, "main.tf", "module \"a\" {\n  source = \"./b\"\n  |\n}"),
        [""; 0]
    );
    assert_eq!(labels(&mut client, "main.tf", "resource \"a\" \"b\" {\n  |\n}"), [""; 0]);
}

#[test]
fn json_of_a_module_gets_arguments_and_names() {
    let files = [("app/variables.tf", MODULE), ("variables.tf", "variable \"here\" {}\n")];
    let mut client = Client::new(&files);
    let call = |rest: &str| {
        format!("{{\"module\": {{\"app\": {{\"source\": \"./app\", \"size\": 1, {rest}}}}}}}")
    };
    let found = labels(&mut client, "main.tf.json", &call("\"|\""));
    assert_eq!(found, ["env", "on", "key", "cfg"]);
    let found = labels(&mut client, "main.tf.json", &call("\"env\": \"|\""));
    assert_eq!(found, ["\"dev\"", "\"prod\""]);
    // Inside of a template nothing is possible as a whole value.
    let found = labels(&mut client, "main.tf.json", &call("\"env\": \"x-${var.|}\""));
    assert_eq!(found, ["here"]);
    for text in ["\"env\": \"$${var.|}\"", "\"env\": \"${var.here}.|\""] {
        let found = labels(&mut client, "main.tf.json", &call(text));
        assert!(!found.contains(&"here".to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn an_index_is_followed() {
    let nodes = "variable \"nodes\" {\n  type = map(list(object({ port = number })))\n}\n";
    let files = [("app/main.tf", "output \"id\" {\n  value = 1\n}\n"), ("variables.tf", nodes)];
    let mut client = Client::new(&files);
    let calls = "module \"one\" {\n  source = \"./app\"\n}\nmodule \"all\" {\n  source = \"./app\"\n  count = 2\n}\n";
    let mut of = |text: &str| {
        labels(&mut client, "main.tf", &format!("{calls}locals {{\n  a = {text}\n}}\n"))
    };
    assert_eq!(of("var.nodes[\"x\"][0].|"), ["port"]);
    assert_eq!(of("var.nodes[local.b[0]][*].|"), ["port"]);
    assert_eq!(of("var.nodes.x[0].|"), ["port"]);
    assert_eq!(of("module.one.|"), ["id"]);
    assert_eq!(of("module.all[0].|"), ["id"]);
    for nothing in ["var.nodes[0].|", "module.all.|", "module.one[0].|", "max(1).|", "].|"] {
        assert_eq!(of(nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn an_argument_gets_what_it_takes() {
    let mut client = Client::new(&[("variables.tf", MODULE)]);
    let mut of = |block: &str, text: &str| {
        labels(&mut client, "main.tf", &format!("{block} {{\n  {text}\n}}\n"))
    };
    let types = ["any", "bool", "list", "map", "number", "object", "set", "string", "tuple"];
    assert_eq!(of("variable \"x\"", "type = |"), types);
    assert_eq!(of("variable \"x\"", "type = list(s|)"), types);
    let attribute = of("variable \"x\"", "type = object({ a = | })");
    assert_eq!(attribute.last().unwrap(), "optional");
    assert_eq!(of("variable \"x\"", "sensitive = |"), ["false", "true"]);
    assert_eq!(of("variable \"x\"", "default = |"), [""; 0]);
    assert_eq!(of("terraform", "required_version = |"), [""; 0]);
    // Only what can have instances has an index and a key.
    let has_each = |found: Vec<String>| found.contains(&"each".to_owned());
    assert!(!has_each(of("output \"x\"", "value = |")));
    assert!(has_each(of("resource \"r\" \"x\"", "input = |")));
}

#[test]
fn an_object_is_offered_with_its_required_attributes() {
    let nodes =
        "variable \"nodes\" {\n  type = list(object({ port = number, on = optional(bool) }))\n}\n";
    let mut client = Client::new(&[("variables.tf", nodes)]);
    let found = items(&mut client, "prod.tfvars", "nodes = [|]\n");
    assert_eq!(found[0]["textEdit"]["newText"], "{\n  port = 0\n}", "{found:?}");
}
