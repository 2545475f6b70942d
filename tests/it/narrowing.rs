//! `--select`, `--exclude`, `--statistics`: a report may show less, and says so.

use serde_json::Value;
use testkit::workspace::{Answer, Workspace, binary, isolated};

/// A module with an error of two rules and a warning.
fn mixed() -> Workspace {
    let it = Workspace::repository();
    it.write("a/main.tf", "variable \"x\" {\n  type = object({ a = optional(number) })\n}\n");
    it.write("a/terraform.tfvars", "x     = { size = 1 }\nother = 1\n");
    it.write("b/main.tf", "variable \"y\" {\n  type = number\n}\n");
    it.write("b/dev.tfvars", "y = \"no\"\n");
    it
}

fn json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", answer.text()))
}

fn rules(report: &Value) -> Vec<&str> {
    let found = report["findings"].as_array().unwrap().iter();
    found.map(|it| it["rule"].as_str().unwrap()).collect()
}

#[test]
fn select_reports_some_rules_and_counts_the_others() {
    let it = mixed();
    let answer = it.terraschema("check --select unknown-attribute --format json");
    let report = json(&answer);
    assert_eq!(rules(&report), ["unknown-attribute"]);
    assert_eq!(answer.code, 1);
    let left_out = &report["left_out"];
    assert_eq!(left_out["select"], serde_json::json!(["unknown-attribute"]));
    // Two schemas and a type.
    assert_eq!((&left_out["errors"], &left_out["warnings"]), (&3.into(), &1.into()));
    assert!(answer.stderr.contains("--select left out 3 errors and 1 warning of other rules"));
    let answer = it.terraschema("check --select undeclared-variable");
    assert_eq!(answer.code, 0, "only a warning is reported");
    let line = answer.stdout.lines().last().unwrap();
    assert!(line.contains("0 errors, 1 warning"), "{line}");
    assert!(line.contains("--select left out 4 errors of other rules"), "{line}");
    // In every format somebody hears of it.
    for format in ["concise", "sarif", "github", "gitlab", "junit", "markdown", "github-output"] {
        let answer =
            it.terraschema(&format!("check --select undeclared-variable --format {format}"));
        assert!(answer.text().contains("left out 4 errors"), "{format}: {}", answer.text());
    }
    let quiet = it.terraschema("check -q --select undeclared-variable");
    assert!(quiet.stdout.contains("left out 4 errors"), "{}", quiet.text());
}

#[test]
fn select_takes_lists_and_patterns() {
    let it = mixed();
    let found = |arguments: &str| {
        let answer = it.terraschema(&format!("check --format json {arguments}"));
        let report = json(&answer);
        let mut found: Vec<String> = rules(&report).into_iter().map(str::to_owned).collect();
        found.sort();
        found.dedup();
        found
    };
    assert_eq!(
        found("--select undeclared-variable,unknown-attribute"),
        ["undeclared-variable", "unknown-attribute"]
    );
    assert_eq!(
        found("--select undeclared-variable --select type-mismatch"),
        ["type-mismatch", "undeclared-variable"]
    );
    assert_eq!(found("--select *-schema"), ["missing-schema"]);
    assert_eq!(found("--select policy/mine"), [""; 0]);
    for (word, hint) in [
        ("unknown-atribute", "did you mean \"unknown-attribute\"?"),
        ("nowhere-*", "unknown rule"),
        ("", "unknown rule"),
        ("[", "--select"),
    ] {
        let mut command = isolated(binary(), &it.path(""));
        let answer = Answer::new(command.args(["check", "--select", word]).output().unwrap());
        assert_eq!(answer.code, 2, "{word}: {}", answer.text());
        assert!(answer.stderr.contains(hint), "{word}: {}", answer.text());
    }
}

