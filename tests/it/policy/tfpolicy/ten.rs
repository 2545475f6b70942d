//! `docs/ten-policies.md`: the policy and the rule of each section accept and reject the same plans.

use serde_json::{Value, json};

use super::{change, command};

const PAGE: &str = include_str!("../../../../docs/ten-policies.md");

/// The code in a language, in a section.
fn code<'s>(section: &'s str, language: &str) -> Option<&'s str> {
    section.split(&format!("```{language}\n")).nth(1)?.split("```").next()
}

/// The outcome of a file for one change.
fn outcome(path: &str, text: &str, change: &Value) -> &'static str {
    let plan = json!({"format_version": "1.2", "resource_changes": [change]}).to_string();
    let files = [(path, text), ("plan.json", plan.as_str())];
    let (code, out, err) = command(&files, &format!("--plan plan.json {path} --format concise"));
    assert!(code < 2, "{text}{out}{err}");
    match (code, out.contains("warning[policy/")) {
        (1, _) => "fail",
        (_, true) => "undecided",
        _ => "pass",
    }
}

#[test]
fn both_languages_have_the_same_outcomes() {
    let policy = |action: &str| {
        let statement =
            json!({"Statement": [{"Effect": "Allow", "Action": action, "Resource": "*"}]});
        json!({"policy": statement.to_string()})
    };
    let kept = json!({"skip_final_snapshot": true});
    let cases = [
        ("aws_ebs_volume", json!({"encrypted": true}), json!({"encrypted": null})),
        (
            "aws_instance",
            json!({"tags": {"owner": "a", "env": "dev"}}),
            json!({"tags": {"owner": "a", "env": "test"}}),
        ),
        (
            "aws_instance",
            json!({"instance_type": "t3.micro"}),
            json!({"instance_type": "m5.large"}),
        ),
        (
            "aws_instance",
            json!({"metadata_options": [{"http_tokens": "required"}]}),
            json!({"metadata_options": []}),
        ),
        (
            "aws_security_group_rule",
            json!({"from_port": 443, "cidr_blocks": ["0.0.0.0/0"]}),
            json!({"from_port": 22, "cidr_blocks": ["0.0.0.0/0"]}),
        ),
        ("aws_s3_bucket_acl", json!({"acl": "private"}), json!({"acl": "public-read"})),
        (
            "aws_db_instance",
            json!({"backup_retention_period": 7}),
            json!({"backup_retention_period": 6}),
        ),
        ("aws_db_instance", kept.clone(), kept),
        ("aws_sqs_queue", json!({"name": "dev-orders"}), json!({"name": "orders"})),
        ("aws_iam_policy", policy("s3:GetObject"), policy("*")),
    ];
    let sections: Vec<&str> = PAGE.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), cases.len() + 1, "ten, and what differs");
    for (section, (ty, passes, fails)) in sections.iter().zip(&cases) {
        let title = section.lines().next().unwrap();
        assert!(code(section, "sentinel").is_some() && code(section, "rego").is_some(), "{title}");
        let both = [("p/a.policy.hcl", "policy.hcl"), ("p/a.rules.hcl", "rules.hcl")];
        for (path, language) in both {
            let text = code(section, language).unwrap_or_else(|| panic!("{title}: {language}"));
            let created = |after: &Value| {
                change(ty, "a", &["create"], [Value::Null, after.clone(), json!({})])
            };
            assert_eq!(outcome(path, text, &created(passes)), "pass", "{title} {language}");
            if title.contains("deleted") {
                let gone = change(ty, "a", &["delete"], [fails.clone(), Value::Null, json!({})]);
                assert_eq!(outcome(path, text, &gone), "fail", "{title} {language}");
                continue;
            }
            assert_eq!(outcome(path, text, &created(fails)), "fail", "{title} {language}");
            let names = passes.as_object().unwrap();
            let has_port = names.contains_key("from_port");
            let name = if has_port { "from_port" } else { names.keys().next().unwrap() };
            let mut after = passes.clone();
            after.as_object_mut().unwrap().remove(name);
            let open = change(ty, "a", &["create"], [Value::Null, after, json!({name: true})]);
            assert_eq!(outcome(path, text, &open), "undecided", "{title} {language}");
        }
    }
}
