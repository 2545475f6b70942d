//! Defaults of sensitive variables are in no schema, values of undeclared ones in no finding, and `eval`
//! hides what `validate` does.

use report::Format;
use system::{MemorySystem, System};

use crate::secrets::{assert_hidden, run};

/// What version 0.1.0 was given, and what it wrote.
const MODULE: &str = include_str!("../data/forms/0.1.0/variables.tf");
const SCHEMA: &str = include_str!("../data/forms/0.1.0/schema.json");
const ANNOTATED: &str = include_str!("../data/forms/0.1.0/annotated.schema.json");

const WRITTEN_BY: &str = "The committed schema was written by an earlier version of terraschema: \
                          written by 0.1.0; run `terraschema check --fix` once";

fn module() -> MemorySystem {
    MemorySystem::new().working_in("/m").file("/m/variables.tf", MODULE)
}

fn with(variables: &str) -> MemorySystem {
    MemorySystem::new().working_in("/m").file("/m/variables.tf", variables)
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn nothing_that_generate_prints_holds_a_default() {
    let system = module();
    for flags in [
        &["--stdout"][..],
        &["--stdout", "--annotations", "--report"],
        &["--stdout", "--annotations", "--report=json", "--require-all", "--nullable-all"],
        &["--stdout", "--conditions", "basic", "--draft", "2020-12"],
        &["--stdout", "--export-variables"],
        &["--debug", "--overwrite"],
    ] {
        let output = run(flags, &system);
        assert_hidden(&format!("{flags:?}"), &output);
        assert!(!output.to_lowercase().contains("s3cr3t"), "{output}");
    }
}

#[test]
fn rules_that_contain_a_default_are_left_out_and_the_others_stay() {
    let schema = json(&run(&["--stdout"], &module()));
    let expected = serde_json::json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "additionalProperties": true,
        "properties": {
            "account": {
                "additionalProperties": true,
                "properties": { "name": { "type": "string" }, "size": { "type": "number" } },
                "required": [],
                "type": "object"
            },
            "password": { "minLength": 4, "type": "string" },
            "plain": { "default": "x", "type": "string" }
        },
        "required": []
    });
    assert_eq!(schema, expected);
    let report = run(&["--stdout", "--report"], &module());
    let reason = "a condition that contains the default of a sensitive or ephemeral variable";
    assert_eq!(report.matches(reason).count(), 4, "{report}");
    assert!(report.contains("1 exact, 0 necessary, 4 untranslated"), "{report}");
}

#[test]
fn the_flag_and_the_setting_bring_back_what_0_1_0_wrote() {
    let flag = run(&["--stdout", "--sensitive-defaults"], &module());
    let untold = flag.split("\n\n").next().unwrap();
    assert_eq!(untold.trim_end(), SCHEMA.trim_end());
    let annotated = run(&["--stdout", "--sensitive-defaults", "--annotations"], &module());
    let mut annotated = json(annotated.split("\n\n").next().unwrap());
    for property in annotated["properties"].as_object_mut().unwrap().values_mut() {
        for condition in property["x-terraform"]["conditions"].as_array_mut().unwrap() {
            // Written since.
            condition.as_object_mut().unwrap().remove("meaning");
        }
    }
    assert_eq!(annotated, json(ANNOTATED));

    let setting = "schema {\n  sensitive_defaults = true\n}\n";
    let system = module().file("/m/schema.json", SCHEMA).file("/m/.terraschema.hcl", setting);
    let output = run(&["check", "--format", "concise"], &system);
    assert!(!output.contains("stale-schema"), "{output}");
    let system = module().file("/m/schema.json", SCHEMA);
    let output = run(&["check", "--format", "concise", "--sensitive-defaults"], &system);
    assert!(!output.contains("stale-schema"), "{output}");
}

