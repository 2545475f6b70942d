//! `terraschema generate`: the Go tool's flags, messages and files, with exit codes that say so.

use std::{ffi::OsString, path::Path};

use system::{MemorySystem, System};
use terraschema::{Console, Exit, run};

const MODULE: &str = r#"
variable "a" {
  type        = string
  description = "<a>"
  validation {
    condition     = md5(var.a) == "x"
    error_message = "No."
  }
}
"#;

const SCHEMA: &str = r#"{
	"$schema": "http://json-schema.org/draft-07/schema#",
	"additionalProperties": true,
	"properties": {
		"a": {
			"description": "<a>",
			"type": "string"
		}
	},
	"required": [
		"a"
	]
}
"#;

struct Output {
    exit: Exit,
    stdout: String,
    stderr: String,
}

fn terraschema(system: &MemorySystem, arguments: &str) -> Output {
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words.map(OsString::from).collect(), system, &mut console);
    drop(console);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { exit, stdout: text(stdout), stderr: text(stderr) }
}

fn file(system: &MemorySystem, path: &str) -> Option<String> {
    system.read(Path::new(path)).ok().map(|it| String::from_utf8(it).unwrap())
}

fn module() -> MemorySystem {
    MemorySystem::new().file("m/variables.tf", MODULE).directory("empty")
}

#[test]
fn the_schema_is_written_and_said_so() {
    for arguments in ["-i m -o out/deep/s.json", "generate --input m --output=out/deep/s.json"] {
        let system = module();
        let output = terraschema(&system, arguments);
        assert_eq!(output.exit, Exit::Clean);
        assert_eq!(output.stdout, "");
        assert_eq!(
            output.stderr,
            "Warning: m/variables.tf:6:21: A validation rule of \"a\" is not in the schema: A call \
             of `md5` is not translated.\n\
             Info: schema written to \"out/deep/s.json\"\n"
        );
        assert_eq!(file(&system, "out/deep/s.json").unwrap(), SCHEMA);
    }
}

#[test]
fn the_default_output_is_in_the_current_directory() {
    let system = module();
    assert_eq!(terraschema(&system, "-i m").exit, Exit::Clean);
    assert_eq!(file(&system, "schema.json").unwrap(), SCHEMA);
    assert_eq!(file(&system, "m/schema.json"), None);
}

