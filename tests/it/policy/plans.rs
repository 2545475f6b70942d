//! Plans and states: what is read from them, and what is reported about a file that is not one.

use serde_json::{Value, json};

use super::{command, judged, lines};

fn change(ty: &str, name: &str, actions: &[&str], after: &Value) -> Value {
    let before = if actions == ["create"] { Value::Null } else { after.clone() };
    let after = if actions == ["delete"] { Value::Null } else { after.clone() };
    json!({"address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name,
        "change": {"actions": actions, "before": before, "after": after, "after_unknown": {}}})
}

fn plan(changes: &[Value]) -> String {
    json!({"format_version": "1.2", "resource_changes": changes}).to_string()
}

/// `ADDRESS: PLACE` of each finding.
fn said(rules: &str, plan: &str) -> Vec<String> {
    let one = |it: diagnostics::Finding| it.message;
    judged(rules, plan).findings.into_iter().map(one).collect()
}

#[test]
fn what_is_no_plan_is_an_error_that_says_what_it_is() {
    let rules = "rule \"r\" {\n  forbid \"t\" {}\n}\n";
    let whole = plan(&[change("t", "a", &["create"], &json!({}))]);
    let cut = &whole[..whole.len() / 2];
    for (text, expected) in [
        ("PK\u{3}\u{4}tfplan", "it is a binary plan; convert it with `terraform show -json PLAN`"),
        (cut, "it is truncated at line 1"),
        ("", "it is empty"),
        ("{}", "it is neither a plan nor a state: it has no format_version"),
        (
            "{\"@level\":\"info\",\"type\":\"version\"}\n{\"@level\":\"info\"}\n",
            "it is the log of `terraform plan -json`; write the plan with ",
        ),
        ("hello", "it is not JSON, or nests too deeply: line 1, column 1"),
        ("[]", "it is not a plan or state: line 1, column 0 has another type"),
        (
            r#"{"format_version": "2.0", "resource_changes": []}"#,
            "its format version is \"2.0\"; terraschema reads 1.x",
        ),
        (
            r#"{"format_version": "1.2", "errored": true, "resource_changes": []}"#,
            "the plan is errored: ",
        ),
        (r#"{"format_version": "1.0"}"#, "it has neither resource_changes nor values: "),
        (
            r#"{"format_version": "1.2", "resource_changes": [{"address": "t.a", "mode": "managed", "type": "t", "change": {"actions": ["explode"]}}]}"#,
            "t.a has unknown actions: [\"explode\"]",
        ),
    ] {
        let files = [("a.rules.hcl", rules), ("plan.json", text)];
        let (code, _, err) = command(&files, "--plan plan.json a.rules.hcl");
        assert_eq!(code, 2, "{text}");
        assert!(err.contains(expected), "{text}\n{err}\n{expected}");
    }
    let bytes = b"{\n\"format_version\": \"\xff\"}";
    let error = policy::plan::read(bytes, &policy::Asked::default()).unwrap_err();
    assert_eq!(error, "it is not JSON: line 2 has bytes that are not UTF-8");
    let after = "[".repeat(100_000);
    let deep = format!(
        "{{\"format_version\": \"1.2\", \"resource_changes\": [{{\"mode\": \"managed\", \"type\": \"t\", \
         \"change\": {{\"after\": {after}"
    );
    let (code, _, err) =
        command(&[("a.rules.hcl", rules), ("plan.json", &deep)], "--plan plan.json a.rules.hcl");
    assert_eq!((code, err.contains("nests too deeply")), (2, true), "{err}");
}

#[test]
fn actions_say_what_is_judged() {
    let all = ["create", "update", "no-op", "delete", "read", "forget"];
    let mut changes: Vec<Value> =
        all.iter().map(|it| change("t", it, &[it], &json!({"a": 1}))).collect();
    changes.push(change("t", "replace", &["delete", "create"], &json!({"a": 1})));
    let mut moved = change("t", "move", &["no-op"], &json!({"a": 1}));
    moved["previous_address"] = json!("t.old");
    changes.push(moved);
    let mut imported = change("t", "import", &["no-op"], &json!({"a": 1}));
    imported["change"]["importing"] = json!({"id": "x"});
    changes.push(imported);
    let plan = plan(&changes);
    let judged = |when: &str| {
        let rules = format!("rule \"r\" {{\n{when}\n  resource \"t\" {{\n    a = 2\n  }}\n}}\n");
        let of = |it: &String| it.split_once(' ').unwrap().0.trim_start_matches("t.").to_owned();
        let mut found: Vec<String> = said(&rules, &plan).iter().map(of).collect();
        found.sort();
        found.join(" ")
    };
    assert_eq!(judged(""), "create import move no-op read replace update");
    for action in all.iter().chain(&["replace"]) {
        let expected = if *action == "no-op" { "import move no-op" } else { action };
        assert_eq!(judged(&format!("when = {{ actions = [\"{action}\"] }}")), expected);
    }
    assert_eq!(judged("when = { actions = [\"move\"] }"), "move");
    assert_eq!(judged("when = { actions = [\"import\"] }"), "import");
    assert_eq!(judged("when = { addresses = [\"t.create\", \"t.up*\"] }"), "create update");
}

#[test]
fn addresses_are_those_of_target() {
    let address = |it: &str| {
        let mut it_is = change("t", "a", &["create"], &json!({}));
        it_is["address"] = json!(it);
        it_is
    };
    let all = [
        "t.a",
        "t.a[0]",
        "t.ab",
        "module.net.t.a",
        "module.net[\"a.b\"].t.a",
        "module.network.t.a",
    ];
    let plan = plan(&all.map(address));
    for (pattern, expected) in [
        ("t.a", "t.a t.a[0]"),
        ("module.net", "module.net.t.a module.net[\"a.b\"].t.a"),
        ("module.net*", "module.net.t.a module.net[\"a.b\"].t.a module.network.t.a"),
        ("module.*.t.a", "module.net.t.a module.net[\"a.b\"].t.a module.network.t.a"),
        ("*", "t.a t.a[0] t.ab module.net.t.a module.net[\"a.b\"].t.a module.network.t.a"),
        ("*.a[0]", "t.a[0]"),
        ("t", "t.a t.a[0] t.ab"),
    ] {
        let rules = format!(
            "rule \"r\" {{\n  when = {{ addresses = [\"{pattern}\"] }}\n  forbid \"t\" {{}}\n}}\n"
        );
        let of = |it: &String| it.split_once(" (").unwrap().0.to_owned();
        let found: Vec<String> = said(&rules, &plan).iter().map(of).collect();
        assert_eq!(found.join(" "), expected, "{pattern}");
    }
}

#[test]
fn what_a_type_lacks_is_a_mistake_in_the_rule() {
    let changes = [
        change("t", "a", &["create"], &json!({"name": "x", "block": [{"port": 1}]})),
        change("t", "b", &["create"], &json!({"name": "x", "block": []})),
        change("u", "a", &["create"], &json!({"other": "x"})),
    ];
    let plan = plan(&changes);
    let rules = "rule \"r\" {\n  resource \"t\" {\n    nam = \"x\"\n    block {\n      prt = 1\n    }\n  }\n}\n";
    assert_eq!(
        said(rules, &plan),
        [
            "resource \"t\" has no argument \"nam\", as t.a shows. Did you mean \"name\"?",
            "resource \"t\" has no argument \"prt\", as t.a shows. Did you mean \"port\"?",
            "t.b (create): block: expected block, found no such block",
        ]
    );
    let rules = "rule \"r\" {\n  resource \"*\" {\n    name = \"y\"\n  }\n}\n";
    assert_eq!(said(rules, &plan).len(), 2, "u is not judged");
    let rules = "rule \"r\" {\n  forbid \"*\" {\n    name = \"x\"\n  }\n}\n";
    assert_eq!(said(rules, &plan).len(), 2, "u is not like this");
    let rules = "rule \"r\" {\n  resource \"*\" {\n    where {\n      name = \"x\"\n    }\n    other = 1\n  }\n}\n";
    assert_eq!(said(rules, &plan), Vec::<String>::new());
}

#[test]
fn numbers_of_instances_are_judged() {
    let mut changes = Vec::new();
    for (address, ty) in
        [("t.a[0]", "t"), ("t.a[1]", "t"), ("module.m[\"x\"].t.a", "t"), ("t.b[\"k[0]\"]", "t")]
    {
        let mut it = change(ty, "a", &["create"], &json!({}));
        it["address"] = json!(address);
        changes.push(it);
    }
    let rules = "rule \"r\" {\n  resource \"t\" {\n    count = number({ min = 2 })\n  }\n}\n";
    assert_eq!(
        said(rules, &plan(&changes)),
        [
            "module.m[\"x\"].t.a: count: expected number({ min = 2 }), found 1",
            "t.b: count: expected number({ min = 2 }), found 1",
        ]
    );
}

#[test]
fn a_state_is_judged_like_a_plan_that_changes_nothing() {
    let state = json!({"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {
        "resources": [
            {"address": "t.a", "mode": "managed", "type": "t", "name": "a", "values": {"a": 1}, "sensitive_values": {}},
            {"address": "data.d.a", "mode": "data", "type": "d", "name": "a", "values": {"a": 1}, "sensitive_values": {"a": true}},
        ],
        "child_modules": [{"address": "module.m", "resources": [
            {"address": "module.m.t.a", "mode": "managed", "type": "t", "name": "a", "values": {"a": 2}, "sensitive_values": {}},
        ]}],
    }}})
    .to_string();
    let rules =
        "rule \"r\" {\n  resource \"t\" {\n    a = 3\n  }\n  data \"d\" {\n    a = 3\n  }\n}\n";
    assert_eq!(
        said(rules, &state),
        [
            "t.a (no-op): a: expected 3, found 1",
            "data.d.a (read): a: expected 3, found a sensitive value",
            "module.m.t.a (no-op): a: expected 3, found 2",
        ]
    );
    let rules = "rule \"r\" {\n  output \"*\" {\n    sensitive = true\n  }\n}\n";
    assert_eq!(said(rules, &state), ["A state does not contain output blocks"]);
}

