//! HashiCorp's policies, `*.policy.hcl`, over plans, configurations and the mocks of their tests.

mod converting;
mod doubts;
mod judging;
mod page;
mod reading;
mod related;
mod ten;
mod testing;

use serde_json::{Value, json};

use super::command;

/// A change of a resource `TYPE.a`.
fn change(ty: &str, name: &str, actions: &[&str], [before, after, unknown]: [Value; 3]) -> Value {
    json!({"address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name,
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": {"actions": actions, "before": before, "after": after, "after_unknown": unknown}})
}

/// A plan that creates `t.a` with these arguments; those in `unknown` are known after apply.
fn created(after: &Value, unknown: &Value) -> Value {
    change("t", "a", &["create"], [Value::Null, after.clone(), unknown.clone()])
}

/// The outcomes that policies have for a plan, each `LEVEL RULE HEADLINE`, and the exit code.
fn said(policies: &str, changes: &[Value]) -> (u8, Vec<String>) {
    let plan = json!({"format_version": "1.2", "resource_changes": changes}).to_string();
    let files = [("p/a.policy.hcl", policies), ("plan.json", plan.as_str())];
    let (code, out, err) = command(&files, "--plan plan.json p --format json");
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|it| panic!("{it}: {err}"));
    let one = |it: &Value| {
        let message = it["message"].as_str().unwrap().replace('\n', " / ");
        format!("{} {} {message}", it["level"].as_str().unwrap(), it["rule"].as_str().unwrap())
    };
    (code, report["findings"].as_array().unwrap().iter().map(one).collect())
}

/// A policy for the type `t` with this body.
fn policy(body: &str) -> String {
    format!("resource_policy \"t\" \"p\" {{\n{body}\n}}\n")
}

/// A policy for the type `t` with this condition.
fn enforced(condition: &str) -> String {
    policy(&format!("  enforce {{\n    condition = {condition}\n  }}"))
}

/// `pass`, `fail` or `undecided`: what a condition says about `t.a` with these arguments.
fn outcome(condition: &str, after: &Value, unknown: &Value) -> &'static str {
    let (code, mut found) = said(&enforced(condition), &[created(after, unknown)]);
    found.retain(|it| !it.contains("doubtful-policy"));
    match found.first().map(|it| it.split(' ').next().unwrap()) {
        None if code == 0 => "pass",
        Some("error") if code == 1 => "fail",
        Some("warning") if code == 0 => "undecided",
        _ => panic!("{code} {found:?}"),
    }
}
