//! Nothing passes in silence: what no rule can judge is reported, and blocks that are harmless hide no others.

use serde_json::{Value, json};

use super::command;

/// A plan that creates objects of a type, each with these values and flags for what is unknown.
fn plan(objects: &[(&str, Value, Value)]) -> String {
    let change = |(address, after, unknown): &(&str, Value, Value)| {
        let (ty, name) = address.split_once('.').unwrap();
        json!({"address": address, "mode": "managed", "type": ty, "name": name, "change": {
            "actions": ["create"], "before": null, "after": after, "after_unknown": unknown,
            "before_sensitive": false, "after_sensitive": {}}})
    };
    let changes: Vec<Value> = objects.iter().map(change).collect();
    json!({"format_version": "1.2", "planned_values": {}, "resource_changes": changes}).to_string()
}

/// The exit code and the lines about one rule in `concise`.
fn said(rules: &str, plan: &str) -> (u8, Vec<String>) {
    let files = [("a.rules.hcl", rules), ("plan.json", plan)];
    let (code, out, err) = command(&files, "--plan plan.json a.rules.hcl --format concise -v");
    (code, out.lines().chain(err.lines()).map(str::to_owned).collect())
}

/// `pass`, `fail` or `undecided`: what the only rule says about the only object.
fn outcome(rules: &str, plan: &str) -> &'static str {
    let (code, lines) = said(rules, plan);
    let has = |text: &str| lines.iter().any(|it| it.contains(text));
    match code {
        1 => "fail",
        0 if has("warning[policy/") => "undecided",
        0 => "pass",
        _ => panic!("{lines:?}"),
    }
}

const OPEN: &str = r#"{"port": 22, "from": ["0.0.0.0/0"]}"#;
const FINE: &str = r#"{"port": 443, "from": ["10.0.0.0/8"]}"#;

/// Which of an argument's blocks a nested block is about: `docs/policy.md` has this table.
#[test]
fn a_nested_block_says_how_many_it_is_about() {
    let block = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (open, fine) = (block(OPEN), block(FINE));
    let is_open = "ingress {\n port = 22\n from = some(\"0.0.0.0/0\")\n }";
    let forbid = format!("forbid \"t\" {{\n {is_open}\n }}");
    let narrowed =
        "forbid \"t\" {\n ingress {\n where { port = 22 }\n from = some(\"0.0.0.0/0\")\n }\n }"
            .to_owned();
    let demanded = format!("resource \"t\" {{\n {is_open}\n }}");
    let filtered = format!("resource \"t\" {{\n where {{\n {is_open}\n }}\n name = \"x\"\n }}");
    let each =
        "resource \"t\" {\n ingress {\n where { port = 22 }\n from = list(\"10.0.0.0/8\")\n }\n }"
            .to_owned();
    let unknown = json!({"ingress": true});
    let part = json!({"ingress": [{}, {"port": true}]});
    let half = json!({"from": ["0.0.0.0/0"]});
    for (blocks, flags, expected) in [
        // forbid, forbid with where, resource, where, where in a nested block
        (json!([open]), json!({}), ["fail", "fail", "pass", "fail", "fail"]),
        (json!([fine]), json!({}), ["pass", "pass", "fail", "pass", "pass"]),
        (json!([fine, open]), json!({}), ["fail", "fail", "fail", "fail", "fail"]),
        (json!([open, fine]), json!({}), ["fail", "fail", "fail", "fail", "fail"]),
        (json!([]), json!({}), ["pass", "pass", "fail", "pass", "pass"]),
        (Value::Null, json!({}), ["pass", "pass", "fail", "pass", "pass"]),
        (Value::Null, unknown, ["undecided", "undecided", "undecided", "undecided", "undecided"]),
        (
            json!([fine, half]),
            part.clone(),
            ["undecided", "undecided", "fail", "undecided", "undecided"],
        ),
        (json!([open, half]), part, ["fail", "fail", "undecided", "fail", "fail"]),
    ] {
        let plan = plan(&[("t.a", json!({"name": "a", "ingress": blocks}), flags)]);
        let rules = [&forbid, &narrowed, &demanded, &filtered, &each];
        let found = rules.map(|it| outcome(&format!("rule \"r\" {{\n {it}\n}}\n"), &plan));
        assert_eq!(found, expected, "{plan}");
    }
}

