//! What policies say about the objects of plans and configurations.

use serde_json::{Value, json};

use super::{change, command, created, enforced, outcome, policy, said};

#[test]
fn a_decided_outcome_holds_and_everything_else_is_undecided() {
    let none = json!({});
    let id = json!({"id": true});
    for (condition, after, unknown, wanted) in [
        ("attrs.a == 1", json!({"a": 1}), &none, "pass"),
        ("attrs.a == 1", json!({"a": 2}), &none, "fail"),
        ("attrs.id == \"x\"", none.clone(), &id, "undecided"),
        // The rest decides.
        ("attrs.id == \"x\" && attrs.a == 1", json!({"a": 2}), &id, "fail"),
        ("attrs.id == \"x\" || attrs.a == 2", json!({"a": 2}), &id, "pass"),
        // A null is not what try replaces.
        ("core::try(attrs.a, 1) == 1", json!({"a": null}), &none, "fail"),
        ("core::try(attrs.a.b, 1) == 1", json!({"a": {}}), &none, "pass"),
        // An error proves something only if everything in it is known.
        ("attrs.a.b == 1", json!({"a": {}}), &id, "fail"),
        ("core::length(attrs.id) > core::length(attrs.a)", json!({"a": null}), &id, "undecided"),
        ("attrs.a", json!({"a": "x"}), &none, "fail"),
        ("attrs.a", json!({"a": null}), &none, "fail"),
        (
            "core::length([for it in attrs.a : it if it > 1]) == 1",
            json!({"a": [1, 2]}),
            &none,
            "pass",
        ),
        ("length(attrs.a) == 1", json!({"a": [1]}), &none, "pass"),
        ("meta.type == \"t\" && meta.provider_type == \"aws\"", none.clone(), &none, "pass"),
        ("meta.operation == \"create\" && meta.module_path == \".\"", none.clone(), &none, "pass"),
        ("meta.tfe_stack.stack_name == \"\"", none.clone(), &none, "pass"),
        ("meta.tfe_workspace.tags[\"env\"] == \"prod\"", none.clone(), &none, "undecided"),
        ("meta.address == \"t.a\"", none.clone(), &none, "fail"),
    ] {
        assert_eq!(outcome(condition, &after, unknown), wanted, "{condition} {after}");
    }
}

#[test]
fn the_functions_of_the_language() {
    let none = json!({});
    for (condition, wanted) in [
        ("core::semverconstraint(\"5.1.0\", \">= 5.0.0, < 6.0.0\")", "pass"),
        ("core::semverconstraint(\"6.0.0\", \"~> 5.0\")", "fail"),
        ("core::semverconstraint(attrs.id, \"~> 5.0\")", "undecided"),
        ("core::semverconstraint(\"x\", \"~> 5.0\")", "fail"),
        ("core::semverconstraint(null, \"~> 5.0\")", "fail"),
        ("core::semvercmp(\"1.10.0\", \"1.9.0\") == 1", "pass"),
        ("core::semvercmp(\"1.0.0-beta\", \"1.0.0\") == -1", "pass"),
        ("core::contains_substring(\"logs-prod\", \"prod\")", "pass"),
        ("core::contains_substring(\"logs\", \"prod\")", "fail"),
        ("core::regex_match(\"a-1\", \"^[a-z]-\\\\d$\")", "pass"),
        ("core::regex_match(\"a\", \"[\")", "fail"),
        ("core::valuetostring(1) == \"1\"", "pass"),
        ("core::valuetostring(null) == \"(null)\"", "pass"),
        ("core::valuetostring({ a = [1] }) == \"{\\n  \\\"a\\\": [\\n    1\\n  ]\\n}\"", "pass"),
        ("core::anytrue([false, true]) && core::alltrue([true])", "pass"),
        ("core::gethttprequest(\"https://example.com\").statusCode == 200", "undecided"),
        ("core::try(core::gethttprequest(\"https://example.com\"), null) == null", "undecided"),
        ("plugin::names::is_good(attrs.a)", "undecided"),
        ("core::getdatasource(\"aws_ami\", {}).id == \"x\"", "undecided"),
        ("core::timestamp() == \"\"", "undecided"),
        ("core::semvercmp(\"1.0.0\")", "fail"),
    ] {
        assert_eq!(
            outcome(condition, &json!({"a": 1}), &json!({"id": true})),
            wanted,
            "{condition}"
        );
    }
    assert_eq!(outcome("core::file(\"/etc/passwd\") != \"\"", &none, &none), "undecided");
}

