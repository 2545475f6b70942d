//! Sensitive values appear in no output of any format.

use report::Format;
use serde_json::{Value, json};
use testkit::random::Random;

use super::command;

const RULES: &str = r#"
context "token" {
  type      = string
  sensitive = true
}
rule "r" {
  message = "token ${context.token}"
  resource "t" {
    secret = "other"
    nested = {
      inner = string({ max_length = 1, condition = false, error_message = "is ${self}" })
      list  = list(number)
    }
    plain = all(deny(required), string({ condition = parent.secret == "x" }), string({
      condition     = false
      error_message = "is ${parent.secret}"
    }))
    json    = json({ a = 1 })
    closed  = object({}, { unknowns = "forbid" })
    crashes = tonumber(parent.secret) > 3
  }
  forbid "t" {
    secret = required
  }
  variable "*" {
    value   = 1
    default = 1
  }
  output "*" {
    value = 1
  }
  provider "*" {
    password = 1
  }
  module "*" {
    password = 1
  }
}
rule "deleted" {
  when = { actions = ["delete", "update"] }
  resource "t" {
    secret = 1
  }
}
"#;

const PLAN: &str = r#"{
  "format_version": "1.2",
  "variables": {"v": {"value": "planted-v"}},
  "planned_values": {},
  "resource_changes": [
    {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "change": {
      "actions": ["create"], "before": null,
      "after": {"secret": "planted-a", "nested": {"inner": "planted-b", "list": ["planted-c"]},
        "plain": "open", "json": "{\"a\": \"planted-d\"}", "closed": {"k": "planted-e"}, "crashes": "x"},
      "after_unknown": {}, "before_sensitive": false,
      "after_sensitive": {"secret": true, "nested": {"inner": true, "list": [true]}, "json": true, "closed": true}
    }},
    {"address": "t.b", "mode": "managed", "type": "t", "name": "b", "change": {
      "actions": ["delete"], "before": {"secret": "planted-f"}, "after": null,
      "before_sensitive": {"secret": true}, "after_sensitive": false}}
  ],
  "output_changes": {"o": {"actions": ["create"], "before": null, "after": "planted-g",
    "after_unknown": false, "before_sensitive": true, "after_sensitive": true}},
  "configuration": {
    "provider_config": {"p": {"name": "p", "expressions": {"password": {"constant_value": "planted-h"}}}},
    "root_module": {
      "variables": {"v": {"default": "planted-i", "sensitive": true}},
      "outputs": {"o": {"sensitive": true, "expression": {"constant_value": "planted-j"}}},
      "module_calls": {"m": {"source": "./m", "expressions": {"password": {"constant_value": "planted-k"}},
        "module": {"variables": {"password": {"sensitive": true}}}}}
    }
  }
}"#;

#[test]
fn no_format_shows_a_secret() {
    let files = [("a.rules.hcl", RULES), ("plan.json", PLAN)];
    for (format, _) in Format::ALL {
        let arguments =
            format!("--plan plan.json a.rules.hcl --context token=planted-t -v --format {format}");
        let (code, out, err) = command(&files, &arguments);
        assert_eq!(code, 1, "{out}{err}");
        let text = out + &err;
        assert!(!text.contains("planted"), "{format}: {text}");
    }
    let (_, out, _) =
        command(&files, "--plan plan.json a.rules.hcl --context token=planted-t --format concise");
    for address in [
        "t.a (create): secret",
        "t.a (create): nested.inner",
        "nested.list[0]",
        ": closed: expected",
        "var.v: value",
        "var.v: default",
        "output.o (create): value",
        "provider.p: password",
        "module.m: password",
        "t.b (delete): secret",
        ": json: expected",
    ] {
        assert!(out.contains(address), "{address}\n{out}");
    }
}

