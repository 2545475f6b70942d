//! What may not exist: where only a plan knows how many instances there are, an error in one of them is not an error
//! yet.

use system::MemorySystem;
use terraschema::{Console, run};

/// The verdict of `validate` on files (path, text).
pub fn verdict(files: &[(&str, &str)]) -> String {
    let report = report(files);
    report["verdict"].as_str().unwrap_or_else(|| panic!("{report}")).to_owned()
}

/// The report of `validate` on files (path, text).
pub fn report(files: &[(&str, &str)]) -> serde_json::Value {
    report_of("--terraform-version=1.11", files)
}

/// The report of `validate` on files (path, text), as the release of this flag judges them.
pub fn report_of(release: &str, files: &[(&str, &str)]) -> serde_json::Value {
    report_within(&[], release, files)
}

/// The same with these environment variables.
pub fn report_within(
    environment: &[(&str, &str)],
    release: &str,
    files: &[(&str, &str)],
) -> serde_json::Value {
    let mut system = MemorySystem::new().working_in("/m");
    for (name, value) in environment {
        system = system.with_env(*name, *value);
    }
    for (path, text) in files {
        system = system.file(format!("/m/{path}"), text);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let words = ["terraschema", "validate", "--format", "json", release];
    let words = words.map(Into::into).to_vec();
    run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
    serde_json::from_slice(&stdout).unwrap()
}

#[track_caller]
fn is(expected: &str, main: &str) {
    let main = format!("data \"x\" \"y\" {{}}\n{main}");
    let child = "variable \"v\" {\n  default = 1\n  validation {\n    condition = var.v == 1\n    error_message = \"No.\"\n  }\n}\nresource \"x\" \"in\" {}\n";
    assert_eq!(verdict(&[("main.tf", &main), ("m/main.tf", child)]), expected, "{main}");
}

/// A resource with a condition that nothing meets; the condition reads a value, so that it is judged with the
/// values and not before.
fn failing(repeated: &str) -> String {
    format!(
        "variable \"no\" {{\n  default = false\n}}\nresource \"x\" \"a\" {{\n  {repeated}\n  lifecycle {{\n    precondition {{\n      condition = var.no\n      error_message = \"No.\"\n    }}\n  }}\n}}\n"
    )
}

#[test]
fn an_error_in_a_resource_that_may_have_no_instance_is_undecided() {
    is("reject", &failing(""));
    is("reject", &failing("count = 1"));
    is("accept", &failing("count = 0"));
    is("undecided", &failing("count = data.x.y.n"));
    is("undecided", &failing("for_each = data.x.y.all"));
}

#[test]
fn an_error_in_a_module_that_may_have_no_instance_is_undecided() {
    // What is constant is judged however many instances there are, so the value comes from a variable.
    let call = |repeated: &str, v: u32| {
        format!(
            "variable \"v\" {{\n  default = {v}\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  {repeated}\n  v = var.v\n}}\n"
        )
    };
    is("accept", &call("count = 1", 1));
    is("reject", &call("count = 1", 2));
    is("accept", &call("count = 0", 2));
    is("undecided", &call("count = data.x.y.n", 2));
    is("undecided", &call("for_each = data.x.y.all", 2));
}

/// Terraform 1.11.4 refuses an import to an instance that does not exist; here only a plan knows whether it
/// does.
#[test]
fn an_import_to_an_instance_that_may_be_there_is_no_error() {
    let import = |n: &str| {
        format!(
            "resource \"x\" \"a\" {{\n  count = {n}\n}}\nimport {{\n  to = x.a[5]\n  id = \"i\"\n}}\n"
        )
    };
    is("accept", &import("6"));
    is("reject", &import("5"));
    is("undecided", &import("data.x.y.n"));
}

#[test]
fn a_moved_instance_that_may_be_there_is_no_error() {
    let moved = |n: &str| {
        format!(
            "resource \"x\" \"a\" {{\n  count = {n}\n}}\nresource \"x\" \"b\" {{}}\nmoved {{\n  from = x.a[5]\n  to   = x.b\n}}\n"
        )
    };
    is("accept", &moved("5"));
    is("reject", &moved("6"));
    is("undecided", &moved("data.x.y.n"));
}

#[test]
fn what_a_call_says_once_is_said_once() {
    let main = "module \"m\" {\n  source = \"example.com/a/b\"\n  count = 2\n  v = local.none\n}\n";
    let report = report(&[("main.tf", main)]);
    let all = report["findings"].as_array().unwrap();
    let errors = all.iter().filter(|it| it["level"] == "error").count();
    assert_eq!(errors, 1, "{report}");
}

/// A plan knows its time; here a rule that reads it is decided where every time gives the same.
#[test]
fn what_the_time_of_the_plan_decides_is_undecided() {
    let judged = |condition: &str| {
        let main = format!(
            "variable \"v\" {{\n  default = 1\n  validation {{\n    condition = var.v == 1 && {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        verdict(&[("main.tf", &main)])
    };
    assert_eq!(judged("length(plantimestamp()) == 20"), "accept");
    assert_eq!(judged("formatdate(\"ss\", plantimestamp()) == \"61\""), "reject");
    assert_eq!(judged("formatdate(\"ss\", plantimestamp()) == \"01\""), "undecided");
    assert_eq!(judged("timecmp(plantimestamp(), \"2050-01-01T00:00:00Z\") < 0"), "undecided");
    for month in 1..=12 {
        let condition = format!("formatdate(\"M\", plantimestamp()) != \"{month}\"");
        assert_eq!(judged(&condition), "undecided", "{condition}");
    }
}

/// A failed check is a warning whether its module is there or not; an error keeps its place and address.
#[test]
fn what_is_said_of_an_instance_that_may_be_there_has_its_place() {
    let main = |condition: &str| {
        format!(
            "data \"x\" \"y\" {{}}\nmodule \"m\" {{\n  source = \"./m\"\n  count = data.x.y.n\n  v = {condition}\n}}\n"
        )
    };
    let check = "variable \"v\" {}\ncheck \"c\" {\n  assert {\n    condition = var.v\n    error_message = \"No.\"\n  }\n}\n";
    let said = |child: &str, rule: &str| {
        let report = report(&[("main.tf", &main("false")), ("m/main.tf", child)]);
        let found = report["findings"].as_array().unwrap().iter();
        let mut found = found.filter(|it| it["rule"] == rule && it["address"] == "module.m");
        found.next().unwrap_or_else(|| panic!("{report}"))["locations"][0].clone()
    };
    let place = said(check, "failed-condition");
    assert_eq!((&place["file"], &place["line"]), (&"m/main.tf".into(), &4.into()));
    let output = "variable \"v\" {}\noutput \"o\" {\n  value = 1\n  precondition {\n    condition = var.v\n    error_message = \"No.\"\n  }\n}\n";
    let place = said(output, "undecided-validation");
    assert_eq!((&place["file"], &place["line"]), (&"m/main.tf".into(), &5.into()));
}

/// Only the provider knows the type of an attribute: with the right one, all elements have one type.
#[test]
fn an_element_of_a_type_that_a_provider_knows_breaks_no_conversion() {
    let output = |value: &str| format!("output \"o\" {{\n  value = {value}\n}}\n");
    for value in [
        "true ? { on = true, n = 1, url = data.x.y.url } : {}",
        "false ? {} : { on = true, n = 1, url = data.x.y.url }",
        "data.x.y.is ? { on = true, n = 1, url = data.x.y.url } : {}",
        "tomap({ on = true, n = 1, url = data.x.y.url })",
        "tolist([[1], data.x.y.all])",
        "distinct([[1], data.x.y.all])",
    ] {
        is("accept", &output(value));
    }
    for ty in ["map(any)", "object({ all = map(any) })"] {
        let value = "{ on = true, n = 1, url = data.x.y.url }";
        let value =
            if ty == "map(any)" { value.to_owned() } else { format!("{{ all = {value} }}") };
        let called = format!("variable \"v\" {{\n  type = {ty}\n}}\n");
        let main = format!(
            "data \"x\" \"y\" {{}}\nmodule \"m\" {{\n  source = \"./m\"\n  v = {value}\n}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main), ("m/main.tf", &called)]), "accept", "{main}");
    }
    // No type of it helps.
    for value in [
        "true ? { a = [data.x.y.url], n = 1 } : {}",
        "tolist([[1], true])",
        "sort([[1], data.x.y.url])",
    ] {
        is("reject", &output(value));
    }
}
