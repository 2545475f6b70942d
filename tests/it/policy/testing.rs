//! `policy test`: what rules say about an example, and whether it is what was expected.

use serde_json::{Value, json};

use super::command;

/// A plan of one `t.a` and one `t.b`, whose arguments `v` are these; `null` is known after apply.
fn plan(a: &Value, b: &Value) -> String {
    let change = |name: &str, it: &Value| {
        json!({"address": format!("t.{name}"), "mode": "managed", "type": "t", "name": name,
            "change": {"actions": ["create"], "before": null, "after": {"v": it},
                "after_unknown": {"v": it.is_null()}}})
    };
    json!({"format_version": "1.2", "resource_changes": [change("a", a), change("b", b)]})
        .to_string()
}

const RULES: &str = r#"context "wanted" {
  type    = number
  default = 1
}

rule "is-wanted" {
  level = context.wanted == 0 ? "off" : "note"
  resource "t" {
    v = context.wanted
  }
}

rule "is-there" {
  undecided = "off"
  resource "t" {
    v = deny(7)
  }
}

rule "none" {
  forbid "u" {}
}
"#;

/// What the command says about one test over a plan of two objects; the test begins in line 24.
fn run(test: &str, a: &Value, b: &Value) -> (u8, String) {
    let rules = format!("{RULES}\n{test}\n");
    let plan = plan(a, b);
    let files = [("r/a.rules.hcl", rules.as_str()), ("r/p/plan.json", plan.as_str())];
    let (code, out, err) = command(&files, "test r --format concise");
    (code, err + &out)
}

fn test(arguments: &str) -> String {
    format!("test \"one\" {{\n  plan = \"p/plan.json\"\n{arguments}\n}}")
}

#[test]
fn a_test_is_met_where_every_rule_that_it_names_says_what_it_expects() {
    for (expect, a, b) in [
        ("{ is-wanted = \"pass\", is-there = \"pass\", none = \"pass\" }", json!(1), json!(1)),
        // A rule that is not named is not looked at.
        ("{ is-there = \"pass\" }", json!(2), json!(3)),
        // The worst of all objects counts, however loud the rule is.
        ("{ is-wanted = \"fail\", is-there = \"undecided\" }", json!(2), json!(null)),
        ("{ is-wanted = \"undecided\" }", json!(1), json!(null)),
        ("{ is-wanted = { \"t.a\" = \"fail\", \"t.b\" = \"undecided\" } }", json!(2), json!(null)),
        ("{ is-wanted = { \"t.a\" = \"fail\" } }", json!(2), json!(1)),
        ("{ \"is-wanted\" = { \"t.a\" = \"pass\" } }", json!(1), json!(1)),
    ] {
        assert_eq!(
            run(&test(&format!("  expect = {expect}")), &a, &b),
            (0, String::new()),
            "{expect}"
        );
    }
}

#[test]
fn what_is_not_met_is_told_with_place_and_reason() {
    let said = |expect: &str, a: Value, b: Value| {
        let (code, out) = run(&test(&format!("  expect = {{ {expect} }}")), &a, &b);
        assert_eq!(code, 1, "{out}");
        out
    };
    assert_eq!(
        said("is-wanted = \"pass\"", json!(2), json!(null)),
        "r/a.rules.hcl:26:14: error[policy/is-wanted] test \"one\": expected pass, found fail \
         t.a (create): v: expected context.wanted, found 2\n"
    );
    assert_eq!(
        said("none = \"fail\"", json!(2), json!(1)),
        "r/a.rules.hcl:26:14: error[policy/none] test \"one\": expected fail, found pass \
         it judges nothing\n"
    );
    assert_eq!(
        said("is-there = \"fail\"", json!(2), json!(1)),
        "r/a.rules.hcl:26:14: error[policy/is-there] test \"one\": expected fail, found pass \
         it judges 2 objects, and all pass\n"
    );
    assert_eq!(
        said("is-wanted = { \"t.a\" = \"pass\", \"t.c\" = \"pass\" }", json!(2), json!(3)),
        "r/a.rules.hcl:26:14: error[policy/is-wanted] test \"one\": t.b, which the test does not list: expected \
         pass, found fail t.b (create): v: expected context.wanted, found 3\n\
         r/a.rules.hcl:26:28: error[policy/is-wanted] test \"one\": t.a: expected pass, found fail \
         t.a (create): v: expected context.wanted, found 2\n\
         r/a.rules.hcl:26:44: error[policy/is-wanted] test \"one\": t.c: the rule judges no such object. \
         Did you mean \"t.a\"?\n"
    );
    let (code, out) = run(
        &test("  context = { wanted = 0 }\n  expect = { is-wanted = \"fail\" }"),
        &json!(2),
        &json!(2),
    );
    assert_eq!((code, out.contains("found pass its level is \"off\"")), (1, true), "{out}");
}