#[test]
fn a_number_that_looks_like_a_version_is_a_mistake_beside_a_text() {
    let plan = plan(&[change("t", "a", &["create"], &json!({"v": "1.3", "n": 1.3}))]);
    let rules = "rule \"r\" {\n  resource \"t\" {\n    v = 1.30\n    n = 1.30\n  }\n}\n";
    assert_eq!(said(rules, &plan), ["The number 1.30 is 1.3, but it is compared with a string"]);
}

#[test]
fn rules_come_from_files_and_directories_and_plans_from_standard_input_too() {
    let plan = plan(&[change("t", "a", &["create"], &json!({"a": 1}))]);
    let one = "rule \"one\" {\n  forbid \"t\" {}\n}\n";
    let two = "rule \"two\" {\n  undecided = \"off\"\n  level = \"note\"\n  forbid \"t\" {}\n}\n";
    let files = [
        ("r/one.rules.hcl", one),
        ("r/two.rules.hcl", two),
        ("r/x.hcl", "?"),
        ("plan.json", plan.as_str()),
    ];
    let (code, out, _) =
        command(&files, "--plan plan.json r r/one.rules.hcl --format concise -v --namespace prod");
    assert_eq!(
        lines(&out),
        [
            "2:3: error[policy/one] prod/t.a (create): found an object that forbid \"t\" forbids",
            "4:3: note[policy/two] prod/t.a (create): found an object that forbid \"t\" forbids",
        ]
    );
    assert_eq!(code, 1);
    let (code, _, err) = command(&files, "--plan plan.json empty");
    assert_eq!((code, err.contains("cannot read empty")), (2, true), "{err}");
    let (code, _, err) =
        command(&[("a.rules.hcl", ""), ("plan.json", &plan)], "--plan plan.json a.rules.hcl");
    assert_eq!((code, err.as_str()), (2, "Error: the named files contain no rules\n"));
}

