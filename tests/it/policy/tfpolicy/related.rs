//! `core::getresources`: which other resources belong to the judged one.

use serde_json::{Value, json};

use super::{change, command, policy};

/// What a policy says about a plan of buckets and ACLs: `bucket` is what each ACL is written with.
fn said(
    buckets: &[(&str, Value, bool)],
    acls: &[(&str, Value, Option<Value>)],
    condition: &str,
) -> String {
    let mut changes = Vec::new();
    let mut resources = Vec::new();
    for (name, bucket, is_new) in buckets {
        let mut after = json!({"bucket": bucket});
        let mut unknown = json!({});
        if *is_new {
            unknown["id"] = json!(true);
        } else {
            after["id"] = bucket.clone();
        }
        changes.push(change("t", name, &["create"], [Value::Null, after, unknown]));
        resources.push(json!({"address": format!("t.{name}"), "mode": "managed", "type": "t",
            "name": name, "expressions": {"bucket": {"constant_value": bucket}}}));
    }
    for (name, expression, bucket) in acls {
        let (after, unknown) = match bucket {
            Some(it) => (json!({"bucket": it, "acl": name}), json!({})),
            None => (json!({"acl": name}), json!({"bucket": true})),
        };
        changes.push(change("acl", name, &["create"], [Value::Null, after, unknown]));
        resources.push(json!({"address": format!("acl.{name}"), "mode": "managed", "type": "acl",
            "name": name, "expressions": {"bucket": expression}}));
    }
    let plan = json!({"format_version": "1.2", "resource_changes": changes,
        "configuration": {"root_module": {"resources": resources}}});
    let body = format!(
        "  locals {{\n    all = core::getresources(\"acl\", {{ bucket = attrs.id }})\n  }}\n  enforce \
        {{\n    condition = {condition}\n  }}"
    );
    let (text, plan) = (policy(&body), plan.to_string());
    let files = [("p/a.policy.hcl", text.as_str()), ("plan.json", plan.as_str())];
    let (_, out, err) = command(&files, "--plan plan.json p --format concise");
    let word = |line: &str| {
        let name = line.split("t.").nth(1).and_then(|it| it.split(' ').next()).unwrap_or_default();
        let level =
            line.split('[').next().unwrap_or_default().rsplit(' ').next().unwrap_or_default();
        format!("{name} {level}")
    };
    assert_eq!(err, "");
    out.lines().map(word).collect::<Vec<_>>().join(", ")
}

fn reference(to: &str) -> Value {
    json!({"references": [format!("{to}.id"), to]})
}

#[test]
fn on_the_first_apply_the_reference_decides() {
    let buckets = [("one", json!("a"), true), ("two", json!("b"), true)];
    let acls = [("private", reference("t.one"), None)];
    assert_eq!(said(&buckets, &acls, "core::length(local.all) == 1"), "two error");
    assert_eq!(
        said(&buckets, &acls, "core::try(local.all[0].acl, \"\") == \"private\""),
        "two error"
    );
    assert_eq!(said(&buckets, &[], "core::length(local.all) == 0"), "");
}

#[test]
fn known_values_are_compared() {
    let buckets = [("one", json!("a"), false), ("two", json!("b"), false)];
    let literal = |it: &str| json!({"constant_value": it});
    let acls = [("x", literal("a"), Some(json!("a"))), ("y", literal("c"), Some(json!("c")))];
    assert_eq!(said(&buckets, &acls, "core::length(local.all) == 1"), "two error");
}

#[test]
fn what_may_match_leaves_only_the_number_open() {
    let buckets = [("one", json!("a"), true)];
    let computed = json!({"references": ["local.x"]});
    let acls = [("sure", reference("t.one"), None), ("maybe", computed, None)];
    assert_eq!(said(&buckets, &acls, "core::length(local.all) > 0"), "");
    assert_eq!(said(&buckets, &acls, "core::length(local.all) > 3"), "one error");
    assert_eq!(said(&buckets, &acls, "core::length(local.all) == 1"), "one warning");
    assert_eq!(said(&buckets, &acls, "local.all[0].acl == \"sure\""), "one warning");
}

#[test]
fn a_resource_that_is_deleted_is_not_found_and_an_incomplete_plan_is_open() {
    let gone = change("acl", "x", &["delete"], [json!({"bucket": "a"}), Value::Null, json!({})]);
    let bucket = change("t", "one", &["no-op"], [json!({}), json!({"id": "a"}), json!({})]);
    let text = policy(
        "  enforce {\n    condition = core::length(core::getresources(\"acl\", {})) == 0\n  }",
    );
    for (is_complete, wanted) in [(true, ""), (false, "there may be more acl")] {
        let plan = json!({"format_version": "1.2", "complete": is_complete,
            "resource_changes": [gone, bucket]});
        let plan = plan.to_string();
        let files = [("p/a.policy.hcl", text.as_str()), ("plan.json", plan.as_str())];
        let (code, out, _) = command(&files, "--plan plan.json p --format concise");
        assert!(code == 0 && out.contains(wanted), "{out}");
        assert_eq!(out.contains("warning[policy/a-p]"), !is_complete, "{out}");
    }
}

#[test]
fn before_a_plan_the_written_reference_decides() {
    let text = r#"
resource_policy "aws_s3_bucket" "private" {
  locals {
    acls = core::getresources("aws_s3_bucket_acl", { bucket = attrs.id })
  }
  enforce {
    condition = core::length(local.acls) > 0 && core::try(local.acls[0].acl, "") == "private"
  }
}
"#;
    let main = r#"
resource "aws_s3_bucket" "good" {
}
resource "aws_s3_bucket" "bad" {
}
resource "aws_s3_bucket" "none" {
}
resource "aws_s3_bucket_acl" "good" {
  bucket = aws_s3_bucket.good.id
  acl    = "private"
}
resource "aws_s3_bucket_acl" "bad" {
  bucket = aws_s3_bucket.bad.id
  acl    = "public-read"
}
"#;
    let files = [("p/a.policy.hcl", text), ("m/main.tf", main)];
    let (code, out, err) = command(&files, "--config m p --format concise");
    assert_eq!(code, 1, "{out} {err}");
    let found: Vec<&str> = out.lines().map(|it| it.split(": ").nth(1).unwrap()).collect();
    assert_eq!(found.len(), 2, "{out}");
    assert!(
        found.iter().all(|it| it.starts_with("error[policy/a-private] aws_s3_bucket.")),
        "{out}"
    );
    assert!(out.contains("aws_s3_bucket.bad") && out.contains("aws_s3_bucket.none"), "{out}");
}
