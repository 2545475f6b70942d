//! Rules that read files, or ask for the machine in another way: a schema is made on one machine and used
//! on others, so it says nothing of them.

use projection::{
    condition::Fidelity,
    schema::{self, SchemaOptions},
};
use testkit::{condition::evidence::Subject, modules::module};
use tf_eval::functions::{self, DependsOn};

/// A call of each function, and questions about what it gives.
const CALLS: [(&str, &str, &[&str]); 16] = [
    ("abspath", "abspath(\"k\")", TEXT),
    ("pathexpand", "pathexpand(\"~/k\")", TEXT),
    ("file", "file(\"k\")", TEXT),
    ("filebase64", "filebase64(\"k\")", TEXT),
    ("filebase64sha256", "filebase64sha256(\"k\")", TEXT),
    ("filebase64sha512", "filebase64sha512(\"k\")", TEXT),
    ("filemd5", "filemd5(\"k\")", TEXT),
    ("filesha1", "filesha1(\"k\")", TEXT),
    ("filesha256", "filesha256(\"k\")", TEXT),
    ("filesha512", "filesha512(\"k\")", TEXT),
    ("templatefile", "templatefile(\"k\", {})", TEXT),
    ("fileexists", "fileexists(\"k\")", &["C", "!C", "can(C)", "!can(C)", "try(C, true)"]),
    (
        "fileset",
        "fileset(\".\", \"*\")",
        &["length(C) > 0", "length(C) == 0", "contains(C, \"q\")", "can(tolist(C)[0])"],
    ),
    ("timestamp", "timestamp()", TEXT),
    ("plantimestamp", "plantimestamp()", TEXT),
    ("uuid", "uuid()", TEXT),
];

const TEXT: &[&str] = &[
    "C == \"q\"",
    "C != \"q\"",
    "length(C) > 1",
    "can(tonumber(C))",
    "!can(tonumber(C))",
    "try(tonumber(C), 5) == 5",
    "contains([C], \"q\")",
    "can(regex(\"^q\", C))",
    "alltrue([for e in [C] : e != \"q\"])",
];

#[test]
fn what_the_machine_decides_no_schema_does() {
    for function in functions::all() {
        let is_of_machine = matches!(function.depends_on, DependsOn::Machine | DependsOn::Moment);
        let is_asked = CALLS.iter().any(|it| it.0 == function.name);
        // Its result differs each time, and takes a tenth of a second.
        assert!(!is_of_machine || is_asked || function.name == "bcrypt", "{}", function.name);
    }
    for (name, call, questions) in CALLS {
        for question in questions {
            let asked = question.replace('C', call);
            for (condition, refused) in [
                (format!("({asked}) || var.x == \"a\""), None),
                (format!("({asked}) && var.x == \"a\""), Some("b")),
                (format!("var.x == \"a\" ? {asked} : false"), Some("b")),
                (format!("[{asked}, var.x == \"a\"][0]"), None),
            ] {
                let module = module(&format!(
                    "variable \"x\" {{\n  type = string\n  validation {{\n    condition = {condition}\n    \
                     error_message = \"No.\"\n  }}\n}}\n"
                ));
                let translation = Subject::new(&module, &module.variables["x"], 0).translation();
                assert!(translation.refusal.is_none(), "{condition}: {:?}", translation.refusal);
                assert_ne!(translation.fidelity(), Fidelity::Exact, "{name}: {condition}");
                let json = schema::generate(&module, &SchemaOptions::default())
                    .schema
                    .to_json()
                    .to_serde();
                let schema = jsonschema::draft7::new(&json).unwrap();
                for value in ["a", "b"] {
                    let takes = schema.is_valid(&serde_json::json!({ "x": value }));
                    assert!(takes || refused == Some(value), "{condition} refuses {value}: {json}");
                }
            }
        }
    }
}