#[test]
fn an_entry_that_no_rule_would_find_is_an_error() {
    let rules = "rule \"r\" {\n  forbid \"t\" {}\n}\n";
    let whole = || {
        json!({"address": "t.a", "mode": "managed", "type": "t", "name": "a", "change": {
            "actions": ["create"], "before": null, "after": {"x": 1}, "after_unknown": {}}})
    };
    let of = |entry: Value| {
        let plan = json!({"format_version": "1.2", "resource_changes": [whole(), entry]});
        said(rules, &plan.to_string())
    };
    for (name, value, expected) in [
        ("mode", None, "resource_changes[1] (t.a) has no \"mode\""),
        ("mode", Some(json!("")), "resource_changes[1] (t.a) has no \"mode\""),
        ("mode", Some(json!(null)), "resource_changes[1] (t.a) has no \"mode\""),
        ("mode", Some(json!("x")), "has the unknown mode \"x\""),
        ("type", None, "resource_changes[1] (t.a) has no \"type\""),
        ("change", None, "resource_changes[1] (t.a) has no \"change\""),
        ("address", None, "resource_changes[1] has no \"address\""),
    ] {
        let mut entry = whole();
        match value {
            Some(value) => entry[name] = value,
            None => _ = entry.as_object_mut().unwrap().remove(name),
        }
        let (code, lines) = of(entry);
        assert_eq!(code, 2, "{name}: {lines:?}");
        assert!(lines.concat().contains(expected), "{name}: {lines:?}");
    }
    for (name, value, expected) in [
        ("actions", None, "has unknown actions: []"),
        ("after", None, "t.a cannot be judged: \"after\" is not an object in its change"),
        ("after", Some(json!([])), "\"after\" is not an object"),
    ] {
        let mut entry = whole();
        match value {
            Some(value) => entry["change"][name] = value,
            None => _ = entry["change"].as_object_mut().unwrap().remove(name),
        }
        let (code, lines) = of(entry);
        assert_eq!(code, 2, "{name}: {lines:?}");
        assert!(lines.concat().contains(expected), "{name}: {lines:?}");
    }
    // What an address says may be left out.
    let entry = json!({"address": "module.m[\"a.b\"].t.c[0]", "mode": "managed", "type": "t",
        "change": {"actions": ["create"], "before": null, "after": {"x": 1}, "after_unknown": {}}});
    let rules = "rule \"r\" {\n  resource \"t\" {\n    x = string({ condition = meta.name == \"c\" && meta.module == \"module.m[\\\"a.b\\\"]\" && meta.key == 0 })\n  }\n}\n";
    let plan = json!({"format_version": "1.2", "resource_changes": [entry]});
    assert_eq!(outcome(rules, &plan.to_string()), "pass");
}

#[test]
fn a_plan_without_its_changes_is_an_error_and_deferred_ones_are_judged() {
    let rules = "rule \"r\" {\n  forbid \"t\" {}\n}\n";
    let resource =
        json!({"address": "t.a", "mode": "managed", "type": "t", "name": "a", "values": {}});
    let planned = json!({"root_module": {"child_modules": [{"resources": [resource]}]}});
    let (code, lines) =
        said(rules, &json!({"format_version": "1.2", "planned_values": planned}).to_string());
    assert_eq!(code, 2, "{lines:?}");
    assert!(lines.concat().contains("planned_values with resources, but no resource_changes"));
    let change = json!({"address": "t.a", "mode": "managed", "type": "t", "name": "a", "change": {
        "actions": ["create"], "before": null, "after": {}, "after_unknown": {}}});
    let deferred = json!([{"reason": "instance_count_unknown", "resource_change": change}]);
    let plan = json!({"format_version": "1.2", "planned_values": planned, "complete": false,
        "deferred_changes": deferred});
    assert_eq!(outcome(rules, &plan.to_string()), "fail");
}

