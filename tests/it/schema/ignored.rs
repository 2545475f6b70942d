//! `--ignore-variable` where a rule is about several variables.

use projection::{
    condition::Fidelity,
    schema::{self, SchemaOptions},
};
use testkit::modules::module;

#[test]
fn a_rule_goes_with_the_variable_that_it_names() {
    let module = module(
        r#"
        variable "a" {
          type = string
          validation {
            condition     = length(var.a) > 1 && (var.b || var.a != "xx") && (var.c || var.a != "yy")
            error_message = "No."
          }
        }
        variable "b" { type = bool }
        variable "c" { type = bool }
        "#,
    );
    let fidelity = |options: &SchemaOptions| {
        let generated = schema::generate(&module, options);
        (generated.translations[0].1[0].fidelity(), generated.schema.to_json().to_text(false))
    };
    let (whole, text) = fidelity(&SchemaOptions::default());
    assert_eq!(whole, Fidelity::Exact);
    assert!(text.contains("\"b\"") && text.contains("\"yy\""), "{text}");
    let options =
        SchemaOptions { ignore_variables: ["b".to_owned()].into(), ..SchemaOptions::default() };
    let (part, text) = fidelity(&options);
    assert_eq!(part, Fidelity::Necessary);
    assert!(
        !text.contains("\"b\"") && !text.contains("\"xx\"") && text.contains("\"yy\""),
        "{text}"
    );
}