/// What hides other findings is always reported.
#[test]
fn select_keeps_what_cannot_be_read() {
    let it = mixed();
    it.write("b/main.tf", "variable \"y\" {\n");
    let answer = it.terraschema("check --select undeclared-variable --format json");
    assert!(rules(&json(&answer)).contains(&"invalid-syntax"), "{}", answer.text());
    assert_eq!(answer.code, 2);
    let it = mixed();
    it.write("b/dev.tfvars", "y = \n");
    let answer = it.terraschema("check --select undeclared-variable --format json");
    assert!(rules(&json(&answer)).contains(&"invalid-input-syntax"), "{}", answer.text());
    assert_eq!(answer.code, 1);
}

#[test]
fn exclude_leaves_out_modules_and_values_files() {
    let it = mixed();
    let answer = it.terraschema("check --exclude b --format json");
    let report = json(&answer);
    assert!(!rules(&report).contains(&"type-mismatch"), "{}", answer.text());
    assert_eq!(report["left_out"]["modules"], serde_json::json!(["b"]));
    assert_eq!(report["modules"].as_array().unwrap().len(), 1);
    let answer = it.terraschema("check --exclude **/*.tfvars");
    assert!(answer.stdout.contains("--exclude left out 2 values files"), "{}", answer.text());
    assert!(!answer.stdout.contains("unknown-attribute"), "{}", answer.text());
    let answer = it.terraschema("check --exclude a --exclude b");
    assert!(answer.stdout.contains("--exclude left out 2 modules"), "{}", answer.text());
    let answer = it.terraschema("check --exclude [");
    assert_eq!(answer.code, 2, "{}", answer.text());
    // A set of inputs is used together.
    it.write(
        "b/.terraschema.hcl",
        "input \"dev\" {\n  files = [\"common.tfvars\", \"dev.tfvars\"]\n}\n",
    );
    it.write("b/common.tfvars", "y = 1\n");
    let report = json(&it.terraschema("check --exclude b/dev.tfvars --format json"));
    assert!(!rules(&report).contains(&"type-mismatch"), "{report}");
    assert_eq!(
        report["left_out"]["values_files"],
        serde_json::json!(["b/common.tfvars", "b/dev.tfvars"])
    );
}

#[test]
fn neither_flag_makes_a_baseline() {
    let it = mixed();
    for flag in ["--select missing-schema", "--exclude a"] {
        let answer = it.terraschema(&format!("check --write-baseline known.jsonl {flag}"));
        assert_eq!(answer.code, 2, "{flag}: {}", answer.text());
    }
}

#[test]
fn shards_join_what_they_left_out() {
    let it = mixed();
    for shard in 1..=2 {
        it.terraschema(&format!(
            "check --shard {shard}/2 --select undeclared-variable --exclude zzz --exit-zero --output \
             json=report-{shard}.json"
        ));
    }
    let answer = it.terraschema("merge report-1.json report-2.json --format json");
    let report = json(&answer);
    assert_eq!(report["left_out"]["errors"], 4, "{}", answer.text());
    assert_eq!(report["left_out"]["select"], serde_json::json!(["undeclared-variable"]));
}

#[test]
fn statistics_count_findings_by_rule() {
    let it = mixed();
    let answer = it.terraschema("check --statistics");
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(
        &lines[..5],
        [
            " 2 errors  missing-schema",
            "  1 error  type-mismatch",
            "  1 error  unknown-attribute",
            "1 warning  undeclared-variable",
            "",
        ]
    );
    assert!(lines[5].starts_with("4 errors, 1 warning in 2 modules"), "{}", answer.stdout);
    assert!(it.terraschema("check --statistics -v").stdout.contains("error[type-mismatch]"));
    let report = json(&it.terraschema("check --statistics --format json"));
    assert_eq!(
        report["statistics"][0],
        serde_json::json!({"rule": "missing-schema", "level": "error", "count": 2})
    );
    assert_eq!(report["findings"].as_array().unwrap().len(), 5);
    assert!(json(&it.terraschema("check --format json")).get("statistics").is_none());
}

