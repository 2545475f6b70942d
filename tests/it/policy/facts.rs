//! What the JSON report has of a policy's finding.

use serde_json::{Value, json};

use super::command;

const RULES: &str = r#"rule "a" {
  message = "Because."
  resource "t" {
    v = any("x",
      "y")
    secret = "s"
  }
}

rule "b" {
  forbid "t" {
    v = "n"
  }
}

rule "c" {
  output "*" {
    sensitive = false
  }
}
"#;

/// The parts of each finding, as the report has them.
fn parts(report: &Value) -> Vec<Value> {
    let members = ["rule", "level", "address", "path", "outcome", "action", "expected", "found"];
    let part = |it: &Value| {
        let all = members.iter().filter_map(|name| Some((*name, it.get(name)?.clone())));
        all.map(|(name, value)| (name.to_owned(), value)).collect()
    };
    report["findings"].as_array().unwrap().iter().map(part).map(Value::Object).collect()
}

#[test]
fn findings_have_their_parts_as_the_published_schema_says() {
    let change = |name: &str, v: &Value, secret: &str| {
        json!({"address": format!("t.{name}"), "mode": "managed", "type": "t", "name": name,
            "change": {"actions": ["create"], "before": null,
                "after": {"v": v, "secret": secret}, "after_unknown": {"v": v.is_null()},
                "after_sensitive": {"secret": true}}})
    };
    let plan = json!({
        "format_version": "1.2",
        "resource_changes": [change("n", &json!("n"), "planted"), change("u", &Value::Null, "s")],
        "output_changes": {"o": {"actions": ["create"], "before": null, "after": "planted",
            "after_unknown": false, "after_sensitive": true}},
        "configuration": {"root_module": {"outputs": {"o": {"sensitive": true}}}},
    });
    let files = [("a.rules.hcl", RULES), ("plan.json", &plan.to_string())];
    let (code, out, _) = command(&files, "--plan plan.json a.rules.hcl --format json -v");
    assert_eq!(code, 1, "{out}");
    assert!(!out.contains("planted"), "{out}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let wanted = "any(\"x\", \"y\")";
    assert_eq!(
        parts(&report),
        [
            json!({"rule": "policy/a", "level": "error", "address": "t.n", "path": "/v",
                "outcome": "fail", "action": "create", "expected": wanted, "found": "\"n\""}),
            json!({"rule": "policy/a", "level": "warning", "address": "t.u", "path": "/v",
                "outcome": "undecided", "action": "create", "expected": "\"x\""}),
            json!({"rule": "policy/a", "level": "warning", "address": "t.u", "path": "/v",
                "outcome": "undecided", "action": "create", "expected": "\"y\""}),
            json!({"rule": "policy/a", "level": "error", "address": "t.n", "path": "/secret",
                "outcome": "fail", "action": "create", "expected": "\"s\"",
                "found": "a sensitive value"}),
            json!({"rule": "policy/b", "level": "error", "address": "t.n",
                "outcome": "fail", "action": "create"}),
            json!({"rule": "policy/b", "level": "warning", "address": "t.u", "path": "/v",
                "outcome": "undecided", "action": "create", "expected": "\"n\""}),
            json!({"rule": "policy/c", "level": "error", "address": "output.o", "path": "/sensitive",
                "outcome": "fail", "action": "create", "expected": "false", "found": "true"}),
        ]
    );
    let schema = std::fs::read_to_string("docs/report.schema.json").unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<String> = validator.iter_errors(&report).map(|it| it.to_string()).collect();
    assert!(problems.is_empty(), "{problems:?}");
    // Reading it back keeps them.
    let read = report::from_json(&out).unwrap();
    let facts: Vec<_> = read.findings.iter().map(|it| it.policy.clone().unwrap()).collect();
    assert_eq!(facts[0].found.as_deref(), Some("\"n\""));
    assert_eq!(facts[1].found, None);
}