#[test]
fn a_schema_of_0_1_0_is_stale_with_a_sentence_of_its_own_and_shows_nothing() {
    for (schema, flags) in [(SCHEMA, &[][..]), (ANNOTATED, &["--annotations"][..])] {
        let system = module().file("/m/schema.json", schema);
        for (format, _) in Format::ALL {
            let arguments = [&["check", "--verbose", "--format", format], flags].concat();
            let output = run(&arguments, &system);
            assert_hidden(&format!("{arguments:?}"), &output);
            assert!(!output.to_lowercase().contains("s3cr3t"), "{output}");
        }
        let output = run(&[&["check", "--format", "concise"], flags].concat(), &system);
        assert_eq!(output.matches("stale-schema").count(), 1, "{output}");
        assert!(output.contains(WRITTEN_BY), "{output}");
        let fixed = run(&[&["check", "--fix"], flags].concat(), &system);
        assert_hidden("--fix", &fixed);
        let output = run(&[&["check", "--format", "concise"], flags].concat(), &system);
        assert!(!output.contains("stale-schema"), "{output}");
    }
}

#[test]
fn a_schema_of_0_1_0_with_another_difference_is_stale_as_ever_and_shows_nothing() {
    let module = MODULE.replace("size = optional(number, 5)", "sizes = optional(number, 5)");
    let system = with(&module).file("/m/schema.json", SCHEMA);
    let output = run(&["check", "--format", "concise"], &system);
    assert!(!output.contains("written by"), "{output}");
    assert!(
        output.contains("\"sizes\" of variable \"account\" is missing in the schema"),
        "{output}"
    );
    for (format, _) in Format::ALL {
        assert_hidden(format, &run(&["check", "--verbose", "--format", format], &system));
    }
}

#[test]
fn a_committed_schema_shows_no_default_of_a_variable_that_was_removed_or_marked_since() {
    let removed = "variable \"other\" {\n  type = string\n}\n";
    let marked = "variable \"password\" {\n  type = string\n  sensitive = true\n}\n";
    let one_line = json(SCHEMA).to_string();
    let broken = SCHEMA.replace("\"S3CR3T\",\n", "S3CR3T,\n");
    for variables in [removed, marked] {
        for schema in [SCHEMA, &one_line, &broken] {
            let system = with(variables).file("/m/schema.json", schema);
            for (format, _) in Format::ALL {
                assert_hidden(format, &run(&["check", "--verbose", "--format", format], &system));
            }
        }
    }
}

/// Where both values are hidden, there is nothing to compare and no difference to show.
#[test]
fn a_default_that_changed_is_told_without_either_value() {
    let with_default = |it: &str| {
        with(&format!(
            "variable \"pin\" {{\n  type = string\n  default = \"{it}\"\n  sensitive = true\n}}\n"
        ))
    };
    let before = with_default("first-pin");
    run(&["check", "--fix", "--sensitive-defaults"], &before);
    let schema = before.read("/m/schema.json".as_ref()).unwrap();
    let after = with_default("second-pin").file("/m/schema.json", schema);
    let output = run(&["check", "--sensitive-defaults"], &after);
    let told = "error[stale-schema]: the default of variable \"pin\" changed; it is not shown\n";
    assert!(output.contains(told), "{output}");
    let is_diff = output.contains("(committed)") || output.contains("\n\n\n");
    assert!(!output.contains("-pin") && !is_diff, "{output}");
}

#[test]
fn init_recognises_a_schema_of_an_earlier_version() {
    let system = module().file("/m/schema.json", SCHEMA);
    let output = run(&["init"], &system);
    assert_hidden("init", &output);
    assert!(output.contains("schema.json, written by 0.1.0 with default options"), "{output}");
    assert!(!output.contains("sensitive_defaults"), "{output}");
}