#[test]
fn fix_inputs_removes_undeclared_values_and_keeps_the_rest() {
    let it = Workspace::repository();
    it.write(
        "main.tf",
        "variable \"region\" {\n  default = \"eu\"\n}\nvariable \"size\" {\n  default = 1\n}\n",
    );
    let before = "# The environment.\nsize = 2 # small\n\n# Gone with the old cluster?\nlegacy_mode  = \"x\" # no longer used\n\
                  settings_of_old = {\n  a = 1 # inside\n}\ntext_of_old = <<EOT\n  # no comment\nEOT\n/* above */ trailing_old = 1 /* behind */\n\
                  # The end.\n";
    it.write("prod.tfvars", before);
    it.write(
        "dev.tfvars.json",
        "{\n  \"legacy_mode\": [1, 2],\n  \"size\": 3,\n  \"other_of_old\": null\n}\n",
    );
    it.write("test.tfvars", "regoin = \"us\"\n");
    it.terraschema("-o schema.json");
    let answer = it.terraschema("check --fix-inputs --format json");
    let after = it.read("prod.tfvars");
    assert!(
        after.starts_with("# The environment.\nsize = 2 # small\n\n# Gone with the old cluster?\n"),
        "{after}"
    );
    assert!(after.contains("/* above */") && after.ends_with("# The end.\n"), "{after}");
    for gone in [
        "legacy_mode",
        "no longer used",
        "settings_of_old",
        "text_of_old",
        "no comment",
        "trailing_old",
    ] {
        assert!(!after.contains(gone), "{gone}: {after}");
    }
    let report: Value = serde_json::from_str(&it.read("dev.tfvars.json")).unwrap();
    assert_eq!(report, serde_json::json!({"size": 3}));
    // A value under a name that is surely mistyped is not thrown away.
    assert_eq!(it.read("test.tfvars"), "regoin = \"us\"\n");
    assert_eq!(rules(&json(&answer)), ["undeclared-variable"], "{}", answer.text());
    let again = it.terraschema("check --fix-inputs");
    assert!(!again.stdout.contains("written:"), "{}", again.text());
}

#[test]
fn fix_inputs_takes_more_than_are_listed() {
    let it = Workspace::repository();
    it.write("main.tf", "variable \"x\" {\n  type = list(object({ a = optional(number) }))\n}\n");
    let dead: String = (0..1500).map(|n| format!("unused_value_{n} = {n}\n")).collect();
    let items = "{ b = 1 }, ".repeat(1500);
    it.write("terraform.tfvars", format!("x = [{items}]\n{dead}"));
    it.terraschema("-o schema.json");
    let answer = it.terraschema("check --fix-inputs");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert!(!it.read("terraform.tfvars").contains("unused_value"));
    assert!(!it.read("terraform.tfvars").contains('b'));
}

/// A file may belong to several modules. One of them may declare what another one does not.
#[test]
fn fix_inputs_leaves_what_another_module_declares() {
    let it = Workspace::repository();
    it.write("a/main.tf", "variable \"of_first\" {\n  default = 1\n}\n");
    it.write("b/main.tf", "variable \"of_second\" {\n  default = 1\n}\n");
    it.write(
        ".terraschema.hcl",
        "rule \"missing-schema\" {\n  level = \"off\"\n}\ninput \"a\" {\n  module = \"a\"\n  files  = \
         [\"common.tfvars\"]\n}\ninput \"b\" {\n  module = \"b\"\n  files  = [\"common.tfvars\"]\n}\n",
    );
    it.write("common.tfvars", "of_first         = 1\nof_second        = 2\nunused_by_either = 3\n");
    it.terraschema("check --fix-inputs");
    let after = it.read("common.tfvars");
    assert!(after.contains("of_first") && after.contains("of_second"), "{after}");
    assert!(!after.contains("unused_by_either"), "{after}");
    it.write("common.tfvars", "of_first  = 1\nof_second = 2\n");
    it.terraschema("check --fix-inputs a");
    assert_eq!(it.read("common.tfvars"), "of_first  = 1\nof_second = 2\n");
}