#[test]
fn each_test_has_contexts_of_its_own() {
    let plan = plan(&json!(1), &json!(1));
    let rules = format!(
        "{RULES}
test \"one\" {{
  plan = \"plan.json\"
  expect = {{ is-wanted = \"pass\" }}
}}

test \"two\" {{
  plan = \"plan.json\"
  context = {{ wanted = \"2\" }}
  expect = {{ is-wanted = \"fail\" }}
}}

test \"wrong\" {{
  plan = \"plan.json\"
  context = {{ wanted = 2 }}
  expect = {{ is-wanted = \"pass\" }}
}}
"
    );
    let files = [("a.rules.hcl", rules.as_str()), ("plan.json", plan.as_str())];
    let (code, out, _) = command(&files, "test a.rules.hcl");
    assert_eq!(code, 1);
    assert!(out.contains("test \"wrong\": expected pass, found fail"), "{out}");
    assert!(out.contains("--> a.rules.hcl:38:14"), "{out}");
    assert!(out.ends_with("1 error, 0 warnings in 3 tests, 1 failed\n"), "{out}");
    let (_, out, _) = command(&files, "test a.rules.hcl --format json");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["policy_tests"], json!({"total": 3, "failed": 1}));
    let finding = &report["findings"][0];
    assert_eq!(
        ["outcome", "expected", "found"].map(|it| finding[it].as_str().unwrap()),
        ["fail", "pass", "fail"]
    );
}

#[test]
fn a_test_that_cannot_be_run_says_why() {
    for (test, expected) in [
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n}",
            "24:1: error[invalid-configuration] The test \"t\" expects nothing: Write expect = ",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  expect = {}\n}",
            "26:12: error[invalid-configuration] The test expects nothing: Write expect = ",
        ),
        (
            "test \"t\" {\n  expect = { none = \"pass\" }\n}",
            "24:1: error[invalid-configuration] The test has nothing to judge: Write plan = ",
        ),
        (
            "test \"t\" {\n  plan = \"x\"\n  config = \"\"\n  expect = { none = \"pass\" }\n}",
            "26:3: error[invalid-configuration] A test judges a plan or a configuration, not both",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  expect = { nine = \"pass\" }\n}",
            "26:14: error[invalid-configuration] Unknown rule \"nine\". Did you mean \"none\"?",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  expect = { none = \"passes\" }\n}",
            "26:21: error[invalid-configuration] This is not an outcome: Use \"fail\", \"pass\", \
             \"undecided\". Did you mean \"pass\"?",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  expect = { none = pass }\n}",
            "Write \"pass\", with quotes.",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  expect = { none = \"pass\", none = \"pass\" }\n}",
            "26:29: error[invalid-configuration] Duplicate \"none\"",
        ),
        (
            "test \"t\" {\n  plans = \"p/plan.json\"\n  expect = { none = \"pass\" }\n}",
            "25:3: error[invalid-configuration] Unknown argument \"plans\" in a test: A test can contain \
             context, config, plan, expect. Did you mean \"plan\"?",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  context = { wantd = 1 }\n  expect = { none = \"pass\" }\n}",
            "26:15: error[invalid-configuration] The context \"wantd\" is not declared. Did you mean \
             \"wanted\"?",
        ),
        (
            "test \"t\" {\n  plan = \"p/plan.json\"\n  context = { wanted = local.x }\n  expect = { none = \"pass\" }\n}",
            "26:15: error[invalid-configuration] The value of a context must be a constant",
        ),
        (
            "test \"t\" {\n  plan = local.x\n  expect = { none = \"pass\" }\n}",
            "25:10: error[invalid-configuration] A string is expected",
        ),
        (
            "test \"t\" {\n  plan = \"no.json\"\n  expect = { none = \"pass\" }\n}",
            "test \"t\": cannot read r/no.json",
        ),
        (
            "test \"t\" {\n  plan = \"a.rules.hcl\"\n  expect = { none = \"pass\" }\n}",
            "test \"t\": r/a.rules.hcl cannot be judged: it is not JSON",
        ),
        ("", "the named files contain no tests"),
        (
            "test {\n}",
            "24:1: error[invalid-configuration] test must have one label: Write test \"NAME\"",
        ),
        (
            "rule \"wrong\" {\n  resource \"t\" {\n    w = 1\n  }\n}\ntest \"t\" {\n  plan = \"p/plan.json\"\n  \
             expect = { wrong = \"pass\" }\n}",
            "26:5: error[invalid-configuration] resource \"t\" has no argument \"w\", as t.a shows.",
        ),
        (
            "rule \"wrong\" {\n  resource \"t\" {\n    v = anyof(1)\n  }\n}\ntest \"t\" {\n  plan = \"p/plan.json\"\n  \
             expect = { none = \"pass\" }\n}",
            "26:9: error[invalid-configuration] Unknown validator or function \"anyof\"",
        ),
    ] {
        let (code, out) = run(test, &json!(1), &json!(1));
        assert_eq!((code, out.contains(expected)), (2, true), "{test}\n{out}\n{expected}");
    }
}

#[test]
fn a_mistake_in_a_rule_is_told_once_with_the_first_test_that_meets_it() {
    let rules = "context \"env\" {}\nrule \"a\" {\n  forbid \"t\" {}\n}\n\
        test \"one\" {\n  plan = \"p.json\"\n  expect = { a = \"pass\" }\n}\n\
        test \"two\" {\n  plan = \"p.json\"\n  expect = { a = \"pass\" }\n}\n";
    let (code, out, _) = command(&[("a.rules.hcl", rules)], "test a.rules.hcl");
    assert_eq!(code, 2);
    assert_eq!(out.matches("The context \"env\" has no value").count(), 1, "{out}");
    assert!(out.contains("in the test \"one\""), "{out}");
    assert!(out.contains("in 2 tests, 2 failed"), "{out}");
}

#[test]
fn a_directory_may_be_called_test() {
    let plan = plan(&json!(1), &json!(1));
    let files = [("test/a.rules.hcl", RULES), ("plan.json", plan.as_str())];
    let (code, out, err) = command(&files, "--plan plan.json test");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, _, err) = command(&files, "test test");
    assert_eq!((code, err.contains("the named files contain no tests")), (2, true), "{err}");
}

