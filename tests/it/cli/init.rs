//! `terraschema init`: what it finds, what it writes, and that it writes nothing over.

use std::ffi::OsString;

use terraschema::{
    cli::{Console, Exit, run},
    system::{MemorySystem, System},
};

const MODULE: &str = r#"
variable "name" {
  description = "<name>"
  type        = string
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size < 10 && var.size > 0
    error_message = "No."
  }
}
"#;

fn terraschema(system: &MemorySystem, arguments: &str) -> (Exit, String) {
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words.map(OsString::from).collect(), system, &mut console);
    drop(console);
    (exit, String::from_utf8([stdout, stderr].concat()).unwrap())
}

fn configuration(system: &MemorySystem) -> String {
    String::from_utf8(system.read(".terraschema.hcl".as_ref()).unwrap()).unwrap()
}

#[test]
fn it_shows_modules_schemas_and_values_files() {
    let system = MemorySystem::new()
        .file("a/main.tf", MODULE)
        .file("a/envs/prod.tfvars", "name = \"\"\n")
        .file("b/main.tf", MODULE)
        .file("c/outputs.tf", "output \"x\" {\n  value = 1\n}\n");
    terraschema(&system, "check --fix a");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(
        text.contains("a: 2 variables, schema.json, up to date with default options"),
        "{text}"
    );
    assert!(text.contains("values: a/envs/prod.tfvars"), "{text}");
    assert!(text.contains("b: 2 variables, no schema"), "{text}");
    assert!(!text.contains("  c:"), "{text}");
    assert!(text.contains("- id: terraschema-check"), "{text}");
    assert!(text.contains("uses: terraschema/terraschema@"), "{text}");
    assert_eq!(terraschema(&system, "check a").0, Exit::Clean, "{}", configuration(&system));
}

#[test]
fn the_options_of_committed_schemas_are_found() {
    let cases = [
        ("", ""),
        ("--nullable-all", "nullable_all = true"),
        ("--require-all", "require_all = true"),
        ("--disallow-additional-properties --require-all", "disallow_additional_properties = true"),
        ("--escape-json", "escape_json = true"),
        ("--conditions none", "conditions = \"none\""),
        ("--annotations --property title=T", "annotations = true"),
        ("--draft 2020-12 --require-all", "draft = \"2020-12\""),
        ("--ignore-variable size", "ignore_variables = [\"size\"]"),
        (
            "--property $id=x/${y} --property title=T",
            "properties = { \"$id\" = \"x/$${y}\", \"title\" = \"T\" }",
        ),
        ("-o m/inputs.schema.json", "file = \"inputs.schema.json\""),
    ];
    for (flags, expected) in cases {
        let system = MemorySystem::new().file("m/main.tf", MODULE);
        let output = if flags.contains("-o ") { "" } else { "-o m/schema.json" };
        let (exit, text) = terraschema(&system, &format!("-i m {output} {flags}"));
        assert_eq!(exit, Exit::Clean, "{text}");
        let (exit, text) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{text}");
        assert!(text.contains("up to date"), "{flags}: {text}");
        assert!(configuration(&system).contains(expected), "{flags}: {}", configuration(&system));
        let (exit, text) = terraschema(&system, "check");
        assert_eq!(exit, Exit::Clean, "{flags}: {text}");
    }
}

#[test]
fn most_schemas_decide() {
    let system = MemorySystem::new()
        .file("a/main.tf", MODULE)
        .file("b/main.tf", MODULE)
        .file("c/main.tf", MODULE);
    terraschema(&system, "-i a -o a/schema.json --nullable-all");
    terraschema(&system, "-i b -o b/schema.json --nullable-all");
    terraschema(&system, "-i c -o c/schema.json --require-all");
    terraschema(&system, "init");
    assert!(configuration(&system).contains("nullable_all = true"));
    assert!(!configuration(&system).contains("require_all"));
}

#[test]
fn a_stale_schema_shows_its_nearest_options() {
    let system = MemorySystem::new().file("m/main.tf", MODULE);
    terraschema(&system, "-i m -o m/schema.json --nullable-all");
    let system = system.file("m/main.tf", MODULE.replace("<name>", "Another."));
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("schema.json, 1 difference, nearest with nullable_all = true"), "{text}");
}

#[test]
fn the_documents_show_the_snippets_that_it_prints() {
    #[allow(clippy::disallowed_methods)] // The documents are no part of any layer.
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let hooks = read("hooks/pre-commit-config.yaml");
    for page in ["README.md", "docs/configuration.md"] {
        assert!(read(page).contains(&hooks), "{page}");
        let uses = read("hooks/workflow.yml");
        let uses = uses.lines().find(|it| it.contains("terraschema@")).unwrap().trim();
        assert!(read(page).contains(uses), "{page}");
    }
}

#[test]
fn nothing_is_written_over() {
    let system = MemorySystem::new().file("m/main.tf", MODULE).file(".terraschema.hcl", "# mine\n");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Failure);
    assert!(text.contains("m: 2 variables"), "it still shows what it found: {text}");
    assert!(text.contains("exists and is left as it is"), "{text}");
    assert_eq!(configuration(&system), "# mine\n");
    let (exit, text) = terraschema(&MemorySystem::new(), "init");
    assert_eq!((exit, text.contains("no module")), (Exit::Failure, true), "{text}");
}