#[test]
fn a_filter_selects_what_is_judged() {
    let filtered = |filter: &str| {
        policy(&format!("  filter = {filter}\n  enforce {{\n    condition = attrs.a == 1\n  }}"))
    };
    let wrong = [created(&json!({"a": 2}), &json!({"id": true}))];
    assert_eq!(said(&filtered("false"), &wrong), (0, Vec::new()));
    assert_eq!(said(&filtered("attrs.a == 2"), &wrong).0, 1);
    let (code, found) = said(&filtered("attrs.id == \"x\""), &wrong);
    assert_eq!(code, 0);
    assert!(
        found[0].starts_with("warning policy/a-p t.a (create): id: cannot be decided"),
        "{found:?}"
    );
    // What passes anyway is not undecided.
    let right = [created(&json!({"a": 1}), &json!({"id": true}))];
    assert_eq!(said(&filtered("attrs.id == \"x\""), &right), (0, Vec::new()));
    let (code, found) = said(&filtered("attrs.a.b"), &right);
    assert!(code == 1 && found[0].contains("an error: Unsupported attribute"), "{found:?}");
}

#[test]
fn operations_select_the_changes() {
    let values = [json!({"a": 1}), json!({"a": 2}), json!({})];
    let [before, after, unknown] = values.clone();
    let all = [
        change("t", "c", &["create"], [Value::Null, after.clone(), unknown.clone()]),
        change("t", "u", &["update"], values.clone()),
        change("t", "d", &["delete"], [before.clone(), Value::Null, unknown.clone()]),
        change("t", "n", &["no-op"], values.clone()),
        change("t", "r", &["delete", "create"], values),
    ];
    let judged = |operations: &str, condition: &str| -> Vec<String> {
        let text =
            policy(&format!("{operations}\n  enforce {{\n    condition = {condition}\n  }}"));
        let mut found = said(&text, &all).1;
        found.retain(|it| !it.contains("doubtful-policy"));
        found.iter().map(|it| it.split(' ').nth(2).unwrap().trim_matches(':').to_owned()).collect()
    };
    assert_eq!(judged("", "false"), ["t.c", "t.n", "t.r", "t.u"]);
    assert_eq!(judged("  operations = []", "false"), ["t.c", "t.d", "t.n", "t.r", "t.u"]);
    assert_eq!(judged("  operations = [\"create\"]", "false"), ["t.c", "t.r"]);
    assert_eq!(judged("  operations = [\"no-op\"]", "false"), ["t.n"]);
    assert_eq!(judged("  operations = [\"delete\"]", "false"), ["t.d", "t.r"]);
    let gone = "attrs.a == null && prior_attrs.a == 1 && meta.operation == \"delete\"";
    assert_eq!(judged("  operations = [\"delete\"]", gone), Vec::<String>::new());
    let changed = "attrs.a == prior_attrs.a";
    assert_eq!(judged("  operations = [\"update\", \"delete\"]", changed), ["t.d", "t.r", "t.u"]);
}

#[test]
fn every_enforce_block_reports_for_itself_with_its_message() {
    let text = policy(
        r#"
  locals {
    short = core::try(attrs.name, "") == "" || core::length(attrs.name) < 3
  }
  enforce {
    condition     = !local.short
    error_message = "The name ${attrs.name} of ${attrs.id} has ${attrs.none} letters."
  }
  enforce {
    condition = attrs.size > 1 && attrs.kind == "b"
  }
"#,
    );
    let after = json!({"name": "ab", "size": 1, "kind": "a"});
    let (code, found) = said(&text, &[created(&after, &json!({"id": true}))]);
    assert_eq!(code, 1);
    assert_eq!(
        found,
        [
            "error policy/a-p t.a (create): name: expected !local.short, found \"ab\" / The name ab \
            of (known after apply) has (no value) letters.",
            "error policy/a-p t.a (create): expected attrs.size > 1 && attrs.kind == \"b\", found \
            size = 1, kind = \"a\"",
        ]
    );
}

