//! `policy convert`: what both languages can say has the same outcomes in both.

use policy::tfpolicy::convert;
use serde_json::{Value, json};

use super::{change, command};

/// Each outcome that a file has for plans of `t.a` with these arguments.
fn outcomes(path: &str, text: &str, plans: &[(Value, Value)]) -> Vec<String> {
    let one = |(after, unknown): &(Value, Value)| {
        let change = change("t", "a", &["create"], [Value::Null, after.clone(), unknown.clone()]);
        let plan = json!({"format_version": "1.2", "resource_changes": [change]}).to_string();
        let files = [(path, text), ("plan.json", plan.as_str())];
        let (_, out, err) = command(&files, &format!("--plan plan.json {path} --format json"));
        let report: Value =
            serde_json::from_str(&out).unwrap_or_else(|it| panic!("{it}: {err}{text}"));
        let found = report["findings"].as_array().unwrap();
        let outcome = |it: &Value| it["outcome"].as_str().map(str::to_owned);
        let outcomes: Vec<String> = found.iter().filter_map(outcome).collect();
        let has = |word: &str| outcomes.iter().any(|it| it == word);
        let all = if has("fail") {
            "fail"
        } else if has("undecided") {
            "undecided"
        } else {
            "pass"
        };
        format!("{all} {after} {unknown}")
    };
    plans.iter().map(one).collect()
}

fn plans() -> Vec<(Value, Value)> {
    let base =
        json!({"a": "x", "on": true, "n": 5, "tags": {"env": "prod", "team": "a"}, "old": null});
    let mut plans = vec![(base.clone(), json!({}))];
    for (name, values) in [
        ("a", vec![json!("y"), json!("z"), Value::Null, json!("")]),
        ("on", vec![json!(false), Value::Null]),
        ("n", vec![json!(0), json!(10), json!(11), Value::Null]),
        ("tags", vec![json!({"env": "dev"}), json!({}), Value::Null]),
        ("old", vec![json!("v")]),
    ] {
        for value in values {
            let mut after = base.clone();
            after[name] = value;
            plans.push((after, json!({})));
        }
        let mut after = base.clone();
        after.as_object_mut().unwrap().remove(name);
        plans.push((after, json!({name: true})));
    }
    plans
}

const CONDITIONS: [&str; 15] = [
    "attrs.on == true",
    "core::try(attrs.on, false) == true",
    "attrs.a == \"x\"",
    "attrs.a != \"y\"",
    "attrs.a != null",
    "attrs.old == null",
    "core::contains([\"x\", \"z\"], attrs.a)",
    "!core::contains([\"y\", \"z\"], attrs.a)",
    "core::contains(input.names, attrs.a)",
    "attrs.n >= 1 && attrs.n <= 10",
    "core::regex_match(attrs.a, \"^[xz]$\")",
    "core::try(attrs.tags.env, null) == \"prod\"",
    "core::try(attrs.tags.env, \"\") == \"prod\" && core::try(attrs.tags.team, null) != null",
    "core::contains([\"prod\"], core::try(attrs.tags.env, null))",
    "(attrs.on == true)",
];

#[test]
fn a_policy_and_its_rule_have_the_same_outcomes_and_so_have_they_after_the_way_back() {
    let plans = plans();
    for condition in CONDITIONS {
        for filter in ["", "  filter = attrs.a != \"q\" && attrs.n != null\n"] {
            let policy = format!(
                "input \"names\" {{\n  type    = list(string)\n  default = [\"x\", \"z\"]\n}}\n\n\
                resource_policy \"t\" \"p\" {{\n  enforcement_level = \"advisory\"\n{filter}  enforce {{\n    \
                condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
            );
            let wanted = outcomes("p.policy.hcl", &policy, &plans);
            for word in ["pass", "fail", "undecided"] {
                assert!(wanted.iter().any(|it| it.starts_with(word)), "{condition}: {wanted:#?}");
            }
            let rules = convert("p.policy.hcl", policy.as_bytes()).ok().unwrap();
            assert_eq!((rules.count, rules.left.len()), (1, 0), "{condition}");
            let found = outcomes("p.rules.hcl", &rules.text, &plans);
            assert_eq!(found, wanted, "{policy}\n{}", rules.text);
            let back = convert("p.rules.hcl", rules.text.as_bytes()).ok().unwrap();
            assert_eq!((back.count, back.left.len()), (1, 0), "{}", rules.text);
            let found = outcomes("p.policy.hcl", &back.text, &plans);
            assert_eq!(found, wanted, "{policy}\n{}", back.text);
        }
    }
}

