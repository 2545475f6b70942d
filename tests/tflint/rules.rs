//! Every rule fires once and stays silent once, in each of tflint's formats that people read most.

use serde_json::Value;

use crate::{
    lint::{Project, Texts},
    missing::{MissingProgram, trials},
};

trials![every_rule_fires_and_stays_silent,];

/// A rule, a module on which it fires, and one on which it does not.
struct Case {
    rule: &'static str,
    fires: Texts<'static>,
    place: &'static str,
    severity: &'static str,
    message: &'static str,
    silent: Texts<'static>,
}

const NUMBER: &str = "variable \"a\" {\n  type = number\n}\n";
const OBJECT: &str = "variable \"a\" {\n  type = object({ x = optional(string) })\n}\n";
const OLD_SCHEMA: &str = r#"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "additionalProperties": true,
  "properties": {"a": {"type": "string"}},
  "required": ["a"]
}"#;

const WITH_NOTES: &str = "\
plugin \"terraform\" {
  enabled = false
}

plugin \"terraschema\" {
  enabled = true
  notes   = true
}
";

const CASES: &[Case] = &[
    Case {
        rule: "terraschema_missing_schema",
        fires: &[("main.tf", NUMBER)],
        place: "main.tf:1:1-1:13",
        severity: "error",
        message: "The module has no schema: schema.json is missing",
        silent: &[("main.tf", NUMBER), ("schema.json", "{}")],
    },
    Case {
        rule: "terraschema_stale_schema",
        fires: &[("main.tf", NUMBER), ("schema.json", OLD_SCHEMA)],
        place: "main.tf:2:10-2:16",
        severity: "error",
        message: "the type of variable \"a\" changed from \"string\" to \"number\"",
        silent: &[
            ("main.tf", "variable \"a\" {\n  type = string\n}\n"),
            ("schema.json", OLD_SCHEMA),
        ],
    },
    Case {
        rule: "terraschema_rule_never_holds",
        fires: &[(
            "main.tf",
            "variable \"a\" {\n  type = number\n  validation {\n    condition     = var.a > 5 && var.a < 3\n    \
             error_message = \"No.\"\n  }\n}\n",
        )],
        place: "main.tf:4:21-4:43",
        severity: "warning",
        message: "A validation rule of \"a\" can never hold",
        silent: &[(
            "main.tf",
            "variable \"a\" {\n  type = number\n  validation {\n    condition     = var.a > 3 && var.a < 5\n    \
             error_message = \"No.\"\n  }\n}\n",
        )],
    },
    Case {
        rule: "terraschema_backtracking_pattern",
        fires: &[
            (
                "main.tf",
                "variable \"a\" {\n  type = string\n  validation {\n    condition     = can(regex(\"^(\\\\w+ ?)*\\\\bx$\", var.a))\n    \
                 error_message = \"No.\"\n  }\n}\n",
            ),
            (".tflint.hcl", WITH_NOTES),
        ],
        place: "main.tf:4:21-4:57",
        severity: "info",
        message: "A pattern of \"a\" can be very slow outside Terraform",
        silent: &[(
            "main.tf",
            "variable \"a\" {\n  type = string\n  validation {\n    condition     = can(regex(\"^(\\\\w+ ?)*$\", var.a))\n    \
             error_message = \"No.\"\n  }\n}\n",
        )],
    },
    Case {
        rule: "terraschema_untranslated_validation",
        fires: &[
            (
                "main.tf",
                "variable \"a\" {\n  type = string\n  validation {\n    condition     = sha1(var.a) == \"x\"\n    \
                 error_message = \"No.\"\n  }\n}\n",
            ),
            (".tflint.hcl", WITH_NOTES),
        ],
        place: "main.tf:4:21-4:32",
        severity: "info",
        message: "A validation rule of \"a\" is not in the schema",
        silent: &[(
            "main.tf",
            "variable \"a\" {\n  type = string\n  validation {\n    condition     = length(var.a) > 3\n    \
             error_message = \"No.\"\n  }\n}\n",
        )],
    },
    Case {
        rule: "terraschema_default_fails_validation",
        fires: &[(
            "main.tf",
            "variable \"a\" {\n  default = 1\n  validation {\n    condition     = var.a > 3\n    \
             error_message = \"Too low.\"\n  }\n}\n",
        )],
        place: "main.tf:2:13-2:14",
        severity: "error",
        message: "The default of \"a\" breaks the variable's own rule: Too low.",
        silent: &[(
            "main.tf",
            "variable \"a\" {\n  default = 4\n  validation {\n    condition     = var.a > 3\n    \
             error_message = \"Too low.\"\n  }\n}\n",
        )],
    },
    Case {
        rule: "terraschema_null_crashes_validation",
        fires: &[(
            "main.tf",
            "variable \"a\" {\n  type = string\n  default = null\n  validation {\n    \
             condition     = var.a == null || length(var.a) > 3\n    error_message = \"No.\"\n  }\n}\n",
        )],
        place: "main.tf:5:45-5:50",
        severity: "warning",
        message: "Null, its default, makes a rule of \"a\" fail with an error",
        silent: &[(
            "main.tf",
            "variable \"a\" {\n  type = string\n  default = null\n  validation {\n    \
             condition     = var.a == null ? true : length(var.a) > 3\n    error_message = \"No.\"\n  }\n}\n",
        )],
    },
    Case {
        rule: "terraschema_required_version_too_low",
        fires: &[
            ("main.tf", OBJECT),
            ("versions.tf", "terraform {\n  required_version = \">= 1.0\"\n}\n"),
        ],
        place: "versions.tf:2:22-2:30",
        severity: "warning",
        message: "required_version allows Terraform 1.0, which cannot run the module",
        silent: &[
            ("main.tf", OBJECT),
            ("versions.tf", "terraform {\n  required_version = \">= 1.3\"\n}\n"),
        ],
    },
    Case {
        rule: "terraschema_invalid_input",
        fires: &[("main.tf", NUMBER), ("terraform.tfvars", "a = \"x\"\n")],
        place: "terraform.tfvars:1:5-1:8",
        severity: "error",
        message: "Invalid value for input variable: The given value is not suitable for var.a",
        silent: &[("main.tf", NUMBER), ("terraform.tfvars", "a = 1\n")],
    },
    Case {
        rule: "terraschema_unknown_attribute",
        fires: &[("main.tf", OBJECT), ("terraform.tfvars", "a = { x = \"1\", y = \"2\" }\n")],
        place: "terraform.tfvars:1:16-1:17",
        severity: "error",
        message: "\"a\" has no attribute \"y\"; Terraform drops it",
        silent: &[("main.tf", OBJECT), ("terraform.tfvars", "a = { x = \"1\" }\n")],
    },
    Case {
        rule: "terraschema_module_call",
        fires: &[("main.tf", "module \"n\" {\n  source = \"./n\"\n}\n"), ("n/main.tf", NUMBER)],
        place: "main.tf:1:1-1:11",
        severity: "error",
        message: "Missing required argument \"a\": The called module requires the variable \"a\", which has no default. \
                  (in module.n, n/main.tf:1:1)",
        silent: &[
            ("main.tf", "module \"n\" {\n  source = \"./n\"\n  a      = 1\n}\n"),
            ("n/main.tf", NUMBER),
        ],
    },
];