#[test]
fn plans_and_reports_of_powershell_are_read() {
    let rules = "rule \"r\" {\n  forbid \"t\" {}\n}\n";
    let text = plan(&[("t.ä", json!({"x": "𝄞"}), json!({}))]);
    let utf16 = |text: &str, write: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(write).collect()
    };
    for bytes in [
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe".to_vec(), utf16(&text, u16::to_le_bytes)].concat(),
        [b"\xfe\xff".to_vec(), utf16(&text, u16::to_be_bytes)].concat(),
        utf16(&text, u16::to_le_bytes),
    ] {
        let (policy, _) = policy::read(
            vec![("a.rules.hcl".to_owned(), rules.as_bytes().into())],
            &policy::GivenContexts::default(),
            &tf_eval::Meter::default(),
        );
        let asked = policy::Asked::new(&policy);
        let plan = policy::plan::read(&bytes, &asked).unwrap();
        let judged = policy::judge(&policy, &plan, &tf_eval::Meter::default());
        assert_eq!(judged.findings.len(), 1);
        assert_eq!(judged.findings[0].address, "t.ä");
    }
    let half = [b"\xff\xfe".to_vec(), b"{".to_vec()].concat();
    let error = policy::plan::read(&half, &policy::Asked::default());
    assert_eq!(
        error.unwrap_err(),
        "it is not JSON: it begins like UTF-16LE, and has bytes that are not"
    );
}

/// The outcome of a rule about a provider, for an expression as a plan lists it.
fn of_provider(expected: &str, expression: &Value) -> &'static str {
    let plan = json!({
        "format_version": "1.2", "planned_values": {}, "resource_changes": [],
        "variables": {"region": {"value": "us-east-1"}, "cfg": {"value": {"regions": ["eu-west-1"]}},
            "none": {"value": null}, "tags": {"value": {"env": "prod"}}},
        "configuration": {
            "provider_config": {"aws": {"name": "aws", "expressions": {"region": expression}},
                "module.m:aws": {"name": "aws", "alias": "inner", "module_address": "module.m",
                    "expressions": {"region": {"references": ["var.where"]}}}},
            "root_module": {
                "variables": {"region": {}, "cfg": {}, "none": {}, "tags": {}, "unset": {"default": "eu-west-1"}},
                "module_calls": {"m": {"source": "./m", "expressions": {"where": {"references": ["var.unset"]}},
                    "module": {"variables": {"where": {}}, "outputs": {"o": {"expression": {"references": ["var.where"]}}}}}}
            }
        }
    });
    outcome(
        &format!("rule \"r\" {{\n  provider \"aws\" {{\n    region = {expected}\n  }}\n}}\n"),
        &plan.to_string(),
    )
}

