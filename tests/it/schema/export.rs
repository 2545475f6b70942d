//! `--export-variables`.

use projection::schema::{self, SchemaOptions};
use testkit::modules::module;
use tf_eval::Meter;

#[test]
fn members_come_in_the_go_tools_order() {
    let module = module(
        r#"
        variable "b" {
          type        = map(object({ x = optional(string, "d"), y = any }))
          description = "B."
          sensitive   = true
          nullable    = false
          default     = {}
          validation {
            condition     = length(var.b) > 0 && true
            error_message = "Not ${length(var.b)}."
          }
          validation {
            condition     = (var.b != null)
            error_message = "Fixed."
          }
        }
        variable "a" {}
        variable "c" {
          type    = any
          default = null
        }
        "#,
    );
    // All members there are: `b` is sensitive.
    let options = SchemaOptions { sensitive_defaults: true, ..SchemaOptions::default() };
    let text = schema::export_variables(&module, &options, &Meter::default()).to_text(false);
    let expected = r#"{
	"a": {
		"default": null,
		"type": "any"
	},
	"b": {
		"default": {},
		"description": "B.",
		"nullable": false,
		"sensitive": true,
		"validation": [
			{
				"condition": "length(var.b) > 0 && true",
				"error_message": "Not ${length(var.b)}."
			},
			{
				"condition": "(var.b != null)",
				"error_message": "Fixed."
			}
		],
		"type": [
			"map",
			[
				"object",
				{
					"x": "string",
					"y": "dynamic"
				},
				[
					"x"
				]
			]
		]
	},
	"c": {
		"default": null,
		"type": "dynamic"
	}
}"#;
    assert_eq!(text, expected);
}