#[test]
fn stdout_has_the_schema_one_more_line_end_and_nothing_else() {
    let system = module();
    let output = terraschema(&system, "-i m --stdout --debug -o x.json");
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Clean, ""));
    assert_eq!(output.stdout, format!("{SCHEMA}\n"));
    assert_eq!(file(&system, "x.json"), None);
    let output = terraschema(&system, "-i m --stdout --escape-json");
    assert!(output.stdout.contains(r#""\u003ca\u003e""#));
}

#[test]
fn a_dash_is_standard_output() {
    let system = module();
    for arguments in ["-i m -o -", "generate m --output=-"] {
        let output = terraschema(&system, arguments);
        assert_eq!((output.exit, output.stderr.as_str()), (Exit::Clean, ""));
        assert_eq!(output.stdout, format!("{SCHEMA}\n"));
        assert_eq!(file(&system, "-"), None);
    }
    let output = terraschema(&system, "-i m -o ./-");
    assert_eq!(output.exit, Exit::Clean, "{}", output.stderr);
    assert_eq!(file(&system, "-").unwrap(), SCHEMA);
}

#[test]
fn no_other_file_is_called_a_dash_by_mistake() {
    for (arguments, said) in [
        ("check m --output json=-", "write --format json to print the findings"),
        ("validate m --output sarif=-", "write --format sarif to print the findings"),
        ("check m --write-baseline -", "a file is expected; write ./- for one with this name"),
    ] {
        let system = module();
        let output = terraschema(&system, arguments);
        assert_eq!(output.exit, Exit::Failure, "{arguments}");
        assert!(output.stderr.contains(said), "{arguments}: {}", output.stderr);
        assert_eq!(file(&system, "-"), None);
    }
    let system = MemorySystem::new().file("m/main.tf", "variable \"a\" {\n  type = string\n}\n");
    let output = terraschema(&system, "skeleton m --output -");
    assert_eq!(output.exit, Exit::Clean, "{}", output.stderr);
    assert!(output.stdout.contains("a = \"example\""), "{}", output.stdout);
    assert_eq!(file(&system, "-"), None);
}

#[test]
fn an_existing_output_stays_without_overwrite() {
    let system = module().file("schema.json", "mine");
    let output = terraschema(&system, "-i m");
    assert_eq!(output.exit, Exit::Failure);
    assert_eq!(
        output.stderr,
        "Error: output path \"schema.json\" already exists, use --overwrite to overwrite\n"
    );
    assert_eq!(file(&system, "schema.json").unwrap(), "mine");
    assert_eq!(terraschema(&system, "-i m --overwrite").exit, Exit::Clean);
    assert_eq!(file(&system, "schema.json").unwrap(), SCHEMA);
}

#[test]
fn a_directory_is_no_output_and_another_extension_is_a_warning() {
    let system = module();
    let output = terraschema(&system, "-i m -o empty --overwrite");
    assert_eq!(output.exit, Exit::Failure);
    assert!(output.stderr.contains("is an existing directory"), "{}", output.stderr);
    let output = terraschema(&system, "-i m -o schema");
    assert_eq!(output.exit, Exit::Clean);
    let warning = "Warning: output path \"schema\" does not have a .json extension, continuing\n";
    assert!(output.stderr.starts_with(warning), "{}", output.stderr);
}

#[test]
fn nothing_to_read_is_an_error_unless_allowed() {
    let system = module().file("bare/main.tf", "locals {}\n");
    for (dir, reason) in
        [("empty", "no .tf files found"), ("bare", "tf files don't contain any variables")]
    {
        let output = terraschema(&system, &format!("-i {dir}"));
        assert_eq!(output.exit, Exit::Failure);
        assert_eq!(
            output.stderr,
            format!("Error: error reading tf files at \"{dir}\": {reason}\n")
        );
        assert_eq!(file(&system, "schema.json"), None);
        let output = terraschema(&system, &format!("-i {dir} --allow-empty -o {dir}.json"));
        assert_eq!(output.exit, Exit::Clean);
        assert_eq!(
            output.stderr,
            format!(
                "Warning: directory \"{dir}\": {reason}, creating empty schema file\n\
                 Info: schema written to \"{dir}.json\"\n"
            )
        );
        assert_eq!(file(&system, &format!("{dir}.json")).unwrap(), "{}\n");
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_writes_nothing() {
    let system = module()
        .file("bad/variables.tf", "variable \"a\" {\n  type = \n}\n")
        .file("wrong/variables.tf", "variable \"a\" {\n  type = strin\n}\n")
        .file("secret/variables.tf", "")
        .denied("secret");
    for (arguments, expected) in [
        ("-i nowhere", "could not access directory \"nowhere\""),
        ("-i m/variables.tf", "input path \"m/variables.tf\" is not a directory"),
        ("-i bad", "bad/variables.tf:2:"),
        ("-i wrong", "wrong/variables.tf:2:10: "),
        ("-i secret", "could not "),
        ("-i m --no-such-flag", "--no-such-flag"),
    ] {
        let output = terraschema(&system, arguments);
        assert_eq!(output.exit, Exit::Failure, "{arguments}");
        assert!(output.stderr.contains(expected), "{arguments}: {}", output.stderr);
        assert_eq!(output.stdout, "");
        assert_eq!(file(&system, "schema.json"), None);
    }
}

#[test]
fn what_is_wrong_outside_variables_is_no_obstacle() {
    let text =
        format!("{MODULE}\nmystery \"block\" {{}}\nresource \"a\" {{}}\nlocals {{ a = b.c.d }}\n");
    let system = MemorySystem::new().file("m/variables.tf", text);
    let output = terraschema(&system, "-i m");
    assert_eq!(output.exit, Exit::Clean, "{}", output.stderr);
    assert_eq!(file(&system, "schema.json").unwrap(), SCHEMA);
}

#[test]
fn types_of_old_are_read_with_a_warning() {
    let text = "variable \"a\" {\n  type = \"map\"\n}\nvariable \"b\" {\n  type = \"string\"\n  colour = 1\n}\n";
    let system = MemorySystem::new().file("m/v.tf", text);
    let output = terraschema(&system, "-i m");
    assert_eq!(output.exit, Exit::Clean, "{}", output.stderr);
    assert!(output.stderr.contains("Warning: m/v.tf:2:10: Invalid quoted type constraints"));
    assert!(
        output.stderr.contains("Warning: m/v.tf:6:3: Unsupported argument"),
        "{}",
        output.stderr
    );
    let schema = file(&system, "schema.json").unwrap();
    assert!(
        schema.contains("\"additionalProperties\": {},\n\t\t\t\"type\": \"object\""),
        "{schema}"
    );
    assert!(schema.contains("\"type\": \"string\""));
}

#[test]
fn variables_are_exported() {
    let system = module();
    let output = terraschema(&system, "-i m --export-variables --stdout");
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Clean, ""));
    assert_eq!(
        output.stdout,
        "{\n\t\"a\": {\n\t\t\"default\": null,\n\t\t\"description\": \"<a>\",\n\t\t\"validation\": \
         [\n\t\t\t{\n\t\t\t\t\"condition\": \"md5(var.a) == \\\"x\\\"\",\n\t\t\t\t\
         \"error_message\": \"No.\"\n\t\t\t}\n\t\t],\n\t\t\"type\": \"string\"\n\t}\n}\n\n"
    );
    let output = terraschema(&system, "-i m --export-variables --stdout --ignore-variable a");
    assert_eq!(output.stdout, "{}\n\n");
}

#[test]
fn switches_take_values_and_the_last_one_counts() {
    let system = module();
    let plain = terraschema(&system, "-i m --stdout").stdout;
    for same in [
        "-i empty -i=m --stdout --stdout",
        "-i m --stdout=1 --overwrite=FALSE --nullable-all=f --require-all=True --require-all=0",
        "--input=m --stdout=T --escape-json --escape-json=false",
    ] {
        let output = terraschema(&system, same);
        assert_eq!((output.exit, output.stdout.as_str()), (Exit::Clean, plain.as_str()), "{same}");
    }
    // The rule of this one refuses null.
    let output = terraschema(&system, "-i m --stdout --nullable-all=t");
    assert!(!output.stdout.contains("Select a type"));
    let system = system.file("free/variables.tf", "variable \"a\" {\n  type = string\n}\n");
    let output = terraschema(&system, "-i free --stdout --nullable-all=t");
    assert!(output.stdout.contains("Select a type"));
    assert_eq!(terraschema(&system, "-i m --stdout=yes").exit, Exit::Failure);
}

/// What each flag writes into the schema of one module, and nothing writes without it.
#[test]
fn each_flag_reaches_the_schema() {
    let rule = |condition: &str| {
        format!(
            "  validation {{\n    condition     = {condition}\n    error_message = \"Say so.\"\n  }}\n"
        )
    };
    let cidr = rule("can(cidrhost(var.a, 0)) && can(cidrhost(var.a, 0))");
    let cidrs = rule("alltrue([for it in var.b.list : can(cidrhost(it, 0))])");
    let text = format!(
        "variable \"a\" {{\n  type = string\n{cidr}}}\nvariable \"b\" {{\n  type = object({{\n    # Of us.\n    list = list(string)\n  }})\n{cidrs}}}\n\
         variable \"c\" {{\n  type    = number\n  default = 1\n}}\nvariable \"d\" {{\n  type      = string\n  default   = \"<d>\"\n  sensitive = true\n}}\n\
         variable \"e\" {{\n  type = string\n}}\n"
    );
    let system = MemorySystem::new().file("m/v.tf", text);
    let schema = |flag: &str| {
        let output = terraschema(&system, &format!("-i m --stdout {flag}"));
        assert_eq!(output.exit, Exit::Clean, "{flag}");
        output.stdout
    };
    let plain = schema("");
    for (flag, written) in [
        ("--disallow-additional-properties", "\"additionalProperties\": false"),
        ("--nullable-all", "Select a type"),
        ("--require-all", "\"c\",\n"),
        ("--sensitive-defaults", "<d>"),
        ("--sensitive-defaults --escape-json", "\\u003cd\\u003e"),
        ("--property title=T", "\"title\": \"T\""),
        ("--annotations", "x-terraform"),
        ("--error-messages", "Say so."),
        ("--descriptions-from-comments", "Of us."),
        ("--draft 2020-12", "2020-12/schema"),
    ] {
        assert!(!plain.contains(written), "{written}");
        let schema = schema(flag);
        assert!(schema.contains(written), "{flag}: {schema}");
    }
    // These take something away.
    for (flag, left_out) in [
        ("--ignore-variable e", "\"e\""),
        ("--conditions none", "pattern"),
        ("--inline", "definitions"),
    ] {
        assert!(plain.contains(left_out), "{left_out}: {plain}");
        assert!(!schema(flag).contains(left_out), "{flag}");
    }
}

#[test]
fn ignored_variables_and_properties_repeat() {
    let system = MemorySystem::new()
        .file("m/v.tf", "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\n");
    let output = terraschema(
        &system,
        "-i m --stdout --ignore-variable a --ignore-variable b --property title=T=1 --property $id=x,y",
    );
    assert_eq!(output.exit, Exit::Clean);
    assert!(!output.stdout.contains("\"a\"") && !output.stdout.contains("\"b\""));
    assert!(output.stdout.contains("\"title\": \"T=1\""));
    assert!(output.stdout.contains("\"$id\": \"x,y\""));
}

#[test]
fn the_report_says_what_became_of_each_rule() {
    let text = "variable \"a\" {\n  type = string\n  validation {\n    condition = var.a != \"\" && \
                md5(var.a) == \"x\"\n    error_message = \"No.\"\n  }\n}\n";
    let system = MemorySystem::new().file("m/variables.tf", text);
    let output = terraschema(&system, "-i m --stdout --report");
    assert_eq!(
        output.stderr,
        "m/variables.tf:4:17: rule 0 of a: necessary\n  a must at least be a string other than \"\"\n  \
         m/variables.tf:4:32: a call of `md5`\n0 exact, 1 necessary, 0 untranslated\n"
    );
    let output = terraschema(&system, "-i m --stdout --report=json");
    let report: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(report["summary"]["necessary"], 1);
    assert_eq!(report["rules"][0]["reasons"][0]["location"], "m/variables.tf:4:32");
    assert_eq!(report["rules"][0]["meaning"], "a string other than \"\"");
}

#[test]
fn the_report_says_which_rule_can_never_hold() {
    for (condition, fidelity) in
        [("var.a == 1", "necessary"), ("length(var.a) > 3 && length(var.a) < 2", "exact")]
    {
        let text = format!(
            "variable \"a\" {{\n  type = string\n  validation {{\n    condition = {condition}\n    \
             error_message = \"No.\"\n  }}\n}}\n"
        );
        let system = MemorySystem::new().file("m/variables.tf", text);
        let output = terraschema(&system, "-i m --stdout --report");
        let said = format!(
            "rule 0 of a: {fidelity}\n  no value of a is accepted: the rule can never hold\n"
        );
        assert!(output.stderr.contains(&said), "{}", output.stderr);
        let output = terraschema(&system, "-i m --stdout --report=json");
        let report: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
        assert_eq!(report["rules"][0]["meaning"], "nothing");
    }
}
