//! Rules that Terraform's own `validate` refuses, whatever the values are.

use diagnostics::{Diagnostics, Level};
use projection::schema;
use system::MemorySystem;
use terraschema::Exit;
use testkit::modules::module;

use crate::cli::terraschema;

/// The findings about a variable with this condition.
fn diagnostics(ty: &str, condition: &str) -> Diagnostics {
    let text = format!(
        "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    );
    schema::generate(&module(&text), &schema::SchemaOptions::default()).diagnostics
}

/// The rule ids and texts of errors.
fn said(ty: &str, condition: &str) -> Vec<(String, String)> {
    let diagnostics = diagnostics(ty, condition);
    let errors = diagnostics.iter().filter(|it| it.is_error());
    errors.map(|it| (it.rule.to_string(), it.message())).collect()
}

#[test]
fn a_rule_that_can_never_be_evaluated_is_an_error() {
    let expected = [
        ("list(string)", "length(var.x, 1) > 0", "Too many function arguments"),
        ("string", "replace(var.x, \"a\") == \"b\"", "Not enough function arguments"),
        ("list(string)", "count(var.x) > 0", "Call to unknown function"),
        ("number", "length(var.x) > 0", "Error in function call"),
    ];
    for (ty, condition, summary) in expected {
        let said = said(ty, condition);
        let [(rule, message)] = said.as_slice() else { panic!("{condition}: {said:?}") };
        assert_eq!(rule, "failed-validation", "{condition}");
        assert!(message.starts_with(summary), "{condition}: {message}");
    }
}

/// Terraform 1.11.4 refuses each of them in `validate`.
#[test]
fn a_rule_that_is_false_while_nothing_is_known_is_an_error() {
    let message = "Terraform rejects this rule of \"x\": Its condition is false while the \
                   variables are unknown, as in `terraform validate`.";
    for condition in ["can(regex(\"(\", var.x))", "!try(lower(var.x) != null, false)"] {
        assert_eq!(
            said("string", condition),
            [("failed-validation".to_owned(), message.to_owned())],
            "{condition}"
        );
    }
}

/// What a provider's function gives is not known before it is called; Terraform 1.11.4 takes the first four, and
/// refuses the others in `validate`.
#[test]
fn a_function_of_a_provider_may_give_anything() {
    let providers = "terraform {\n  required_providers {\n    terraform = { source = \"terraform.io/builtin/terraform\" }\n    \
                     other = { source = \"a/other\" }\n  }\n}\n";
    for (condition, is_refused) in [
        ("can(provider::terraform::decode_tfvars(var.x))", false),
        ("can(provider::other::parse(var.x))", false),
        ("try(provider::other::parse(var.x).a, \"\") == \"a\"", false),
        ("local.is_fine && can(provider::other::parse(var.x))", false),
        ("can(provider::terraform::decode_tfvars(var.x, 1))", true),
        ("can(provider::terraform::parse(var.x))", true),
        ("can(provider::absent::parse(var.x))", true),
    ] {
        let text = format!(
            "{providers}locals {{\n  is_fine = can(provider::other::parse(\"a\"))\n}}\nvariable \"x\" {{\n  type = string\n  \
             validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        let said = schema::generate(&module(&text), &schema::SchemaOptions::default()).diagnostics;
        let errors: Vec<_> = said.iter().filter(|it| it.is_error()).collect();
        assert_eq!(!errors.is_empty(), is_refused, "{condition}: {errors:?}");
    }
}

#[test]
fn a_rule_that_fails_for_some_values_is_none() {
    let fine = [
        ("list(string)", "var.x[0] == \"a\""),
        ("any", "length(var.x) > 0"),
        // Terraform takes this for false.
        ("number", "can(count(var.x)) || var.x > 0"),
        // Terraform looks at no element of what is not known.
        ("list(string)", "alltrue([for it in var.x : length(it, 2) > 0])"),
        ("string", "var.x == terraform.workspace"),
    ];
    for (ty, condition) in fine {
        assert_eq!(said(ty, condition), [], "{condition}");
    }
}

/// The rule ids of warnings.
fn found(ty: &str, condition: &str) -> Vec<String> {
    let diagnostics = diagnostics(ty, condition);
    let warnings = diagnostics.iter().filter(|it| it.level() == Level::Warning);
    warnings.map(|it| it.rule.to_string()).collect()
}

/// Each with the type that it is about: none has a value that satisfies it.
#[test]
fn rules_that_never_hold_are_told() {
    let cases = [
        ("number", "var.x > 5 && var.x < 3"),
        ("number", "var.x >= 5 && var.x < 5"),
        ("string", "length(var.x) > 5 && length(var.x) < 3"),
        ("list(string)", "length(var.x) > 2 && length(var.x) == 1"),
        ("string", r#"contains(["a", "b"], var.x) && can(regex("^c", var.x))"#),
        ("object({ n = number })", "var.x.n > 1 && var.x.n < 0"),
        ("string", r#"can(regex("^a", var.x)) && can(regex("^b", var.x))"#),
        ("string", r#"can(regex("^[a-z]{5}$", var.x)) && length(var.x) < 5"#),
        ("string", r#"can(regex("^.{3}$", var.x)) && length(var.x) > 3"#),
        ("string", r#"can(regex("^a+$", var.x)) && !startswith(var.x, "a")"#),
        ("string", r#"contains(["a", "b"], var.x) && contains(["c"], var.x)"#),
        ("number", "var.x > 3 && var.x < 3"),
        ("number", "floor(var.x) == var.x && var.x > 1 && var.x < 2"),
        (
            "list(string)",
            r#"length(var.x) > 0 && alltrue([for s in var.x : can(regex("^a", s)) && can(regex("^b", s))])"#,
        ),
        ("list(string)", r#"contains(var.x, "b") && alltrue([for s in var.x : s == "a"])"#),
        (
            "list(object({ n = number }))",
            "length(var.x) == 2 && alltrue([for it in var.x : it.n > 1 && it.n < 0])",
        ),
        ("map(string)", "length(var.x) > 5 && length(var.x) < 3"),
    ];
    for (ty, condition) in cases {
        assert_eq!(found(ty, condition), ["rule-never-holds"], "{condition}");
    }
}

#[test]
fn rules_that_hold_for_some_value_are_not() {
    let cases = [
        ("number", "var.x >= 5 && var.x <= 5"),
        ("number", "var.x > 5 || var.x < 3"),
        ("string", "length(var.x) > 2 && length(var.x) < 4"),
        ("string", "var.x == null"),
        ("any", "var.x == null || can(tonumber(var.x))"),
        ("object({ n = optional(number) })", "var.x.n == null"),
        ("list(number)", "alltrue([for n in var.x : n > 5 && n < 3])"),
        // For null inside, which no schema covers, Terraform finds them true.
        ("object({ n = string })", "var.x.n == null"),
        ("object({ o = object({ n = string }) })", "var.x.o == null || var.x.o.n == null"),
        ("map(string)", r#"var.x["a"] == null"#),
        ("list(string)", "length(var.x) > 0 && alltrue([for s in var.x : s == null])"),
        ("set(string)", "length(var.x) == 1 && alltrue([for s in var.x : s == null])"),
        (
            "list(string)",
            r#"length(var.x) == 7 && alltrue([for s in var.x : s == null || s == "a"]) && alltrue([for s in var.x : s == null || s == "b"])"#,
        ),
        // "q" with an accent above is one character.
        ("string", r#"can(regex("^.{4}$", var.x)) && length(var.x) == 3"#),
        ("string", r#"can(regex("^q.b$", var.x)) && substr(var.x, 1, 1) == "b""#),
        ("string", r#"can(regex("^a", var.x)) && can(regex("b$", var.x))"#),
    ];
    for (ty, condition) in cases {
        let found = found(ty, condition);
        assert!(!found.contains(&"rule-never-holds".to_owned()), "{condition}: {found:?}");
    }
}

/// `check` reports it once, whether or not calls are judged or values can be read.
#[test]
fn check_says_that_terraform_refuses_a_rule() {
    for condition in
        ["can(regex(\"^(a\", var.x))", "var.x == 1", "can(nosuch(var.x))", "length(var.x, 1) > 0"]
    {
        let text = format!(
            "variable \"x\" {{\n  type = string\n  validation {{\n    condition     = {condition}\n    \
             error_message = \"No.\"\n  }}\n}}\n"
        );
        let cases = ["", "x = \"a\"\n", "x = [\n"].map(|it| [("", it), ("--no-calls", it)]);
        for (arguments, values) in cases.into_iter().flatten() {
            let mut system = MemorySystem::new().file("/m/main.tf", &text).working_in("/m");
            if !values.is_empty() {
                system = system.file("/m/terraform.tfvars", values);
            }
            let (exit, told) = terraschema(&system, &format!("check --format concise {arguments}"));
            let of_rule = told.lines().filter(|it| it.contains("error[failed-validation]"));
            assert_eq!(of_rule.count(), 1, "{condition} {arguments} {values}: {told}");
            assert_eq!(exit, Exit::Findings, "{condition} {arguments} {values}: {told}");
        }
    }
}