#[test]
fn sensitive_values_are_in_no_text() {
    let text = policy(
        r#"
  enforce {
    condition     = attrs.password == "good"
    error_message = "The password ${attrs.password} is not good."
  }
  enforce {
    condition     = core::contains(["x"], attrs.password)
    error_message = attrs.password
  }
  enforce {
    condition     = core::parseint(attrs.password, 10) > 0
    error_message = "${core::upper(attrs.password)}"
  }
"#,
    );
    let mut change = created(&json!({"password": "hunter2"}), &json!({}));
    change["change"]["after_sensitive"] = json!({"password": true});
    let plan = json!({"format_version": "1.2", "resource_changes": [change]}).to_string();
    let files = [("p/a.policy.hcl", text.as_str()), ("plan.json", plan.as_str())];
    for format in ["human", "json", "sarif", "github", "junit", "markdown"] {
        let arguments = format!("--plan plan.json p --format {format}");
        let (code, out, err) = command(&files, &arguments);
        assert_eq!(code, 1, "{format} {err}");
        let all = (out + &err).to_lowercase();
        assert!(!all.contains("hunter2"), "{format}: {all}");
    }
}

#[test]
fn a_configuration_is_judged_before_any_plan() {
    let judged = |condition: &str, main: &str| {
        let policy = enforced(condition);
        let files = [("p/a.policy.hcl", policy.as_str()), ("m/main.tf", main)];
        let (code, out, err) = command(&files, "--config m p --format concise");
        (code, out + &err)
    };
    let block =
        "resource \"t\" \"a\" {\n  a = 1\n  b {\n    c = 2\n  }\n  tags = { x = \"y\" }\n}\n";
    for (condition, code, text) in [
        ("attrs.a == 1 && attrs.b[0].c == 2", 0, ""),
        ("attrs.a == 2", 1, "expected attrs.a == 2, found 1"),
        // What is not written is null, and a provider may set it.
        ("core::try(attrs.z, true) == true", 1, "found no value, which a provider may set"),
        (
            "core::try(attrs.b[0].z, true) == true",
            1,
            "expected core::try(attrs.b[0].z, true) == true",
        ),
        ("core::length(attrs.z) == 0", 0, "z is not written, and a provider may set it"),
        ("core::try(attrs.tags.z, \"none\") == \"none\"", 0, ""),
        ("attrs.id == \"x\"", 0, "it is not known before a plan"),
        ("meta.operation == \"create\"", 0, "cannot be decided yet"),
    ] {
        let (found, out) = judged(condition, block);
        assert_eq!(found, code, "{condition}: {out}");
        assert!(out.contains(text) && out.is_empty() == text.is_empty(), "{condition}: {out}");
    }
    let (code, out) = judged("attrs.a == 2", "resource \"t\" \"a\" {\n  a = 1\n}\n");
    assert!(code == 1 && out.starts_with("m/main.tf:2:3: error[policy/a-p] t.a: a:"), "{out}");
}

#[test]
fn modules_and_providers_are_judged() {
    let text = r#"
module_policy "*" "pinned" {
  filter = !core::startswith(meta.source, "./")
  enforce {
    condition = meta.version != null && core::semverconstraint(meta.version, ">= 2.0.0")
  }
}
module_policy "registry.terraform.io/a/b/c" "named" {
  enforce {
    condition = attrs.size == 1
  }
}
provider_policy "aws" "region" {
  filter = meta.alias == null
  enforce {
    condition     = attrs.region == "eu-west-1"
    error_message = "${meta.source} ${meta.namespace} ${meta.type}"
  }
}
"#;
    let main = r#"
terraform {
  required_providers {
    aws = {
      source  = "acme/aws"
      version = "5.0.0"
    }
  }
}
provider "aws" {
  region = "us-east-1"
}
provider "aws" {
  alias  = "other"
  region = "us-east-1"
}
module "old" {
  source  = "a/b/c"
  version = "1.0.0"
  size    = 2
}
module "range" {
  source  = "x/y/z"
  version = "~> 2.0"
}
module "open" {
  source = "github.com/a/b"
}
module "near" {
  source = "./near"
}
"#;
    let files = [("p/a.policy.hcl", text), ("m/main.tf", main), ("m/near/main.tf", "# nothing\n")];
    let (code, out, err) = command(&files, "--config m p --format concise");
    let found: Vec<&str> = out.lines().collect();
    let has = |wanted: &[&str]| {
        assert!(
            found.iter().any(|line| wanted.iter().all(|it| line.contains(it))),
            "{wanted:?} {out} {err}"
        );
    };
    assert_eq!(code, 1, "{out} {err}");
    has(&["error[policy/a-pinned] module.old"]);
    has(&["error[policy/a-named] module.old", "size"]);
    has(&["warning[policy/a-pinned] module.range"]);
    has(&["error[policy/a-pinned] module.open"]);
    has(&["error[policy/a-region] provider.aws:", "registry.terraform.io/acme/aws acme aws"]);
    assert!(!out.contains("module.near") && !out.contains("provider.aws.other"), "{out}");
}