/// Flags of a shape that Terraform does not write for a value hide all of it, and leave it open.
#[test]
fn flags_of_another_shape_hide_the_whole() {
    let rules = "rule \"r\" {\n  resource \"t\" {\n    secret = 1\n    open = 1\n  }\n}\n";
    let texts = ["\"planted\"", "[\"planted\"]", "{\"k\": \"planted\"}"];
    for (at, value) in texts.into_iter().enumerate() {
        for (is_fit, flags) in [
            ([false, false, false], "1"),
            ([false, false, false], "\"true\""),
            ([false, false, true], "{\"x\": true}"),
            ([false, true, false], "[true]"),
            ([false, true, false], "[[true], true]"),
        ] {
            if is_fit[at] {
                continue;
            }
            let change = |unknown: &str, sensitive: &str| {
                format!(
                    r#"{{"format_version": "1.2", "resource_changes": [{{"address": "t.a", "mode": "managed",
                    "type": "t", "name": "a", "change": {{"actions": ["create"], "before": null,
                    "after": {{"secret": {value}, "open": 2}}, "after_unknown": {{"secret": {unknown}}},
                    "after_sensitive": {{"secret": {sensitive}}}}}}}]}}"#
                )
            };
            for (format, _) in Format::ALL {
                let plan = change("false", flags);
                let files = [("a.rules.hcl", rules), ("plan.json", plan.as_str())];
                let arguments = format!("--plan plan.json a.rules.hcl -v --format {format}");
                let (code, out, err) = command(&files, &arguments);
                assert_eq!(code, 1, "{out}{err}");
                assert!(!(out + &err).contains("planted"), "{format}: {flags} for {value}");
            }
            let plan = change(flags, "true");
            let files = [("a.rules.hcl", rules), ("plan.json", plan.as_str())];
            let (_, out, _) = command(&files, "--plan plan.json a.rules.hcl --format concise");
            assert!(out.contains("secret: cannot be decided"), "{flags} for {value}: {out}");
            assert!(out.contains("open: expected 1, found 2"), "{out}");
        }
    }
}

#[test]
fn values_of_contexts_stand_in_no_excerpt() {
    let rules = "context \"t\" {\n  type = object({ a = number })\n  sensitive = true\n}\nrule \"r\" {\n  forbid \"t\" {}\n}\n";
    let files =
        [("a.rules.hcl", rules), ("plan.json", PLAN), ("c.hcl", "t = { a = \"planted-c\" }\n")];
    for arguments in
        ["--context t={a=\"planted-c\"}", "--context t={planted-c", "--context-file c.hcl"]
    {
        let (code, out, err) =
            command(&files, &format!("--plan plan.json a.rules.hcl {arguments}"));
        assert_eq!(code, 2, "{out}{err}");
        assert!(!(out + &err).contains("planted"), "{arguments}");
    }
}

#[test]
fn lines_of_json_are_not_shown_beside_a_plan() {
    let rules = "rule \"r\" {\n  resource \"t\" {\n    name = \"good\"\n  }\n}\n";
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "t.a", "mode": "managed",
        "type": "t", "name": "a", "change": {"actions": ["create"], "before": null,
        "after": {"name": "bad", "password": "planted"}, "after_sensitive": {"password": true}}}]}"#;
    let main = r#"{"resource": {"t": {"a": {"name": "bad", "password": "planted"}}}}"#;
    let files = [("a.rules.hcl", rules), ("plan.json", plan), ("src/main.tf.json", main)];
    let (code, out, err) = command(&files, "--plan plan.json --source src a.rules.hcl");
    assert_eq!((code, out.contains("src/main.tf.json:1:")), (1, true), "{out}{err}");
    assert!(!(out + &err).contains("planted"));
}

