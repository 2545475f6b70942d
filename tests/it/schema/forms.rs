//! What 0.1.0 wrote otherwise is recognised as its form.

use projection::schema::{self, SchemaOptions, written_by};
use testkit::modules::module;
use tf_eval::Meter;

/// `length(var.l) == 0` is a form of the Go tool, which writes the zero.
#[test]
fn a_length_of_at_least_zero_is_the_form_of_0_1_0() {
    let text = "variable \"l\" {\n  type = list(string)\n  validation {\n    condition     = CONDITION\n    error_message = \"No.\"\n  }\n}\n";
    let written = |condition: &str, options: &SchemaOptions| {
        let module = module(&text.replace("CONDITION", condition));
        let schema = schema::generate(&module, options).schema.to_json();
        let form = written_by(&schema, &module, &SchemaOptions::default(), &Meter::default());
        (schema.to_text(false).contains("\"minItems\": 0"), form)
    };
    let earlier = SchemaOptions { zero_minimums: true, ..SchemaOptions::default() };
    let choice = "length(var.l) == 0 || var.l[0] == \"a\"";
    assert_eq!(written(choice, &earlier), (true, Some("0.1.0")));
    assert_eq!(written(choice, &SchemaOptions::default()), (false, None));
    assert!(written("length(var.l) == 0", &SchemaOptions::default()).0);
}
