//! `needs`: a plan of Terraform 1.11.4 (`tests/data/policy/needs`), in which objects protect each other.

use serde_json::json;

use super::{command, errors, judged};
use crate::scaling::assert_linear;

const PLAN: &str = include_str!("../../data/policy/needs/plan.json");

const RULES: &str = r#"
rule "protected" {
  resource "terraform_data" {
    where {
      input = "bucket"
    }
  }
  needs "terraform_data" {
    input            = "block"
    triggers_replace = subject
  }
}
"#;

fn said(rules: &str) -> Vec<String> {
    said_of(PLAN, rules)
}

fn said_of(plan: &str, rules: &str) -> Vec<String> {
    let found = judged(rules, plan).findings;
    found.into_iter().map(|it| format!("{}: {}", it.level.as_str(), it.message)).collect()
}

#[test]
fn references_are_followed_as_far_as_the_plan_tells_them() {
    let one = |level, address| {
        let (what, rest) = match level {
            "error" => ("", "found no matching object that refers to it"),
            _ => (
                "cannot be decided yet: ",
                "and the objects that match and refer to it are known after apply",
            ),
        };
        format!(
            "{level}: terraform_data.{address} (create): {what}expected needs \"terraform_data\", {rest}"
        )
    };
    // The expression of `either_block` has two references, so it may be about anything.
    assert_eq!(
        said(RULES),
        [one("warning", "bare"), one("warning", "either"), one("warning", "keyed[\"a\"]"),]
    );
    // Without it all is decided.
    let named = "all(\"block\", self == \"block\" && meta.name != \"either_block\")";
    let rules = RULES.replace("\"block\"", named);
    assert_eq!(
        said(&rules),
        [one("error", "bare"), one("error", "either"), one("error", "keyed[\"a\"]"),]
    );
}

/// Nobody knows which element of a list the only reference of its expression is. A known one is the object
/// with this `id`.
#[test]
fn a_known_value_decides_between_origins() {
    let group = |name: &str, is_open: bool| {
        let values = json!({"id": format!("sg-{name}"), "open": is_open});
        let change =
            json!({"actions": ["no-op"], "before": values, "after": values, "after_unknown": {}});
        json!({"address": format!("sg.{name}"), "mode": "managed", "type": "sg", "name": name, "change": change})
    };
    let web = json!({"address": "web.w", "mode": "managed", "type": "web", "name": "w", "change": {
        "actions": ["create"], "before": null, "after": {"groups": ["sg-a", "sg-b"]}, "after_unknown": {"groups": [false, false]},
    }});
    let written = |ty: &str, name: &str, expressions: &serde_json::Value| json!({"address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name, "expressions": expressions});
    let groups = json!({"groups": {"references": ["sg.a.id", "sg.a"]}});
    let plan = json!({
        "format_version": "1.2",
        "resource_changes": [group("a", false), group("b", true), web],
        "configuration": {"root_module": {"resources": [
            written("sg", "a", &json!({})), written("sg", "b", &json!({})), written("web", "w", &groups),
        ]}},
    });
    let rules = "rule \"r\" {\n  resource \"web\" {\n    groups = list(reference(\"sg\", { open = false }))\n  }\n}\n";
    let expected = "error: web.w (create): groups[1]: expected reference(\"sg\", { open = false }), found sg.b, whose open is true";
    assert_eq!(said_of(&plan.to_string(), rules), [expected]);
}

#[test]
fn one_of_several_may_be_there() {
    let group = "any_of {\n    needs \"terraform_data\" {\n      input = \"none\"\n      triggers_replace = subject\n    }\n    \
        needs \"terraform_data\" {\n      input = \"block\"\n    }\n  }\n}\n";
    let rules = RULES.split("  needs").next().unwrap().to_owned() + group;
    assert_eq!(said(&rules), Vec::<String>::new());
    let rules = rules.replace("\"block\"", "\"nothing\"");
    assert_eq!(said(&rules).len(), 9, "{:#?}", said(&rules));
}

#[test]
fn what_is_wrong_with_needs_is_told() {
    let of = |blocks: &str| errors(&format!("rule \"r\" {{\n{blocks}\n}}\n")).join("\n");
    for (blocks, expected) in [
        ("needs \"t\" {}", "needs requires exactly one resource block in the rule"),
        ("data \"t\" {}\nneeds \"t\" {}", "needs requires exactly one resource block in the rule"),
        ("resource \"t\" {}\nneeds output \"t\" {}", "Unknown kind \"output\" in needs"),
        ("resource \"t\" {\na = subject\n}", "subject is not allowed here"),
        ("resource \"t\" {\na = some(subject)\n}", "subject is not allowed here"),
        (
            "resource \"t\" {}\nneeds \"t\" {\na = subject\nb = subject\n}",
            "Two arguments are `subject`",
        ),
        (
            "resource \"t\" {}\nany_of {\nresource \"t\" {}\n}",
            "any_of can contain only needs blocks",
        ),
        ("resource \"t\" {}\nany_of {}", "any_of must contain needs blocks"),
        ("resource \"t\" {}\nneeds \"t\" {\ncount = 1\n}", "needs cannot have count"),
    ] {
        assert!(of(blocks).contains(expected), "{blocks}\n{}", of(blocks));
    }
    let rules = RULES.replace("triggers_replace", "trigers_replace");
    let found = said(&rules).join("\n");
    assert!(found.contains("has no argument \"trigers_replace\""), "{found}");
}

#[test]
fn a_real_plan_shows_no_secret() {
    let rules = "rule \"r\" {\n  resource \"terraform_data\" {\n    input = 1\n    triggers_replace = 1\n  }\n  variable \"*\" {\n    \
        value = 1\n    default = 1\n  }\n}\n";
    let files = [("a.rules.hcl", rules), ("plan.json", PLAN)];
    let (code, out, _) = command(&files, "--plan plan.json a.rules.hcl --format json -v");
    assert_eq!(code, 1);
    assert!(out.contains("found a sensitive value") && !out.contains("planted"), "{out}");
}

#[test]
fn many_objects_take_no_square_of_their_number() {
    let rules = "rule \"r\" {\n  resource \"b\" {}\n  needs \"p\" {\n    x = true\n    to = subject\n  }\n}\n";
    assert_linear(750, |objects| {
        assert_eq!(judged(rules, &plan_of_pairs(objects)).findings.len(), 0);
    });
}

fn plan_of_pairs(objects: usize) -> String {
    let mut changes = Vec::new();
    let mut resources = Vec::new();
    for n in 0..objects {
        for (ty, after) in [("b", "{}"), ("p", "{\"x\": true}")] {
            changes.push(format!(
                "{{\"address\": \"{ty}.r{n}\", \"mode\": \"managed\", \"type\": \"{ty}\", \"name\": \"r{n}\", \
                 \"change\": {{\"actions\": [\"create\"], \"after\": {after}, \"after_unknown\": {{\"id\": true, \"to\": true}}}}}}"
            ));
        }
        resources.push(format!(
            "{{\"address\": \"p.r{n}\", \"expressions\": {{\"to\": {{\"references\": [\"b.r{n}.id\", \"b.r{n}\"]}}}}}}"
        ));
    }
    format!(
        "{{\"format_version\": \"1.2\", \"resource_changes\": [{}], \"configuration\": {{\"root_module\": \
         {{\"resources\": [{}]}}}}}}",
        changes.join(","),
        resources.join(",")
    )
}