/// Only the root module's outputs are judged. A finding about an output shows its line.
#[test]
fn outputs_that_are_written_as_secrets_are_shown_nowhere() {
    let output = |attribute: &str| {
        format!("output \"o\" {{\n  {attribute}\n  value = \"planted\" # planted too\n}}\n")
    };
    let rules = "rule \"r\" {\n  output \"*\" {\n    value = 1\n  }\n}\n";
    for (attribute, is_shown) in [
        ("sensitive = true", false),
        ("ephemeral = true", false),
        ("sensitive = false", true),
        ("description = \"d\"", true),
    ] {
        for format in ["human", "json", "sarif"] {
            let files = [("main.tf", &*output(attribute)), ("r/a.rules.hcl", rules)];
            let (_, out, _) = command(&files, &format!("--config . r --format {format} -v"));
            assert!(out.contains("main.tf"), "{out}");
            assert_eq!(out.contains("planted"), is_shown, "{attribute}: {out}");
        }
    }
}

/// A finding about a block shows the line that it starts on. That line may hold more than the block's name.
#[test]
fn a_secret_on_the_line_of_a_block_is_not_shown_beside_it() {
    let rules = "rule \"r\" {\n  provider \"*\" {\n    other = required\n  }\n  resource \"t\" {\n    other = required\n  }\n  output \"*\" {\n    description = required\n  }\n}\n";
    for (file, line, is_shown) in [
        ("main.tf", "provider \"x\" { token = \"planted\" }", false),
        ("main.tf", "resource \"t\" \"a\" { one = false ? sensitive(\"planted\") : 1 }", false),
        (
            "main.tf",
            "resource \"t\" \"a\" { one = false ? core::sensitive(\"planted\") : 1 }",
            false,
        ),
        ("main.tf", "resource \"t\" \"a\" { one = [nonsensitive(sensitive(\"planted\"))] }", false),
        ("main.tf", "resource \"t\" \"a\" { one = upper(\"planted\") }", true),
        ("a.tf.json", r#"{"output": {"o": {"value": "planted", "sensitive": true}}}"#, false),
        ("a.tf.json", r#"{"output": {"o": {"value": "planted", "ephemeral": true}}}"#, false),
        ("a.tf.json", r#"{"output": {"o": {"value": "planted", "sensitive": false}}}"#, true),
    ] {
        let files = [(file, line), ("r/a.rules.hcl", rules)];
        let (code, out, err) = command(&files, "--config . r");
        assert!(code == 1 && out.contains(&format!(" {file}:1:")), "{line}: {out}{err}");
        assert_eq!(out.contains("planted"), is_shown, "{line}: {out}");
    }
}

/// A value with a text of its own in each key and each element, and the plan's flags for what is sensitive. The
/// texts in a sensitive part are collected.
fn planted(
    random: &mut Random,
    depth: usize,
    is_secret: bool,
    secrets: &mut Vec<String>,
) -> (Value, Value) {
    let hides = !is_secret && random.chance(35);
    let is_secret = is_secret || hides;
    let mut text = |random: &mut Random| {
        let text = format!("q{:07}", random.below(10_000_000));
        if is_secret {
            secrets.push(text.clone());
        }
        text
    };
    let (value, flags) = match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => (json!(text(random)), json!(false)),
        1 => (json!(format!("{{\"{}\": 1}}", text(random))), json!(false)),
        2 => {
            let all: Vec<_> = (0..random.below(4))
                .map(|_| planted(random, depth - 1, is_secret, secrets))
                .collect();
            let (values, flags): (Vec<Value>, Vec<Value>) = all.into_iter().unzip();
            (Value::Array(values), Value::Array(flags))
        }
        _ => {
            let (mut values, mut flags) = (serde_json::Map::new(), serde_json::Map::new());
            for _ in 0..random.below(4) {
                let key = format!("k{:07}", random.below(10_000_000));
                if is_secret {
                    secrets.push(key.clone());
                }
                let (value, flag) = planted(random, depth - 1, is_secret, secrets);
                values.insert(key.clone(), value);
                flags.insert(key, flag);
            }
            (Value::Object(values), Value::Object(flags))
        }
    };
    (value, if hides { json!(true) } else { flags })
}

/// Validators that look at every part of a value.
const CURIOUS: &[&str] = &[
    "map(\"x\")",
    "map(map(\"x\"))",
    "map(list(\"x\"))",
    "list(\"x\")",
    "list(map(number))",
    "list(list(\"x\"))",
    "map(required, { keys = any(\"x\") })",
    "map(required, { keys = string({ condition = false, error_message = \"key ${self}\" }) })",
    "map(map(required, { keys = self == \"x\" }))",
    "object({ q = optional(\"x\") }, { unknowns = \"forbid\" })",
    "map(object({}, { unknowns = \"forbid\" }))",
    "list(object({}, { unknowns = \"forbid\" }))",
    "string({ condition = false, error_message = \"is ${self}\" })",
    "map(string({ condition = false, error_message = \"is ${self} in ${jsonencode(parent)}\" }))",
    "any(json({ a = 1 }), json(map(2)), [\"x\"])",
    "json(map(string, { keys = \"x\" }))",
    "some(\"x\")",
    "map(some(\"x\"))",
    "tonumber(self) > 1",
    "regex(\"^x\", self) == \"x\"",
    "self.nothing == 1",
    "keys(self)[0] == \"x\"",
    "one(self) == 1",
    "jsonencode(self) == \"x\"",
    "{ nothing = required }",
    "[required, required]",
    "map(\"x\", { max_items = 0 })",
    "list(\"x\", { max_items = 0 })",
    "optional(\"x\", \"x\")",
    "attrs.other",
    "parent.other == \"x\" ? \"y\" : \"z\"",
];

/// No text of a sensitive part of a plan is in any output, be it a value or a key.
#[test]
fn no_sensitive_key_or_value_is_told() {
    let count = std::env::var("TERRASCHEMA_POLICY").ok().and_then(|it| it.parse().ok());
    let seed = std::env::var("TERRASCHEMA_SEED").ok().and_then(|it| it.parse().ok());
    let random = &mut Random::new(seed.unwrap_or(1));
    let mut told = 0;
    for _ in 0..count.unwrap_or(600) {
        let mut secrets = Vec::new();
        let (value, flags) = planted(random, 3, false, &mut secrets);
        let (other, other_flags) = planted(random, 2, false, &mut secrets);
        let validator = random.pick(CURIOUS);
        let (actions, sides) = match random.below(3) {
            0 => ("delete", ["before", "after"]),
            _ => ("create", ["after", "before"]),
        };
        let object = json!({"m": value, "other": other});
        let change = json!({"actions": [actions], sides[0]: object, sides[1]: null, "after_unknown": {},
            format!("{}_sensitive", sides[0]): {"m": flags, "other": other_flags},
            format!("{}_sensitive", sides[1]): false});
        let plan = json!({"format_version": "1.2", "resource_changes": [
            {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "change": change}]});
        let rules = format!(
            "rule \"r\" {{\n  when = {{ actions = [\"create\", \"delete\"] }}\n  resource \"t\" {{\n    m = {validator}\n  }}\n}}\n\
             rule \"block\" {{\n  when = {{ actions = [\"create\", \"delete\"] }}\n  resource \"t\" {{\n    m {{\n      nothing = {validator}\n    }}\n  }}\n}}\n\
             rule \"forbid\" {{\n  when = {{ actions = [\"create\", \"delete\"] }}\n  forbid \"t\" {{\n    m = {validator}\n  }}\n}}\n"
        );
        let files = [("a.rules.hcl", &*rules), ("plan.json", &*plan.to_string())];
        let (format, _) = random.pick(&Format::ALL);
        let (_, out, err) =
            command(&files, &format!("--plan plan.json a.rules.hcl -v --format {format}"));
        let text = out + &err;
        told += usize::from(text.contains("a sensitive value"));
        for secret in &secrets {
            assert!(!text.contains(secret), "{secret} {format}: {validator}\n{plan}\n{text}");
        }
    }
    assert!(told > 50, "{told} findings about sensitive values are too few");
}