/// What counts as containing a default.
#[test]
fn trivial_defaults_take_no_rule_away() {
    let schema = |default: &str, ty: &str, condition: &str| {
        let variables = format!(
            "variable \"x\" {{\n  type = {ty}\n  default = {default}\n  sensitive = true\n  \
             validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        json(&run(&["--stdout"], &with(&variables)))["properties"]["x"].clone()
    };
    let kept = [
        ("null", "string", "contains([\"a\", \"b\"], var.x)"),
        ("\"\"", "string", "contains([\"\", \"b\"], var.x)"),
        ("true", "bool", "var.x == true"),
        ("1", "number", "contains([1, 12], var.x)"),
        ("{}", "map(string)", "length(var.x) < 3"),
        ("\"ab\"", "string", "contains([\"abc\", \"dab\"], var.x)"),
        ("12", "number", "contains([123, 212], var.x)"),
        ("\"object\"", "string", "length(var.x) > 2"),
    ];
    for (default, ty, condition) in kept {
        let property = schema(default, ty, condition);
        let rule = ["enum", "anyOf", "maxProperties", "const", "minLength"];
        assert!(rule.iter().any(|it| property.get(it).is_some()), "{default}: {property}");
        assert!(property.get("default").is_none(), "{default}: {property}");
    }
    let left_out = [
        ("\"ab\"", "string", "contains([\"ab\", \"b\"], var.x)"),
        ("\"abcd\"", "string", "contains([\"xabcdx\", \"b\"], var.x)"),
        ("\"a.cd\"", "string", "can(regex(\"^a\\\\.cd\", var.x))"),
        ("\"abcd\"", "string", "can(regex(\"^(?i)ABcD$\", var.x))"),
        ("\"abcd\"", "string", "strrev(var.x) == \"dcba\""),
        ("\"abcd\"", "string", "var.x != \"\\u0061bcd\""),
        ("12", "number", "contains([12, 2], var.x)"),
        ("{ abcd = 1 }", "map(number)", "contains(keys(var.x), \"abcd\")"),
        ("[\"abcd\"]", "list(string)", "contains(var.x, \"abcd\")"),
    ];
    for (default, ty, condition) in left_out {
        let property = schema(default, ty, condition);
        let members = property.as_object().unwrap();
        let plain = ["type", "items", "additionalProperties"];
        assert!(members.keys().all(|it| plain.contains(&it.as_str())), "{default}: {property}");
    }
}

#[test]
fn a_default_decides_as_before_what_is_required_and_what_is_judged() {
    let variables = "variable \"a\" {\n  type = string\n  default = \"S3CR3T\"\n  sensitive = true\n  \
                     validation {\n    condition = var.a != \"S3CR3T\"\n    error_message = \"No.\"\n  }\n}\n\
                     variable \"b\" {\n  type = string\n  sensitive = true\n}\n";
    let system = with(variables);
    assert_eq!(json(&run(&["--stdout"], &system))["required"], serde_json::json!(["b"]));
    let exported = json(&run(&["--stdout", "--export-variables"], &system));
    assert_eq!(exported["b"]["default"], serde_json::Value::Null);
    assert!(exported["b"].get("default").is_some() && exported["a"].get("default").is_none());
    let output = run(&["check"], &system);
    assert!(output.contains("default-fails-validation"), "{output}");
    assert_hidden("check", &output);
}

#[test]
fn no_finding_shows_the_value_of_an_undeclared_variable() {
    let files = [
        ("a.tfvars", "api_token = \"S3CR3T\" # before: S3CR3T\nplain = []\n"),
        ("b.tfvars", "plain = [\n]\nnested = {\n  a = \"S3CR3T\"\n}\n"),
        ("c.tfvars", "plain = \"x\"\napi_token = S3CR3T foo\n"),
        ("d.tfvars", "api_token =\nS3CR3T foo\n"),
        ("e.tfvars", "text = <<EOT\nS3CR3T\nEOT\nplain = []\n"),
        ("a.tfvars.json", r#"{"api_token": "S3CR3T", "plain": [], "other": ["S3CR3T"]}"#),
        ("b.tfvars.json", r#"{"plain": "x", "api_token": S3CR3T}"#),
        ("c.tfvars.json", r#"{"api_token": "S3CR3T", "api_token": "S3CR3T"}"#),
    ];
    let variables = "variable \"plain\" {\n  type    = string\n  default = \"x\"\n}\n";
    for (file, text) in files {
        let system = with(variables).file(format!("/m/{file}"), text);
        for (format, _) in Format::ALL {
            let check = run(&["check", "--verbose", "--format", format], &system);
            assert_hidden(&format!("check --format {format} {file}"), &check);
            let flag = format!("-var-file={file}");
            let validate = run(&["validate", "--verbose", "--format", format, &flag], &system);
            assert_hidden(&format!("validate --format {format} {file}"), &validate);
        }
    }
    let system = with(variables).file("/m/a.tfvars", files[0].1);
    let output = run(&["validate", "-var-file=a.tfvars"], &system);
    assert!(output.contains("1 | api_token = (not shown)\n  | ^^^^^^^^^\n"), "{output}");
}

#[test]
fn eval_shows_nothing_of_inputs_that_validate_hides() {
    let texts = [
        "password =\nS3CR3T foo\n",
        "password = \"S3CR3T\" \"S3CR3T\"\n",
        "password = <<EOT\nS3CR3T\n",
        "password = [S3CR3T]\n",
        "password = { S3CR3T = 1 }\n",
        "password = S3CR3T(1)\n",
        "pasword = S3CR3T foo\n",
        "account = { S3CR3T = S3CR3T }\n",
        "account = { size = \"S3CR3T\" }\n",
        "account = [\"S3CR3T\"]\n",
    ];
    for text in texts {
        let system = module().file("/m/x.tfvars", text);
        for format in ["human", "json"] {
            for expression in ["1", "var.password", "var.account", "nonsensitive(var.password)"] {
                let flags = ["eval", "--format", format, "-var-file=x.tfvars", expression];
                assert_hidden(text, &run(&flags, &system));
            }
        }
    }
    for name in ["password", "account", "pasword"] {
        for text in ["S3CR3T", "[S3CR3T", "{ S3CR3T = 1 }", "S3CR3T()"] {
            let flag = format!("-var={name}={text}");
            assert_hidden(&flag, &run(&["eval", &flag, "var.password"], &module()));
            let system = module().with_env(format!("TF_VAR_{name}"), text);
            assert_hidden(&format!("TF_{flag}"), &run(&["eval", "var.account"], &system));
        }
    }
}

#[test]
fn eval_shows_no_type_made_from_a_sensitive_value() {
    let cases = [
        ("{(var.password) = 1}", r#""dynamic","value":null,"sensitive":true"#),
        (
            "{a = {(var.password) = 1}}",
            r#"["object",{"a":"dynamic"}],"value":{"a":null},"sensitive":true"#,
        ),
        (
            "[1, {(var.password) = 1}]",
            r#"["tuple",["number","dynamic"]],"value":[1,null],"sensitive":true"#,
        ),
        ("nonsensitive({(var.password) = 1})", r#""dynamic","value":null,"sensitive":true"#),
        (
            "[for it in split(\"\", var.password) : it]",
            r#""dynamic","value":null,"sensitive":true"#,
        ),
        ("split(\"\", var.password)", r#"["list","string"],"value":null,"sensitive":true"#),
        ("nonsensitive(var.password)", r#""string","value":null,"sensitive":true"#),
        ("issensitive(var.password)", r#""bool","value":true"#),
        ("{a = 1}", r#"["object",{"a":"number"}],"value":{"a":1}"#),
    ];
    for (expression, expected) in cases {
        let output = run(&["eval", "--format", "json", expression], &module());
        let shown = json(&output)["results"][0]["expr"].to_string();
        let expected =
            format!("{{\"results\":[{{\"expr\":{shown},\"ok\":true,\"type\":{expected}}}]}}\n");
        assert_eq!(output, expected, "{expression}");
        assert_hidden(expression, &run(&["eval", expression], &module()));
    }
}

#[test]
fn what_a_value_must_be_is_told_without_defaults() {
    let module = |sensitive: &str| {
        let text = format!(
            "variable \"password\" {{\n  type = string\n  {sensitive}\n  default = \"hunter22222\"\n}}\n\
             variable \"x\" {{\n  type = string\n  validation {{\n    condition = var.x == \
             \"hunter22222\"\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        with(&text).file("/m/terraform.tfvars", "x = \"a\"\n")
    };
    let told = run(&["check"], &module(""));
    assert!(told.contains("= help: \"x\" must be \"hunter22222\"\n"), "{told}");
    let hidden = run(&["check"], &module("sensitive = true"));
    assert!(hidden.contains("error[failed-validation]: No.\n"), "{hidden}");
    assert!(!hidden.contains("must be") && !hidden.contains("hunter"), "{hidden}");
}
