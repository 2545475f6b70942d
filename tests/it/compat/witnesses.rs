//! The calls that show what breaks are small, and look like what people write.

use super::report;

/// The witness of the first finding, and the words about it.
fn shown(before: &str, after: &str) -> (String, String) {
    let found = report(before, after);
    let change = &found["compat"]["modules"][0]["changes"][0];
    let help = found["findings"][0]["help"].as_str().unwrap_or_default();
    let first = help.lines().next().unwrap_or_default().to_owned();
    (change["witness"].as_str().unwrap_or_default().to_owned(), first)
}

/// Of a large object the attributes are left that the rule reads, and those that are required.
#[test]
fn a_witness_has_no_attribute_that_it_does_not_need() {
    let module = |rule: &str| {
        format!(
            "variable \"endpoints\" {{
  type = map(object({{
    name     = optional(string)
    lock     = optional(object({{ kind = string, name = optional(string) }}))
    tags     = optional(map(string))
    groups   = optional(map(string), {{}})
    services = optional(list(object({{ name = string, port = optional(number, 80) }})))
    subnet   = string
  }}))
  nullable = false
  {rule}
}}
"
        )
    };
    let rule = "validation {
    condition     = alltrue([for it in var.endpoints : it.lock == null ? true : contains([\"CanNotDelete\", \"ReadOnly\"], it.lock.kind)])
    error_message = \"No such lock.\"
  }";
    let (witness, _) = shown(&module(""), &module(rule));
    let expected = "endpoints = { key = { lock = { kind = \"example\" }, subnet = \"example\" } }";
    assert!(witness.contains(expected), "{witness}");
}

/// Elements of a set have no order, so what each loses is sought for each.
#[test]
fn an_attribute_that_an_element_of_a_set_loses_is_named() {
    let module = |ty: &str| format!("variable \"x\" {{\n  type = map(set(object({ty})))\n}}\n");
    let before = module("{ name = string, size = optional(number) }");
    let (witness, said) = shown(&before, &module("{ name = string }"));
    assert!(witness.contains("x      = { key = [{ name = \"example\", size = 1 }] }"), "{witness}");
    assert!(said.ends_with("a part of the value is dropped (x.key[0].size)"), "{said}");
}

/// `Example` is what somebody may have written, and `9` is not.
#[test]
fn texts_are_plain() {
    let module = |condition: &str| {
        format!(
            "variable \"name\" {{\n  type = string\n  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    for (before, after, expected) in [
        ("length(var.name) <= 20", "can(regex(\"^[a-z]{0,20}$\", var.name))", "Example"),
        ("length(var.name) >= 5", "length(var.name) >= 9", "example"),
        ("true || var.name == null", "var.name != \"a\"", "a"),
    ] {
        let (witness, _) = shown(&module(before), &module(after));
        assert!(witness.contains(&format!("name   = \"{expected}\"")), "{witness}");
    }
}

/// Two elements that have to be equal become plain together.
#[test]
fn equal_texts_stay_equal() {
    let module = |ty: &str| {
        format!(
            "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = length(var.x) == 2\n    error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let found = report(&module("set(string)"), &module("list(string)"));
    let changes = found["compat"]["modules"][0]["changes"].as_array().unwrap();
    let witness = changes.iter().find_map(|it| it["witness"].as_str()).unwrap();
    assert!(witness.contains("x      = [\"example\", \"example\", \"a\"]"), "{witness}");
}