/// The text of a heredoc is a root module of one file, `${…}` and all; it is judged before any plan.
#[test]
fn a_configuration_is_judged_without_a_plan() {
    let rules = |module: &str, expect: &str| {
        format!(
            "rule \"named\" {{\n  resource \"t\" {{\n    v = any(\"a0\", \"a1\")\n  }}\n}}\n\n\
             test \"c\" {{\n  config = <<EOT\n{module}\nEOT\n  expect = {{ named = {expect} }}\n}}\n"
        )
    };
    let module = "variable \"n\" {\n  default = \"a\"\n}\n\
                  resource \"t\" \"a\" {\n  count = 2\n  v     = \"${var.n}${count.index}\"\n}\n\
                  resource \"t\" \"b\" {\n  v = t.a[0].id\n}\n";
    let outcome = |module: &str, expect: &str| {
        let text = rules(module, expect);
        let (code, out, err) =
            command(&[("a.rules.hcl", text.as_str())], "test a.rules.hcl --format concise");
        (code, out + &err)
    };
    let each = "{ \"t.a[0]\" = \"pass\", \"t.a[1]\" = \"pass\", \"t.b\" = \"undecided\" }";
    let (code, out) = outcome(module, each);
    assert_eq!(code, 0, "{out}");
    let (code, out) = outcome(module, "{ \"t.a[1]\" = \"fail\", \"t.b\" = \"undecided\" }");
    assert_eq!((code, out.contains("t.a[1]: expected fail, found pass")), (1, true), "{out}");
    let (code, out) = outcome("resource \"t\" {", "\"pass\"");
    assert_eq!((code, out.contains("main.tf:1:1")), (2, true), "{out}");
}