#[test]
fn a_check_judges_modules_by_the_policies_that_its_configuration_names() {
    let files = [
        (
            ".terraschema.hcl",
            "policy {\n  rules = [\"p\"]\n}\nrule \"policy/a-p\" {\n  level = \"warning\"\n}\n",
        ),
        ("p/a.policy.hcl", &enforced("attrs.a == 2")),
        ("m/main.tf", "variable \"x\" {}\nresource \"t\" \"a\" {\n  a = 1\n}\n"),
    ];
    let (code, lines) = super::super::check::check(&files);
    assert_eq!(code, 0, "{lines:?}");
    assert!(
        lines.iter().any(|it| it.starts_with("m/main.tf:3:3: warning[policy/a-p]")),
        "{lines:?}"
    );
}

#[test]
fn hostile_policies_end_within_the_budget() {
    let deep = format!("{}attrs.a{}", "(".repeat(20_000), ")".repeat(20_000));
    let many: String = (0..3_000)
        .map(|it| format!("    l{it} = [local.l{}, local.l{}]\n", it + 1, it + 1))
        .collect();
    let locals = format!("  locals {{\n{many}    l3000 = [attrs.a]\n  }}\n");
    let chain =
        policy(&format!("{locals}  enforce {{\n    condition = core::length(local.l0) == 2\n  }}"));
    let many = "core::length(core::flatten([for a in core::range(3000) : [for b in core::range(3000) : a + b]])) == 1";
    for text in [enforced(&format!("{deep} == 1")), chain, enforced(many)] {
        let (code, found) = said(&text, &[created(&json!({"a": 1}), &json!({}))]);
        assert!(code <= 2, "{found:?}");
    }
}

#[test]
fn an_error_about_what_is_not_written_proves_nothing() {
    let policies = "locals {\n  good = [1, 5]\n}\n\
        resource_policy \"t\" \"p\" {\n  locals {\n    raw = core::try(attrs.interval, 0)\n    is_good = \
        core::contains([\"x\"], core::lower(local.raw))\n  }\n  enforce {\n    condition = local.is_good\n  \
        }\n  enforce {\n    condition = core::try(attrs.copied, false)\n  }\n}\n";
    let main = "resource \"t\" \"a\" {\n  name = \"x\"\n}\n";
    let (code, out, _) =
        command(&[("p/a.policy.hcl", policies), ("main.tf", main)], "--config . p");
    assert_eq!(code, 0, "{out}");
    let wanted = "expected local.is_good, and interval is not written, and a provider may set it";
    assert!(out.contains(wanted), "{out}");
    assert!(out.contains("and copied is not written, and a provider may set it"), "{out}");
    // A plan has decided: the argument is null.
    let after = json!({"interval": null, "copied": null});
    let (code, found) = said(policies, &[created(&after, &json!({}))]);
    assert_eq!(code, 1, "{found:?}");
    assert!(
        found[0].contains("an error: a function or an operator does not take null"),
        "{found:?}"
    );
    assert!(found[1].contains("an error: the condition is null"), "{found:?}");
}

#[test]
fn a_finding_shows_no_value_that_did_not_matter() {
    let condition = "core::length(core::getresources(\"u\", { t = attrs.id })) > 0";
    let (code, found) = said(&enforced(condition), &[created(&json!({}), &json!({"id": true}))]);
    assert_eq!(code, 1, "{found:?}");
    assert!(
        found[0].ends_with(&format!("t.a (create): expected {condition}, found false")),
        "{found:?}"
    );
}

#[test]
fn the_lock_file_decides_the_version_of_a_provider() {
    let policies = "provider_policy \"aws\" \"p\" {\n  enforce {\n    condition = core::semverconstraint(\
        meta.version, \">= 5.1.0\")\n  }\n}\n";
    let main = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      \
        version = \"~> 5.0\"\n    }\n  }\n}\nprovider \"aws\" {}\n";
    let lock = |version: &str| {
        format!("provider \"registry.terraform.io/hashicorp/aws\" {{\n  version = {version}\n}}\n")
    };
    let plan = json!({"format_version": "1.2", "resource_changes": [], "configuration": {
        "provider_config": {"aws": {"name": "aws", "version_constraint": "~> 5.0", "full_name":
            "registry.terraform.io/hashicorp/aws"}}}})
    .to_string();
    let config = ".terraschema.hcl";
    for (lock, wanted) in [
        (Some(lock("\"5.1.0\"")), "pass"),
        (Some(lock("\"5.0.9\"")), "fail"),
        (Some(lock("5.1")), "undecided"),
        (Some("provider {".to_owned()), "undecided"),
        (None, "undecided"),
    ] {
        for arguments in ["--config m p", "--plan plan.json --source m p", "--config m"] {
            let mut files = vec![("p/a.policy.hcl", policies), ("m/main.tf", main)];
            files.push(("plan.json", &plan));
            files.push((config, "policy {\n  rules = [\"p\"]\n}\n"));
            files.extend(lock.as_deref().map(|it| ("m/.terraform.lock.hcl", it)));
            let (code, out, err) = command(&files, arguments);
            let found = match code {
                1 => "fail",
                0 if out.contains("cannot be decided") => "undecided",
                0 => "pass",
                _ => panic!("{err}"),
            };
            assert_eq!(found, wanted, "{arguments} {lock:?}: {out}");
        }
    }
}