#[test]
fn an_argument_that_is_a_variable_has_its_value() {
    for (references, eu) in [
        (json!(["var.region"]), "fail"),
        (json!(["var.cfg.regions[0]", "var.cfg.regions", "var.cfg"]), "pass"),
        (json!(["var.cfg[\"regions\"][0]", "var.cfg"]), "pass"),
        (json!(["var.unset"]), "pass"),
        (json!(["module.m.o", "module.m"]), "pass"),
        // Nobody knows what the expression makes of them.
        (json!(["var.region", "var.unset"]), "undecided"),
        (json!(["local.region"]), "undecided"),
        (json!(["var.none"]), "undecided"),
        (json!(["var.missing"]), "undecided"),
        (json!(["var.cfg"]), "undecided"),
        (json!(["data.t.a.b", "data.t.a"]), "undecided"),
        (json!(["each.key"]), "undecided"),
    ] {
        let found = of_provider("any(\"eu-west-1\")", &json!({"references": references}));
        assert_eq!(found, eu, "{references}");
    }
    let tags = json!({"references": ["var.region"]});
    for (expected, outcome) in [
        // `{ env = var.region }` has the same references.
        ("{ env = required }", "undecided"),
        ("list(string)", "undecided"),
        ("self.env == \"prod\"", "undecided"),
        ("startswith(self, \"eu-\")", "fail"),
        ("contains([\"us-east-1\", \"eu-west-1\"], self)", "pass"),
        ("self != \"us-east-1\"", "fail"),
        ("length(self) > 100", "undecided"),
        ("required", "pass"),
        ("string({ pattern = \"^[eu][us]-\" })", "pass"),
    ] {
        assert_eq!(of_provider(expected, &tags), outcome, "{expected}");
    }
    let (code, lines) = {
        let rules = "rule \"r\" {\n  provider \"aws\" {\n    region = \"a\"\n  }\n}\n";
        let plan = json!({"format_version": "1.2", "resource_changes": [], "configuration": {"provider_config":
            {"aws": {"name": "aws", "expressions": {"region": {"references": ["var.a", "local.b"]}}}}}});
        said(rules, &plan.to_string())
    };
    assert_eq!(code, 0);
    assert!(lines[0].contains("a plan does not show how var.a, local.b is used"), "{lines:?}");
}

#[test]
fn the_objects_of_a_type_are_counted() {
    let object =
        |name: &'static str, zone: Value, unknown: Value| (name, json!({"zone": zone}), unknown);
    let known = [
        object("t.a", json!("eu"), json!({})),
        object("t.b", json!("us"), json!({})),
        object("t.c", json!("eu"), json!({})),
        object("u.d", json!("eu"), json!({})),
    ];
    let open =
        [object("t.a", json!("eu"), json!({})), object("t.b", Value::Null, json!({"zone": true}))];
    let of = |body: &str, objects: &[(&str, Value, Value)]| {
        outcome(&format!("rule \"r\" {{\n  count {body}\n}}\n"), &plan(objects))
    };
    for (body, expected) in [
        ("\"t\" {\n min = 1\n max = 3\n }", "pass"),
        ("\"t\" { max = 2 }", "fail"),
        ("\"t\" { min = 4 }", "fail"),
        ("\"t, u\" { min = 4 }", "pass"),
        ("\"*\" { max = 3 }", "fail"),
        ("\"t\" {\n max = 2\n where { zone = \"eu\" }\n }", "pass"),
        ("\"t\" {\n max = 1\n where { zone = \"eu\" }\n }", "fail"),
        ("\"none\" { min = 1 }", "fail"),
        ("\"none\" { max = 0 }", "pass"),
        ("data \"t\" { max = 0 }", "pass"),
    ] {
        assert_eq!(of(body, &known), expected, "{body}");
    }
    for (body, expected) in [
        ("\"t\" {\n max = 1\n where { zone = \"eu\" }\n }", "undecided"),
        ("\"t\" {\n min = 2\n where { zone = \"eu\" }\n }", "undecided"),
        ("\"t\" {\n min = 3\n where { zone = \"eu\" }\n }", "fail"),
        ("\"t\" {\n max = 2\n where { zone = \"eu\" }\n }", "pass"),
        ("\"t\" {\n max = 0\n where { zone = \"eu\" }\n }", "fail"),
        ("\"t\" {\n min = 1\n where { zone = \"eu\" }\n }", "pass"),
    ] {
        assert_eq!(of(body, &open), expected, "{body}");
    }
    let rules = "rule \"r\" {\n  count \"t\" { max = 1 }\n}\n";
    let (_, lines) = said(rules, &plan(&known));
    assert_eq!(
        lines[0],
        "a.rules.hcl:2:15: error[policy/r] t: expected max = 1, found 3 objects: t.a, t.b, t.c"
    );
    // A plan of a part of the module has not all objects.
    let part =
        plan(&known[..1]).replace("\"format_version\"", "\"complete\":false,\"format_version\"");
    for (body, expected) in [
        ("max = 1", "undecided"),
        ("min = 2", "undecided"),
        ("max = 0", "fail"),
        ("min = 1", "pass"),
    ] {
        assert_eq!(
            outcome(&format!("rule \"r\" {{\n  count \"t\" {{ {body} }}\n}}\n"), &part),
            expected,
            "{body}"
        );
    }
}

