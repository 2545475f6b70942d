//! Places of issues: odd bytes, other directories, called modules, JSON, overrides, annotations.

use crate::{
    lint::{CONFIGURATION, Project},
    missing::{MissingProgram, trials},
};

trials![
    columns_are_clusters_behind_emoji_line_ends_and_a_mark,
    names_are_those_of_the_first_directory,
    literals_in_module_calls_are_held_against_the_called_types,
    json_modules_and_overrides_count,
    comments_silence,
    large_modules_come_through,
];

const MISSING: &str = "terraschema_missing_schema";
const UNKNOWN: &str = "terraschema_unknown_attribute";
const NUMBER: &str = "variable \"a\" {\n  type = number\n}\n";
const NETWORK: &str =
    "variable \"net\" {\n  type = object({ cidr = string, zones = map(string) })\n}\n";

fn columns_are_clusters_behind_emoji_line_ends_and_a_mark() -> Result<(), MissingProgram> {
    let source = "\u{feff}/* 👩‍👩‍👧 */ variable \"a\" {\r\n  type = number\r\n}\r\n";
    let values = "# 👩‍👩‍👧\r\n/* é👩‍👩‍👧 */ a = \"x\"\r\n";
    let project = Project::new(&[("main.tf", source), ("terraform.tfvars", values)])?;
    let expected = [
        "main.tf:1:9-1:21 terraschema_missing_schema",
        "terraform.tfvars:2:14-2:17 terraschema_invalid_input",
    ];
    assert_eq!(project.places(&[]), expected);
    let said = project.tflint(&["--only", MISSING]);
    assert!(said.out.contains("/* 👩‍👩‍👧 */ variable \"a\" {"), "{}", said.out);
    Ok(())
}

fn names_are_those_of_the_first_directory() -> Result<(), MissingProgram> {
    let project = Project::new(&[
        ("deep/.tflint.hcl", CONFIGURATION),
        ("deep/main.tf", NUMBER),
        ("deep/terraform.tfvars", "a = true\n"),
    ])?;
    let inside = ["deep/main.tf:1:1-1:13 terraschema_missing_schema".to_owned()];
    assert_eq!(project.places(&["--chdir=deep", "--only", MISSING]), inside);
    assert_eq!(
        project.places(&["--chdir=deep", "--only=terraschema_invalid_input"]),
        ["deep/terraform.tfvars:1:5-1:9 terraschema_invalid_input"]
    );
    assert_eq!(project.places(&["--recursive", "--only", MISSING]), inside);
    project.write("deep/schema.json", "{}");
    assert_eq!(project.places(&["--chdir=deep", "--only", MISSING]), [""; 0]);
    Ok(())
}

fn literals_in_module_calls_are_held_against_the_called_types() -> Result<(), MissingProgram> {
    let call = "module \"net\" {\n  source = \"./net\"\n  net = {\n    cidr  = local.cidr\n    \
                zones = { any = \"a\" }\n    tags  = {}\n  }\n}\nlocals {\n  cidr = \"10.0.0.0/8\"\n}\n";
    let remote = call.replace("\"net\"", "\"far\"").replace("./net", "example/net/aws");
    let project =
        Project::new(&[("main.tf", call), ("far.tf", &remote), ("net/main.tf", NETWORK)])?;
    let calls = ["--call-module-type=local"];
    let issues = project.issues(&calls);
    let [issue] = issues.as_slice() else { panic!("{issues:?}") };
    assert_eq!((issue.rule.as_str(), issue.place.as_str()), (UNKNOWN, "main.tf:6:5-6:9"));
    project.write("main.tf", &call.replace("    tags  = {}\n", ""));
    assert_eq!(project.issues(&calls), []);
    Ok(())
}

fn json_modules_and_overrides_count() -> Result<(), MissingProgram> {
    let json = "{\n  \"variable\": {\n    \"a\": {\"default\": 1, \"validation\": {\"condition\": \"${var.a > 3}\", \
                \"error_message\": \"Low.\"}}\n  }\n}\n";
    let project = Project::new(&[("main.tf.json", json)])?;
    let only = ["--only=terraschema_default_fails_validation"];
    assert_eq!(
        project.places(&only),
        ["main.tf.json:3:22-3:23 terraschema_default_fails_validation"]
    );
    project.write("main_override.tf", "variable \"a\" {\n  default = 4\n}\n");
    assert_eq!(project.places(&only), [""; 0]);
    project.write("main_override.tf", "variable \"a\" {\n  default = 2\n}\n");
    assert_eq!(
        project.places(&only),
        ["main_override.tf:2:13-2:14 terraschema_default_fails_validation"]
    );
    Ok(())
}

fn comments_silence() -> Result<(), MissingProgram> {
    let project = Project::new(&[])?;
    let all = [
        format!("# tflint-ignore: {MISSING}\n{NUMBER}"),
        format!("# tflint-ignore-file: {MISSING}\n\n{NUMBER}"),
        format!("# terraschema:ignore missing-schema no form needs it\n{NUMBER}"),
    ];
    for source in &all {
        project.write("main.tf", source);
        assert_eq!(project.issues(&[]), [], "{source}");
    }
    project.write("main.tf", &all[0].replace("missing", "stale"));
    assert_eq!(project.places(&[]), ["main.tf:2:1-2:13 terraschema_missing_schema"]);
    Ok(())
}

fn large_modules_come_through() -> Result<(), MissingProgram> {
    let source = "# filler\n".repeat(600_000) + NUMBER;
    let project = Project::new(&[("main.tf", &source)])?;
    assert_eq!(project.places(&[]), ["main.tf:600001:1-600001:13 terraschema_missing_schema"]);
    Ok(())
}