fn every_rule_fires_and_stays_silent() -> Result<(), MissingProgram> {
    for case in CASES {
        let only = format!("--only={}", case.rule);
        let project = Project::new(case.fires)?;
        let issues = project.issues(&[&only]);
        let [issue] = issues.as_slice() else { panic!("{}: {issues:?}", case.rule) };
        assert_eq!(
            (issue.rule.as_str(), issue.place.as_str()),
            (case.rule, case.place),
            "{issue:?}"
        );
        assert_eq!(issue.severity, case.severity, "{issue:?}");
        assert!(issue.message.starts_with(case.message), "{issue:?}");
        default_output(&project, case, &only);
        sarif(&project, case, &only);
        let project = Project::new(case.silent)?;
        assert_eq!(project.issues(&[&only]), [], "{}", case.rule);
        assert_eq!(project.tflint(&[&only]).code, 0);
    }
    Ok(())
}

fn default_output(project: &Project, case: &Case, only: &str) {
    let said = project.tflint(&[only]);
    assert_eq!(said.code, 2, "{said:?}");
    let (file, rest) = case.place.split_once(':').unwrap();
    let line = rest.split(':').next().unwrap();
    // tflint has a word of its own for a note in each format.
    let severity = if case.severity == "info" { "notice" } else { case.severity };
    let head = format!("{}: {}", capital(severity), case.message);
    assert!(said.out.contains(&head), "{}", said.out);
    assert!(said.out.contains(&format!("({})", case.rule)), "{}", said.out);
    assert!(said.out.contains(&format!("  on {file} line {line}:")), "{}", said.out);
    assert!(said.out.contains("/docs/rules/"), "{}", said.out);
}

fn sarif(project: &Project, case: &Case, only: &str) {
    let said = project.tflint(&[only, "--format=sarif"]);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    let result = &report["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], case.rule, "{}", said.out);
    let severity = if case.severity == "info" { "note" } else { case.severity };
    assert_eq!(result["level"], severity, "{}", said.out);
    assert!(result["message"]["text"].as_str().unwrap().starts_with(case.message), "{}", said.out);
    let place = &result["locations"][0]["physicalLocation"];
    let at = |name: &str| place["region"][name].as_i64().unwrap();
    let shown = format!(
        "{}:{}:{}-{}:{}",
        place["artifactLocation"]["uri"].as_str().unwrap(),
        at("startLine"),
        at("startColumn"),
        at("endLine"),
        at("endColumn")
    );
    assert_eq!(shown, case.place);
}

fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}
