//! What tflint's configuration and command line say.

use crate::{
    lint::{CONFIGURATION, Project},
    missing::{MissingProgram, trials},
};

trials![
    rules_are_chosen,
    var_files_come_on_top_of_the_automatic_ones,
    options_of_rules_are_read,
    notes_are_told_only_where_somebody_asks_for_them,
    bad_configuration_is_a_clear_error,
];

const MISSING: &str = "terraschema_missing_schema";
const INPUT: &str = "terraschema_invalid_input";
const NUMBER: &str = "variable \"a\" {\n  type = number\n}\n";

fn with_plugin(argument: &str) -> String {
    CONFIGURATION.replace("\"terraschema\" {\n", &format!("\"terraschema\" {{\n  {argument}\n"))
}

fn with_rule(rule: &str, argument: &str) -> String {
    format!("{CONFIGURATION}rule \"{rule}\" {{\n  enabled = true\n  {argument}\n}}\n")
}

fn rules_are_chosen() -> Result<(), MissingProgram> {
    let files = [("main.tf", NUMBER), ("terraform.tfvars", "a = \"x\"\n")];
    let project = Project::new(&files)?;
    let names =
        |args: &[&str]| project.issues(args).into_iter().map(|it| it.rule).collect::<Vec<String>>();
    assert_eq!(names(&[]), [MISSING, INPUT]);
    assert_eq!(names(&["--only", MISSING]), [MISSING]);
    assert_eq!(names(&["--disable-rule", MISSING]), [INPUT]);
    project.write(
        ".tflint.hcl",
        &format!("config {{\n  disabled_by_default = true\n}}\n{CONFIGURATION}"),
    );
    assert_eq!(names(&[]), [""; 0]);
    assert_eq!(names(&["--enable-rule", INPUT]), [INPUT]);
    project.write(
        ".tflint.hcl",
        &with_rule(MISSING, "").replace("enabled = true\n  \n", "enabled = false\n"),
    );
    assert_eq!(names(&[]), [INPUT]);
    assert_eq!(names(&["--enable-rule", MISSING]), [MISSING, INPUT]);
    Ok(())
}

fn var_files_come_on_top_of_the_automatic_ones() -> Result<(), MissingProgram> {
    let project = Project::new(&[("main.tf", NUMBER), ("terraform.tfvars", "a = 1\n")])?;
    project.write("env/prod.tfvars", "a = []\n");
    let only = ["--only", INPUT];
    assert_eq!(project.places(&only), [""; 0]);
    let expected = [format!("env/prod.tfvars:1:5-1:7 {INPUT}")];
    project.write(".tflint.hcl", &with_plugin("var_files = [\"env/prod.tfvars\"]"));
    assert_eq!(project.places(&only), expected);
    let json = r#"{"plugin": {"terraform": {"enabled": false},
        "terraschema": {"enabled": true, "var_files": ["env/prod.tfvars"]}}}"#;
    project.write(".tflint.json", json);
    assert_eq!(project.places(&["--only", INPUT, "--config=.tflint.json"]), expected);
    Ok(())
}

fn options_of_rules_are_read() -> Result<(), MissingProgram> {
    let rule = "terraschema_untranslated_validation";
    let source = "variable \"a\" {\n  type = string\n  validation {\n    condition     = \
                  length(var.a) > 2 && sha1(var.a) != \"x\"\n    error_message = \"No.\"\n  }\n}\n";
    let files = [("main.tf", source), ("terraform.tfvars", "")];
    let project = Project::new(&files)?;
    let with_notes = with_plugin("notes = true");
    project.write(".tflint.hcl", &with_notes);
    assert_eq!(project.issues(&["--only", rule]), []);
    let weakened = with_rule(rule, "weakened = true");
    project.write(".tflint.hcl", &weakened);
    assert_eq!(project.issues(&["--only", rule]), []);
    project.write(".tflint.hcl", &weakened.replace(CONFIGURATION, &with_notes));
    assert_eq!(project.issues(&["--only", rule]).len(), 1);
    assert_eq!(project.issues(&["--only", INPUT]).len(), 1);
    project.write(".tflint.hcl", &with_rule(INPUT, "missing_variables = false"));
    assert_eq!(project.issues(&["--only", INPUT]), []);
    Ok(())
}

fn notes_are_told_only_where_somebody_asks_for_them() -> Result<(), MissingProgram> {
    let source = "variable \"on\" {\n  type    = bool\n  default = true\n}\n\nvariable \"a\" {\n  type    \
                  = string\n  default = null\n  validation {\n    condition     = !var.on || var.a != \
                  null\n    error_message = \"No.\"\n  }\n}\n";
    let rule = "terraschema_default_fails_validation";
    let project = Project::new(&[("main.tf", source)])?;
    assert_eq!(project.tflint(&["--only", rule]).code, 0);
    project.write(".tflint.hcl", &with_plugin("notes = true"));
    let issues = project.issues(&["--only", rule]);
    assert_eq!(issues.len(), 1, "{issues:?}");
    assert_eq!(issues[0].severity, "info");
    project.write(".tflint.hcl", &with_plugin("notes = 1"));
    assert!(project.tflint(&[]).err.contains("\"notes\": it must be true or false"));
    Ok(())
}

fn bad_configuration_is_a_clear_error() -> Result<(), MissingProgram> {
    let project = Project::new(&[("main.tf", NUMBER)])?;
    let said_of = |configuration: &str| {
        project.write(".tflint.hcl", configuration);
        let said = project.tflint(&[]);
        assert_eq!(said.code, 1, "{said:?}");
        said.err
    };
    for (configuration, expected) in [
        (
            with_plugin("var_files = 1"),
            ".tflint.hcl:6:15: \"var_files\": it must be a list of strings",
        ),
        (with_plugin("var_files = [path.x]"), "\"var_files\": Variables not allowed"),
        (
            with_plugin("var_files = [\"none.tfvars\"]"),
            "var_files: the file none.tfvars does not exist",
        ),
        (with_plugin("tea = 1"), "tea"),
        (
            with_rule(INPUT, "missing_variables = []"),
            "\"missing_variables\": it must be true or false",
        ),
        (with_rule(INPUT, "tea = 1"), "tea"),
        (with_rule(MISSING, "tea = 1"), "tea"),
        (with_rule("terraschema_tea", ""), "Rule not found: terraschema_tea"),
    ] {
        let said = said_of(&configuration);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    project.write(".terraschema.hcl", "tea = 1\n");
    let said = said_of(CONFIGURATION);
    assert!(said.contains("Failed to check ruleset; .terraschema.hcl:1:1: "), "{said}");
    Ok(())
}