/// Before a plan, what is not here may hold further objects.
#[test]
fn objects_of_a_configuration_are_counted_as_far_as_they_are_known() {
    let of = |main: &str, body: &str| {
        let rules = format!("rule \"r\" {{\n  count \"t\" {{ {body} }}\n}}\n");
        let files = [("main.tf", main), ("r/a.rules.hcl", &*rules)];
        let (code, out, err) = command(&files, "--config . r --format concise");
        match code {
            1 => "fail",
            0 if out.contains("warning[policy/r]") => "undecided",
            0 => "pass",
            _ => panic!("{out}{err}"),
        }
    };
    let two = "resource \"t\" \"a\" {\n  count = 2\n}\n";
    let open = "variable \"n\" { type = number }\nresource \"t\" \"a\" {\n  count = var.n\n}\nresource \"t\" \"b\" {}\n";
    let away = format!("{two}module \"m\" {{\n  source = \"org/name/provider\"\n}}\n");
    for (main, body, expected) in [
        (two, "max = 2", "pass"),
        (two, "max = 1", "fail"),
        (two, "min = 3", "fail"),
        (open, "max = 5", "undecided"),
        (open, "max = 0", "fail"),
        (open, "min = 1", "pass"),
        (open, "min = 2", "undecided"),
        (&*away, "max = 5", "undecided"),
        (&*away, "max = 1", "fail"),
        (&*away, "min = 3", "undecided"),
    ] {
        assert_eq!(of(main, body), expected, "{body}\n{main}");
    }
}

#[test]
fn a_rule_that_judges_nothing_is_told() {
    let plan = plan(&[
        ("aws_instance.bastion", json!({"ami": "x", "on": true}), json!({})),
        ("aws_instance.web", json!({"ami": "y", "on": false}), json!({})),
    ]);
    let of = |body: &str| {
        let (code, lines) = said(&format!("rule \"r\" {{\n{body}\n}}\n"), &plan);
        (code, lines.first().cloned().unwrap_or_default())
    };
    for (body, expected) in [
        (
            "resource \"aws_instances\" { ami = \"z\" }",
            "warning[nothing-judged] There is no resource \"aws_instances\", so this judges nothing",
        ),
        (
            "forbid \"aws-instance\" {}",
            "warning[nothing-judged] There is no resource \"aws-instance\", so this judges nothing",
        ),
        (
            "resource \"aws_vpc\" { ami = \"z\" }",
            "note[nothing-judged] There is no resource \"aws_vpc\"",
        ),
        // Other letters in a short word are another type, swapped ones are a typing mistake.
        (
            "forbid \"aws_instance_db\" {}",
            "note[nothing-judged] There is no resource \"aws_instance_db\"",
        ),
        (
            "forbid \"asw_instance\" {}",
            "warning[nothing-judged] There is no resource \"asw_instance\", so this judges nothing",
        ),
        (
            "forbid \"gcp_instance\" {}",
            "note[nothing-judged] There is no resource \"gcp_instance\"",
        ),
        ("forbid \"gcp_*\" {}", "note[nothing-judged] There is no resource \"gcp_*\""),
        (
            "when = { addresses = [\"aws_instance.bation\"] }\nforbid \"aws_instance\" {}",
            "note[nothing-judged] No object matches the actions and addresses of `when`",
        ),
        (
            "resource \"aws_instance\" {\n where { ami = \"none\" }\n on = true\n }",
            "note[nothing-judged] Nothing passes this `where`: all 2 that it checks fail",
        ),
        (
            "forbid \"aws_instance\" {\n where { ami = \"none\" }\n }",
            "note[nothing-judged] Nothing passes this `where`: all 2 that it checks fail",
        ),
    ] {
        let (code, line) = of(body);
        assert_eq!(code, 0, "{body}: {line}");
        assert!(line.ends_with(expected), "{body}: {line}");
    }
    // A type that another rule names is not a misspelling.
    let both =
        "resource \"aws_instance\" { ami = required }\n resource \"aws_instances\" { ami = \"z\" }";
    assert!(of(both).1.contains("note[nothing-judged]"), "{:?}", of(both));
}

