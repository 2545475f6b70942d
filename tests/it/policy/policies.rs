//! `docs/policies.md`: each rule of the page passes a plan and fails another one, and does not decide a third.

use serde_json::{Value, json};

use super::judged;

const PAGE: &str = include_str!("../../../docs/policies.md");

/// The rules under each heading.
fn rules() -> Vec<(&'static str, &'static str)> {
    let sections = PAGE.split("\n### ").skip(1);
    let rules = sections.filter_map(|it| {
        let (heading, rest) = it.split_once('\n')?;
        Some((heading, rest.split("```hcl\n").nth(1)?.split("```").next()?))
    });
    rules.collect()
}

/// The outcome for the one resource of a type: `pass`, or the levels of findings.
fn said(rules: &str, ty: &str, after: &Value, unknown: &Value) -> String {
    let plan = json!({
        "format_version": "1.2",
        "resource_changes": [{
            "address": format!("{ty}.a"), "mode": "managed", "type": ty, "name": "a",
            "change": {"actions": ["create"], "before": null, "after": after, "after_unknown": unknown},
        }],
    });
    let found = judged(rules, &plan.to_string()).findings;
    match found.iter().map(|it| it.level.as_str()).collect::<Vec<_>>().as_slice() {
        [] => "pass".to_owned(),
        all => all.join(" "),
    }
}

#[test]
fn each_rule_of_the_page_passes_fails_and_is_undecided() {
    let no_fw = json!({"enable_logging": true, "disabled": null, "name": "x"});
    let cases = [
        (
            "Sentinel",
            "google_kms_key_ring",
            json!({"location": "us-east1"}),
            json!({"location": "eu"}),
        ),
        (
            "HashiCorp's Terraform policy",
            "aws_instance",
            json!({"tags": {"env": "testing"}, "instance_type": "t3.micro"}),
            json!({"tags": {"env": "testing"}, "instance_type": "t3.large"}),
        ),
        ("checkov", "aws_instance", json!({"tags": {"env": "x"}}), json!({"tags": null})),
        (
            "terraform-compliance",
            "aws_ebs_volume",
            json!({"encrypted": true}),
            json!({"encrypted": null}),
        ),
        (
            "tfspec",
            "google_compute_firewall",
            no_fw.clone(),
            json!({"enable_logging": true, "disabled": true, "name": "x"}),
        ),
        (
            "config-schema",
            "app_listener",
            json!({"protocol": "https", "port": 443}),
            json!({"protocol": "https", "port": 80}),
        ),
    ];
    let rules = rules();
    let headings: Vec<&str> = cases.iter().map(|it| it.0).collect();
    assert_eq!(rules.iter().map(|it| it.0).collect::<Vec<_>>(), headings);
    for ((heading, rules), (_, ty, passes, fails)) in rules.iter().zip(&cases) {
        assert_eq!(said(rules, ty, passes, &json!({})), "pass", "{heading}");
        assert_eq!(said(rules, ty, fails, &json!({})), "error", "{heading}");
        let all = passes.as_object().unwrap();
        for name in all.keys() {
            let mut known = all.clone();
            known.remove(name);
            let open = said(rules, ty, &Value::Object(known), &json!({name: true}));
            // An unknown condition decides nothing where the rest passes.
            let is_condition = *name == "tags" && *heading == "HashiCorp's Terraform policy";
            let expected = if is_condition { "pass" } else { "warning" };
            assert!(open.split(' ').all(|it| it == expected), "{heading} {name}: {open}");
        }
    }
    // What the page says about the answers of the others.
    let (_, testing) = rules[1];
    let other = json!({"tags": {"env": "prod"}, "instance_type": "t3.large"});
    assert_eq!(said(testing, "aws_instance", &other, &json!({})), "pass");
    let (_, firewall) = rules[4];
    for (name, value) in [("enable_logging", json!(false)), ("name", json!("x".repeat(30)))] {
        let mut wrong = no_fw.clone();
        wrong[name] = value;
        assert_eq!(said(firewall, "google_compute_firewall", &wrong, &json!({})), "error");
    }
    let (_, ports) = rules[5];
    for (protocol, port, expected) in
        [("http", 65536, "error"), ("http", 80, "pass"), ("ftp", 80, "error"), ("http", 0, "error")]
    {
        let after = json!({"protocol": protocol, "port": port});
        assert_eq!(said(ports, "app_listener", &after, &json!({})), expected);
    }
}