/// What each attack says, as `policy --format concise`.
fn attacked(policies: &str) -> (u8, String) {
    let plan = json!({"format_version": "1.2", "resource_changes": [created(
        &json!({"a": 1}), &json!({"id": true}))]})
    .to_string();
    let files = [("p/a.policy.hcl", policies), ("plan.json", plan.as_str())];
    let (code, out, err) = command(&files, "--plan plan.json p --format concise");
    (code, out + &err)
}

/// Every chain and every tree of locals is walked once.
#[test]
fn many_locals_end_soon() {
    use std::fmt::Write as _;
    let locals = |number: usize, one: &dyn Fn(usize) -> String, last: &str| {
        let mut text = String::from("  locals {\n");
        for at in 0..number {
            writeln!(text, "    l{at} = {}", one(at)).unwrap();
        }
        writeln!(text, "    l{number} = {last}\n    l{} = {last}\n  }}", number + 1).unwrap();
        text
    };
    let chain = |at: usize| format!("local.l{}", at + 1);
    let tree = |at: usize| format!("core::try(local.l{}, local.l{})", at + 1, at + 2);
    let of_file = |number: usize, one: &dyn Fn(usize) -> String, condition: &str| {
        format!("{}{}", locals(number, one, "1").trim_start(), enforced(condition))
    };
    let of_policy = |one: &dyn Fn(usize) -> String, last: &str, condition: &str| {
        let enforce = format!("  enforce {{\n    condition = {condition}\n  }}");
        policy(&(locals(2000, one, last) + &enforce))
    };
    for (policies, wanted) in [
        (of_file(20_000, &chain, "local.l0 == attrs.a"), 0),
        (of_file(200, &tree, "local.l0 == attrs.a"), 0),
        (of_policy(&chain, "attrs.a", "local.l0 == 2"), 1),
        (of_policy(&tree, "attrs.a", "local.l0 == 1"), 0),
        (of_policy(&tree, "attrs.id", "local.l0 == 1"), 0),
        (of_policy(&tree, "core::lower(null)", "local.l0 == null || attrs.a == 2"), 1),
        (of_policy(&tree, "core::try(attrs.b, [])", "core::length(local.l0) == 0"), 0),
    ] {
        let (code, said) = attacked(&policies);
        let start: String = policies.chars().take(120).collect();
        assert_eq!(code, wanted, "{start}: {}", said.chars().take(400).collect::<String>());
    }
}

#[test]
fn an_object_has_no_locals() {
    let locals =
        "  locals {\n    all = [for it in [1] : { size = it, is_big = local.size > 1 }]\n  }\n";
    let (code, said) = attacked(&policy(&format!(
        "{locals}  enforce {{\n    condition = local.all[0].is_big\n  }}"
    )));
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("Reference to an undeclared local: The local \"size\" is not declared"),
        "{said}"
    );
}

#[test]
fn a_block_that_leaves_something_out_may_be_filled_by_a_provider() {
    let condition = "core::try(attrs.transit[0].inside, false) == true";
    let main = "resource \"t\" \"a\" {\n  transit {\n    client = \"TLS\"\n  }\n}\n";
    let policies = enforced(condition);
    let files = [("p/a.policy.hcl", policies.as_str()), ("main.tf", main)];
    let (code, out, _) = command(&files, "--config . p --format concise");
    assert_eq!(code, 1, "{out}");
    let start =
        format!("transit: expected {condition}, found [{{\"client\":\"TLS\",\"inside\":null");
    assert!(out.contains(&start), "{out}");
    assert!(out.contains("}], where a provider may set more"), "{out}");
}
