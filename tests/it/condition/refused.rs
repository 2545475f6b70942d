//! Rules that Terraform's own `validate` refuses, whatever the values are.

use terraschema::schema;

use crate::schema::modules::module;

/// The rule ids and texts of what is said of a variable with this condition.
fn said(ty: &str, condition: &str) -> Vec<(String, String)> {
    let text = format!(
        "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    \
         error_message = \"No.\"\n  }}\n}}\n"
    );
    let generated = schema::generate(&module(&text), &schema::Options::default());
    let errors = generated.diagnostics.iter().filter(|it| it.is_error());
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