/// `where` and arguments take values; a condition there never equals a text.
#[test]
fn a_condition_beside_a_text_is_an_error() {
    let plan = plan(&[
        ("aws_instance.bastion", json!({"ami": "x", "on": true, "list": ["a"]}), json!({})),
        ("aws_instance.web", json!({"ami": "y", "on": false, "list": []}), json!({})),
    ]);
    let of = |body: &str| said(&format!("rule \"r\" {{\n{body}\n}}\n"), &plan);
    for body in [
        "resource \"aws_instance\" {\n where { ami = meta.name != \"bastion\" }\n on = true\n }",
        "resource \"aws_instance\" { ami = meta.name == \"bastion\" }",
        "forbid \"aws_instance\" { ami = 1 == 1 }",
        "resource \"aws_instance\" { list = attrs.on }",
    ] {
        let (code, lines) = of(body);
        assert_eq!(code, 2, "{body}: {lines:?}");
        let text = lines.concat();
        assert!(text.contains("An expression without self is compared as a value"), "{text}");
    }
    // A bool is compared with a bool.
    let (code, lines) = of(
        "resource \"aws_instance\" {\n where { on = meta.name == \"bastion\" }\n ami = required\n }",
    );
    assert_eq!(code, 0, "{lines:?}");
    // All but one.
    for body in [
        "when = { except = [\"aws_instance.bastion\"] }\nresource \"aws_instance\" { on = false }",
        "resource \"aws_instance\" {\n where { ami = string({ condition = meta.name != \"bastion\" }) }\n on = false\n }",
    ] {
        assert_eq!(of(body).0, 0, "{body}");
        assert_eq!(of(&body.replace("bastion", "web")).0, 1, "{body}");
    }
    for (name, text) in
        [("condition", "write it as an option of a validator"), ("meta", "use it in an expression")]
    {
        let rules = format!(
            "rule \"r\" {{\n resource \"aws_instance\" {{\n where {{ {name} = required }}\n on = true\n }}\n}}\n"
        );
        let files = [("a.rules.hcl", &*rules), ("plan.json", &*plan)];
        let (code, out, _) = command(&files, "--plan plan.json a.rules.hcl");
        assert_eq!(code, 2, "{out}");
        assert!(out.contains(text), "{out}");
    }
}