#[test]
fn what_the_other_language_cannot_say_is_left_and_named() {
    for condition in [
        "core::length(attrs.a) > 1",
        "attrs.blocks[0].on == true",
        "core::try(attrs.tags.env, \"prod\") == \"prod\"",
        "core::try(attrs.tags.env, null) != \"prod\"",
        "attrs.a == attrs.b",
        "attrs.on == true || attrs.a == \"x\"",
        "core::length(core::getresources(\"t\", {})) > 0",
    ] {
        let policy = format!(
            "resource_policy \"t\" \"p\" {{\n  enforce {{\n    condition = {condition}\n  }}\n}}\n"
        );
        let converted = convert("d/p.policy.hcl", policy.as_bytes()).ok().unwrap();
        assert_eq!((converted.count, converted.left.len()), (0, 1), "{condition}");
        assert_eq!(
            converted.text,
            "# Left in p.policy.hcl: resource_policy \"t\" \"p\", because a condition has no validator.\n"
        );
    }
    for body in [
        "  undecided = \"error\"\n  resource \"t\" {\n    a = 1\n  }",
        "  when = { actions = [\"delete\"] }\n  resource \"t\" {\n    a = 1\n  }",
        "  resource \"t\" {\n    a = length(self) > 1\n  }",
        "  resource \"t\" {\n    b {\n      a = 1\n    }\n  }",
        "  forbid \"t\" {\n  }",
    ] {
        let rule = format!("rule \"r\" {{\n{body}\n}}\n");
        let converted = convert("p.rules.hcl", rule.as_bytes()).ok().unwrap();
        assert_eq!((converted.count, converted.left.len()), (0, 1), "{rule}");
    }
}

#[test]
fn the_command_writes_the_other_language() {
    let policy = "resource_policy \"t\" \"encrypted\" {\n  operations = [\"create\", \"update\"]\n  enforce {\n    \
        condition     = attrs.on == true\n    error_message = \"Say \\\"on\\\".\"\n  }\n}\nmodule_policy \"*\" \"m\" \
        {\n  enforce {\n    condition = true\n  }\n}\n";
    let files = [("p/a.policy.hcl", policy)];
    let (code, out, err) = command(&files, "convert p/a.policy.hcl");
    assert_eq!(code, 1, "{err}");
    assert_eq!(
        out,
        "# Left in a.policy.hcl: module_policy \"*\" \"m\", because rules have no such block.\n\nrule \
        \"a-encrypted\" {\n  message = \"Say \\\"on\\\".\"\n  when = { actions = [\"create\", \"update\", \
        \"replace\"] }\n  resource \"t\" {\n    on = true\n  }\n}\n"
    );
    assert!(
        err.contains("module_policy \"*\" \"m\" stays, because rules have no such block"),
        "{err}"
    );
    let (code, _, err) = command(&files, "convert p/a.txt");
    assert!(code == 2 && err.contains("does not end in .policy.hcl or .rules.hcl"), "{err}");
    let (code, _, err) = command(&[("a.policy.hcl", "x {")], "convert a.policy.hcl");
    assert!(code == 2 && err.contains("a.policy.hcl:1"), "{err}");
}