/// Terraform 1.11.4 says that a plan with `-target` is not complete, and that plans with `-destroy` and `-refresh-only`
/// are. Older releases do not say it.
#[test]
fn a_plan_that_is_not_complete_gets_a_warning() {
    let rules = "rule \"r\" {\n  resource \"t\" {\n    a = 1\n  }\n}\n";
    let said = |complete: &str, configuration: &str, arguments: &str| {
        let plan = format!("{{\"format_version\": \"1.2\"{complete}, \"resource_changes\": []}}");
        let files =
            [("a.rules.hcl", rules), ("plan.json", &plan), (".terraschema.hcl", configuration)];
        command(&files, &format!("--plan plan.json a.rules.hcl {arguments}"))
    };
    let (code, out, _) = said(", \"complete\": false", "", "");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("warning[incomplete-plan]: plan.json does not contain all changes"),
        "{out}"
    );
    let (_, out, _) = said(", \"complete\": false", "", "--format json");
    assert!(out.contains("\"rule\": \"incomplete-plan\""), "{out}");
    let off = "rule \"incomplete-plan\" {\n  level = \"off\"\n}\n";
    for (complete, configuration) in
        [("", ""), (", \"complete\": true", ""), (", \"complete\": false", off)]
    {
        let (_, out, _) = said(complete, configuration, "");
        assert!(!out.contains("incomplete-plan"), "{complete} {configuration}: {out}");
    }
}