/// In `forbid`, `where` and `deny` what never holds, or cannot be evaluated, would let everything pass.
#[test]
fn what_never_holds_lets_nothing_pass() {
    let plan = plan(&[
        (
            "t.a",
            json!({"cidrs": ["0.0.0.0/0"], "tags": {"env": "prod"}, "ami": "x", "size": "big"}),
            json!({}),
        ),
        ("u.a", json!({"v": ["a"]}), json!({})),
        ("u.b", json!({"v": "a"}), json!({})),
    ]);
    let of = |body: &str| said(&format!("rule \"r\" {{\n{body}\n}}\n"), &plan);
    for (body, expected) in [
        ("resource \"t\" { cidrs = deny(\"0.0.0.0/0\") }", "deny accepts a list with any contents"),
        (
            "resource \"t\" { tags = deny(\"env\", \"x\") }",
            "deny accepts an object with any contents",
        ),
        (
            "forbid \"t\" { cidrs = \"0.0.0.0/0\" }",
            "This never holds, because the argument is a list",
        ),
        (
            "forbid \"t\" { cidrs = any(\"0.0.0.0/0\", \"::/0\") }",
            "This never holds, because the argument is a list",
        ),
        (
            "forbid \"t\" { ami = [\"x\", \"y\"] }",
            "This never holds, because the argument is a single value",
        ),
        (
            "resource \"t\" {\n where { cidrs = startswith(self, \"0\") }\n ami = \"y\"\n }",
            "This never holds, because the argument is a list",
        ),
        ("needs \"t\" { cidrs = \"x\" }\nresource \"u\" {}", "This never holds"),
    ] {
        let (code, lines) = of(body);
        assert_eq!(code, 2, "{body}: {lines:?}");
        assert!(lines.concat().contains(expected), "{body}: {lines:?}");
    }
    for (body, expected) in [
        ("resource \"t\" { cidrs = list(deny(\"0.0.0.0/0\")) }", 1),
        ("resource \"t\" { cidrs = deny(some(\"0.0.0.0/0\")) }", 1),
        ("forbid \"t\" { cidrs = some(\"0.0.0.0/0\") }", 1),
        // Arguments of this type are of both kinds.
        ("forbid \"u\" { v = \"a\" }", 1),
        ("resource \"u\" { v = deny(\"b\") }", 0),
        // Under a pattern there are many types.
        ("resource \"*\" { v = deny(\"b\") }", 0),
    ] {
        let (code, lines) = of(body);
        assert_eq!(code, expected, "{body}: {lines:?}");
    }
    // A condition that cannot be evaluated proves nothing.
    for body in [
        "forbid \"t\" { size = self > 10 }",
        "forbid \"t\" { tags = self.owner == \"me\" }",
        "resource \"t\" { size = deny(self > 10) }",
        "resource \"t\" { size = deny(any(self > 10, \"small\")) }",
        "resource \"t\" {\n where { size = self > 10 }\n ami = \"y\"\n }",
    ] {
        let rules = format!("rule \"r\" {{\n{body}\n}}\n");
        assert_eq!(outcome(&rules, &plan), "undecided", "{body}");
    }
    assert_eq!(outcome("rule \"r\" {\n resource \"t\" { size = self > 10 }\n}\n", &plan), "fail");
    // Another argument decides.
    let body = "forbid \"t\" {\n size = self > 10\n ami = \"z\"\n }";
    assert_eq!(outcome(&format!("rule \"r\" {{\n{body}\n}}\n"), &plan), "pass");
}

