//! Why a condition is false: the words below it, and which part of the value is pointed at.

use diagnostics::Finding;
use report::from_json;
use system::MemorySystem;
use terraschema::{Console, run};

/// What is reported about a value of the variable `v` that breaks a condition: the words below the condition, and the
/// path inside of the value that is pointed at.
fn said(ty: &str, condition: &str, value: &str) -> (String, String) {
    let found = finding("", ty, condition, value);
    let rule = found.locations.iter().find(|it| !it.text.is_empty());
    (rule.map(|it| it.text.clone()).unwrap_or_default(), found.path.unwrap_or_default())
}

fn finding(more: &str, ty: &str, condition: &str, value: &str) -> Finding {
    let main = format!(
        "{more}variable \"v\" {{\n  type = {ty}\n  validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    );
    let system = MemorySystem::new()
        .working_in("/m")
        .file("/m/main.tf", &main)
        .file("/m/terraform.tfvars", format!("v = {value}\n"));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let words = ["terraschema", "validate", "--format", "json"].map(Into::into).to_vec();
    run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
    let report = from_json(&String::from_utf8(stdout).unwrap()).unwrap();
    let found = report.findings.into_iter().find(|it| it.rule.as_str() == "failed-validation");
    found.unwrap_or_else(|| panic!("{main}"))
}

#[track_caller]
fn says(ty: &str, condition: &str, value: &str, text: &str, path: &str) {
    assert_eq!(said(ty, condition, value), (text.to_owned(), path.to_owned()), "{condition}");
}

#[test]
fn only_operands_that_decided_are_shown() {
    let both = "{ a = 5, b = 1 }";
    let ty = "object({ a = number, b = number })";
    says(ty, "var.v.a < 3 && var.v.b < 3", both, "var.v.a is 5", "/a");
    says(ty, "var.v.b < 3 && var.v.a < 3", both, "var.v.a is 5", "/a");
    says(ty, "!(var.v.a > 3 || var.v.b > 3)", both, "var.v.a is 5", "/a");
    says(ty, "var.v.a < 3 || var.v.b > 3", both, "var.v.a is 5, var.v.b is 1", "");
    says(ty, "!(var.v.a > 3 && var.v.b < 3)", both, "var.v.a is 5, var.v.b is 1", "");
}

#[test]
fn a_conditional_shows_what_it_asks_and_the_branch_that_it_takes() {
    let ty = "object({ on = bool, a = number, b = number })";
    let condition = "var.v.on ? var.v.a > 3 : var.v.b > 3";
    says(ty, condition, "{ on = true, a = 1, b = 5 }", "var.v.on is true, var.v.a is 1", "");
    says(ty, condition, "{ on = false, a = 5, b = 1 }", "var.v.on is false, var.v.b is 1", "");
}

#[test]
fn one_element_is_shown_where_one_decides_and_the_whole_where_all_do() {
    let ty = "list(number)";
    says(ty, "alltrue([for it in var.v : it < 3])", "[1, 5, 7]", "it is 5 in var.v[1]", "/1");
    says(ty, "!anytrue([for it in var.v : it > 3])", "[1, 5, 7]", "it is 5 in var.v[1]", "/1");
    says(
        ty,
        "!alltrue([for it in var.v : it > 3])",
        "[4, 5]",
        "[for it in var.v : it > 3] is [true,true], var.v is [4,5]",
        "",
    );
    says(
        ty,
        "anytrue([for it in var.v : it > 3])",
        "[1, 2]",
        "[for it in var.v : it > 3] is [false,false], var.v is [1,2]",
        "",
    );
    says(ty, "alltrue([var.v[0] > 3, var.v[1] > 3])", "[5, 1]", "var.v[1] is 1", "/1");
}

#[test]
fn an_element_is_found_inside_of_what_holds_it() {
    let ty = "list(number)";
    let each = "[for it in var.v : it < 3]";
    for condition in [
        format!("alltrue(({each}))"),
        format!("alltrue(flatten([{each}]))"),
        format!("alltrue(concat([true], {each}))"),
    ] {
        says(ty, &condition, "[1, 5]", "it is 5 in var.v[1]", "/1");
    }
    says(
        ty,
        "alltrue(values({ a = var.v[0] < 3, b = var.v[1] < 3 }))",
        "[1, 5]",
        "var.v[1] is 5",
        "/1",
    );
    let nested = "alltrue(flatten([for row in var.v : [for it in row : it < 3]]))";
    says("list(list(number))", nested, "[[1], [2, 5]]", "it is 5 in var.v[1]", "/1/1");
}

#[test]
fn elements_that_a_for_leaves_out_are_not_shown() {
    let condition = "alltrue([for it in var.v : it.size < 3 if it.on])";
    let value = "[{ on = false, size = 9 }, { on = true, size = 5 }]";
    let ty = "list(object({ on = bool, size = number }))";
    says(ty, condition, value, "it.size is 5 in var.v[1]", "/1/size");
}

#[test]
fn an_element_has_the_name_of_its_place() {
    let condition = "alltrue([for it in var.v : it < 3])";
    says("map(number)", condition, "{ a = 1, b = 5 }", "it is 5 in var.v[\"b\"]", "/b");
    says(
        "object({ a = number, b = number })",
        condition,
        "{ a = 1, b = 5 }",
        "it is 5 in var.v[\"b\"]",
        "/b",
    );
    // The order of a set is not that of the given list, so no place in the list is reported.
    says("set(number)", condition, "[5, 1]", "it is 5 in an element of var.v", "");
    let keys = "alltrue([for key, it in var.v : key != \"b\"])";
    says("map(number)", keys, "{ a = 1, b = 5 }", "key is \"b\" in var.v[\"b\"]", "/b");
}

#[test]
fn a_bound_name_hides_what_stands_outside() {
    let condition = "alltrue([for var in var.v : var.v < 3])";
    says(
        "list(object({ v = number }))",
        condition,
        "[{ v = 1 }, { v = 5 }]",
        "var.v is 5 in var.v[1]",
        "",
    );
    // `var.v` is not a place of the variable here, so only the key gives one.
    let keyed = "alltrue([for key, var in var.v : var.v < key])";
    says(
        "list(object({ v = number }))",
        keyed,
        "[{ v = -1 }, { v = 5 }]",
        "var.v is 5, key is 1 in var.v[1]",
        "/1",
    );
    let inner = "alltrue([for it in var.v : alltrue([for it in it : it < 3])])";
    says("list(list(number))", inner, "[[1], [2, 5]]", "it is 5 in var.v[1]", "/1/1");
}

#[test]
fn calls_and_sums_are_shown_with_what_they_read() {
    says("string", "length(var.v) > 3", "\"ab\"", "length(var.v) is 2, var.v is \"ab\"", "");
    says("number", "var.v + 1 > 3", "1", "var.v + 1 is 2, var.v is 1", "");
    says("number", "(var.v) > 3", "1", "var.v is 1", "");
    says("number", "-var.v > 3", "1", "var.v is 1", "");
    says("number", "var.v > 1 + 2", "1", "var.v is 1", "");
    says("string", "can(regex(\"^x\", var.v))", "\"ab\"", "var.v is \"ab\"", "");
    says(
        "list(object({ a = number }))",
        "max(var.v[*].a...) < 3",
        "[{ a = 5 }]",
        "max(var.v[*].a...) is 5, var.v is [{\"a\":5}]",
        "",
    );
    says(
        "list(string)",
        "length((var.v)) > 3",
        "[\"a\"]",
        "length((var.v)) is 1, var.v is [\"a\"]",
        "",
    );
    says("number", "abs(-var.v) > 3", "1", "abs(-var.v) is 1, var.v is 1", "");
    says("object({ a = number })", "(var.v).a > 3", "{ a = 1 }", "(var.v).a is 1", "/a");
    says(
        "list(number)",
        "length([for it in var.v : it if it > 3]) > 0",
        "[1]",
        "length([for it in var.v : it if it > 3]) is 0, var.v is [1]",
        "",
    );
    says(
        "object({ a = string })",
        "\"x-${var.v.a}\" == \"x-b\"",
        "{ a = \"c\" }",
        "var.v.a is \"c\"",
        "/a",
    );
}

#[test]
fn an_index_is_a_place_unless_it_is_of_a_set() {
    let ty = "object({ at = number, all = list(number) })";
    says(
        ty,
        "var.v.all[var.v.at] > 3",
        "{ at = 1, all = [5, 1] }",
        "var.v.all[var.v.at] is 1",
        "/all/1",
    );
    says(
        "map(list(number))",
        "(var.v[\"a\"])[0] > 3",
        "{ a = [1] }",
        "(var.v[\"a\"])[0] is 1",
        "/a/0",
    );
}

#[test]
fn what_is_long_is_cut_and_six_facts_are_enough() {
    let long = "x".repeat(100);
    let (text, _) = said("string", "var.v == \"\"", &format!("\"{long}\""));
    assert_eq!(text, format!("var.v is \"{}…", "x".repeat(79)));
    let (text, _) = said("string", "var.v == \"\"", &format!("\"{}\"", "x".repeat(78)));
    assert_eq!(text, format!("var.v is \"{}\"", "x".repeat(78)));
    let all = (0..8).map(|it| format!("var.v[{it}] > 3")).collect::<Vec<_>>().join(" || ");
    let (text, _) = said("list(number)", &all, "[0, 0, 0, 0, 0, 0, 0, 0]");
    assert_eq!(text.matches(" is 0").count(), 6, "{text}");
}

#[test]
fn a_secret_of_another_variable_is_not_shown() {
    let more = "variable \"s\" {\n  default = 7\n  sensitive = true\n}\n";
    let found = finding(more, "number", "var.v > 3 && var.s > var.v", "1");
    let texts: Vec<_> = found.locations.iter().map(|it| it.text.as_str()).collect();
    assert!(texts.contains(&"var.v is 1"), "{texts:?}");
}

#[test]
fn a_demand_is_told_if_it_is_short() {
    let help = |condition: &str| finding("", "string", condition, "\"v\"").help;
    assert_eq!(help("var.v == \"a\"").as_deref(), Some("\"v\" must be \"a\""));
    // A demand that no value meets is not shown.
    assert_eq!(help("var.v == \"a\" && var.v == \"b\""), None);
    assert_eq!(help("length(var.v) > 3 && length(var.v) < 2"), None);
    // A longer one is harder to read than the condition.
    let many = (0..60).map(|it| format!("\"word{it}\"")).collect::<Vec<_>>().join(", ");
    assert_eq!(help(&format!("contains([{many}], var.v)")), None);
}

/// A call is shown with its result where something in it is not a constant.
#[test]
fn a_call_that_reads_something_is_shown_in_whatever_form_it_reads_it() {
    for (condition, text) in [
        ("length(var.v[0]) > 3", "length(var.v[0]) is 1, var.v[0] is \"q\""),
        ("length(var.v != null ? \"a\" : \"b\") > 3", "length(var.v != null ? \"a\" : \"b\") is 1"),
        ("length({ a = var.v }) > 3", "length({ a = var.v }) is 1"),
        ("length([1]) > 3 || var.v == null", "var.v is [\"q\"]"),
    ] {
        let (said, _) = said("list(string)", condition, "[\"q\"]");
        assert!(said.starts_with(text), "{condition}: {said}");
    }
    says("string", "!can(tonumber(var.v))", "\"1\"", "var.v is \"1\"", "");
}

/// For a list in another order, nothing says which element it was.
#[test]
fn an_element_is_shown_only_where_it_keeps_its_place() {
    let ty = "list(number)";
    let list = "[for it in var.v : it > 1]";
    says(ty, &format!("alltrue(tolist({list}))"), "[1, 2]", "it is 1 in var.v[0]", "/0");
    let whole = format!("{list} is [false,true], var.v is [1,2]");
    says(ty, &format!("alltrue(reverse({list}))"), "[1, 2]", &whole, "");
}