/// The commonest mistakes of a first rule, and what the message says.
#[test]
fn mistakes_of_a_first_rule_get_advice() {
    let plan = plan(&[(
        "t.a",
        json!({"ami": "a", "x": [{"port": 22}], "tags": {"env": "prod"}, "on": true, "size": 20, "policy": "{\"a\": 1}"}),
        json!({}),
    )]);
    for (body, expected) in [
        (
            "resource \"t\" { ami = any([\"a\", \"b\"]) }",
            "write any([\"a\", \"b\"]...) to accept each element",
        ),
        (
            "resource \"t\" { ami = [\"a\", \"b\"] }",
            "write any([\"a\", \"b\"]...) to accept each element",
        ),
        (
            "resource \"t\" { ami = regex(\"^a\", self) }",
            "string({ pattern = \"^a\" }) accepts texts that match",
        ),
        (
            "resource \"t\" { ami = regex(\"^b\", self) == \"b\" }",
            "found the pattern of regex does not match",
        ),
        (
            "resource \"t\" { x = { port = 22 } }",
            "these are nested blocks: write x { … } or list({ … })",
        ),
        ("resource \"t\" { x = \"a\" }", "it is a list: write list(V) for each element"),
        (
            "resource \"t\" { tags = [\"env\"] }",
            "it is an object, not a list: write { NAME = V } for a member",
        ),
        ("resource \"t\" { tags = \"env\" }", "it is an object: write { NAME = V } for a member"),
        ("resource \"t\" {\n ami {\n a = 1\n }\n }", "ami is an argument: write ami = V"),
        (
            "resource \"t\" { ami = \"^b\" }",
            "a constant is compared as it is; for a pattern, write string({ pattern",
        ),
        (
            "resource \"t\" { ami = \"ami-*\" }",
            "a constant is compared as it is; for a pattern, write string({ pattern",
        ),
        (
            "resource \"t\" { size = \"> 10\" }",
            "a constant is compared as it is; for a range, write number({ min = A, max = B })",
        ),
        ("resource \"t\" { on = \"yes\" }", "write true or false, without quotes"),
        (
            "resource \"t\" { policy = { a = 2 } }",
            "it is JSON text: write json(V) to judge its contents",
        ),
        ("resource \"t\" { ami = self.ami == \"a\" }", "the argument's own value"),
        ("resource \"t\" { ami = length(self) }", "compare it: length(…) == VALUE"),
        ("resource \"t\" { x = [for it in self : it.port == 1] }", "alltrue([for it in self"),
        ("resource \"t\" { ami = \"a\" || \"b\" }", "any(A, B) accepts one of several values"),
        ("resource \"t\" { ami = !\"a\" }", "deny(A) accepts everything except a value"),
        ("resource \"t\" { ami = in([\"a\"]) }", "write any(A, B)"),
        ("resource \"t\" { ami = var.ami }", "context \"NAME\" { … } and write context.NAME"),
        ("resource \"t\" { ami = contains([\"a\"], ami) }", "parent.ami for another argument"),
        ("resource \"t\" { on = True }", "write true"),
        ("resource \"t\" { size = between(1, 2) }", "write number({ min = A, max = B })"),
        ("resource \"t\" { size = number(1, 2) }", "number({ min = A, max = B })"),
        ("resource \"t\" { tags = map(\"env\", \"prod\") }", "write { NAME = V } for one key"),
        ("resource \"t\" { ami = string({ regex = \"^a\" }) }", "write pattern"),
        (
            "resource \"t\" { where = { ami = \"a\" } }",
            "write `where` as a block, without an equals sign",
        ),
        ("deny \"t\" {\n }", "write forbid \"TYPE\" { … }"),
        ("require \"t\" {\n }", "write resource \"TYPE\" { … }"),
        ("when {\n actions = [\"create\"]\n }\nforbid \"t\" {}", "write when = { … }"),
        ("level = warning\nforbid \"t\" {}", "write \"warning\", in quotes"),
        ("severity = \"error\"\nforbid \"t\" {}", "write level = \"error\""),
        ("count \"t\" {\n equal = 3\n }", "Use min, max (equal for an exact number)"),
        ("count \"t\" {}", "Write min = 1, max = 3, or both."),
        ("count \"t\" { max = \"three\" }", "max must be a whole number of at least 0"),
        ("count \"t\" {\n min = 2\n max = 1\n }", "The bounds contradict each other"),
        ("resource \"tt\" { ami = \"a\" }", "did you mean \"t\"?"),
    ] {
        let rules = format!("rule \"r\" {{\n{body}\n}}\n");
        let files = [("a.rules.hcl", &*rules), ("plan.json", &*plan)];
        let (_, out, err) = command(&files, "--plan plan.json a.rules.hcl");
        assert!(out.contains(expected), "{body}\n{expected}\n{out}{err}");
    }
}
