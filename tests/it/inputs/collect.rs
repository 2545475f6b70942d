//! Sources, precedence and places, without a Terraform to ask.

use std::path::Path as FilePath;

use diagnostics::{Diagnostics, Level};
use module::{
    LoadOptions, Module,
    inputs::{self, Collected, InputArgument, InputRequest, InputSource},
};
use release::Release;
use system::MemorySystem;
use tf_eval::Meter;
use tf_value::{Path, Step, Value};

const MODULE: &str = r#"
variable "a" {
  default = "d"
}
variable "o" {
  type    = any
  default = null
}
variable "secret" {
  type      = list(string)
  default   = []
  sensitive = true
}
"#;

fn collect(system: MemorySystem, arguments: &[InputArgument]) -> (Module, Collected, Diagnostics) {
    let system = system.file("/m/main.tf", MODULE);
    let (mut module, problems) =
        module::load(&system, FilePath::new("/m"), &LoadOptions::default()).unwrap();
    assert_eq!(problems, []);
    let request = InputRequest {
        dir: "/m".into(),
        environment: true,
        auto_files: true,
        arguments: arguments.to_vec(),
    };
    let (layers, mut diagnostics) =
        inputs::read(&system, &mut module.sources, &request, module.release);
    let (collected, problems) =
        inputs::collect(&module.variables, layers, Release::V1_11, &Meter::default());
    diagnostics.extend(problems);
    diagnostics.extend(inputs::without_value(&module.variables, &collected).map(inputs::missing));
    (module, collected, diagnostics)
}

#[track_caller]
fn winner(system: MemorySystem, arguments: &[InputArgument], expected: &str, origin: &InputSource) {
    let (_, collected, diagnostics) = collect(system, arguments);
    assert_eq!(diagnostics, []);
    assert_eq!(collected["a"].value, Value::string(expected));
    assert_eq!(collected["a"].origin, *origin);
}

#[test]
fn later_sources_win() {
    let file = |path: &str| InputSource::File(path.to_owned());
    let system = || MemorySystem::new().with_env("TF_VAR_a", "env");
    winner(system(), &[], "env", &InputSource::Environment("TF_VAR_a".into()));
    let named = || system().file("/m/terraform.tfvars", "a = \"named\"");
    winner(named(), &[], "named", &file("/m/terraform.tfvars"));
    let json = || named().file("/m/terraform.tfvars.json", r#"{"a":"json"}"#);
    winner(json(), &[], "json", &file("/m/terraform.tfvars.json"));
    let auto = || {
        json()
            .file("/m/B.auto.tfvars", "a = \"B\"")
            .file("/m/b.auto.tfvars.json", r#"{"a":"b json"}"#)
            .file("/m/b.auto.tfvars", "a = \"b\"")
            .file("/m/9.auto.tfvars", "a = \"9\"")
            .file("/m/extra.tfvars", "a = \"extra\"")
    };
    winner(auto(), &[], "b json", &file("/m/b.auto.tfvars.json"));
    let option = InputArgument::Value("a=option".into());
    let extra = InputArgument::File("extra.tfvars".into());
    winner(auto(), std::slice::from_ref(&option), "option", &InputSource::CommandLine);
    winner(auto(), &[option.clone(), extra.clone()], "extra", &file("/m/extra.tfvars"));
    winner(auto(), &[extra, option], "option", &InputSource::CommandLine);
}

#[test]
fn undeclared_names_count_by_their_source() {
    let system = MemorySystem::new()
        .with_env("TF_VAR_x", "1")
        .file("/m/terraform.tfvars", "secrets = 1\nbad = upper(\"x\")\n");
    let option = InputArgument::Value("y=1".into());
    let (_, _, diagnostics) = collect(system, &[option]);
    let found: Vec<_> = diagnostics
        .iter()
        .map(|it| (it.rule.as_str(), it.level(), it.variable.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("undeclared-variable", Level::Warning, Some("secrets")),
            ("undeclared-variable", Level::Error, Some("y")),
        ]
    );
    assert_eq!(diagnostics[0].help.as_deref(), Some("Did you mean \"secret\"?"));
}

/// As Terraform words it, which knows declarations from other blocks.
#[test]
fn blocks_have_no_place_in_values() {
    let file = "variable \"a\" {}\nlocals {}\n";
    let (_, _, diagnostics) = collect(MemorySystem::new().file("/m/terraform.tfvars", file), &[]);
    let found: Vec<_> = diagnostics.iter().map(|it| it.summary.as_str()).collect();
    assert_eq!(found, ["Variable declaration in .tfvars file", "Unexpected \"locals\" block"]);
}

#[test]
fn a_sensitive_value_is_not_shown() {
    let file = "secret = [hunter2]\n";
    let (module, _, diagnostics) =
        collect(MemorySystem::new().file("/m/terraform.tfvars", file), &[]);
    assert_eq!(diagnostics.len(), 1);
    let shown = format!("{:?}", diagnostics[0]);
    assert!(!shown.contains("hunter2"), "{shown}");
    let span = diagnostics[0].span().unwrap();
    assert_eq!(module.sources.snippet(span), "variable \"secret\"");
}

#[test]
fn places_are_found_in_both_syntaxes() {
    let json = r#"{"o": {"x": [1, {"y z": true}]}}"#;
    let system = MemorySystem::new().file("/m/terraform.tfvars.json", json);
    located(system, "{\"y z\": true}", None, &["x", "1"]);
    let system = MemorySystem::new().file("/m/terraform.tfvars.json", json);
    located(system, "true", Some("\"y z\""), &["x", "1", "y z"]);
    let hcl = "o = { x = [1, ({ \"y z\" : true })] }\n";
    let system = MemorySystem::new().file("/m/terraform.tfvars", hcl);
    located(system, "true", Some("\"y z\""), &["x", "1", "y z"]);
    let system = MemorySystem::new().file("/m/terraform.tfvars", hcl);
    located(system, "1", None, &["x", "0"]);
}

#[track_caller]
fn located(system: MemorySystem, value: &str, key: Option<&str>, steps: &[&str]) {
    let (module, collected, _) = collect(system, &[]);
    let step = |it: &&str| match it.parse() {
        Ok(index) => Step::Index(Value::int(index)),
        Err(_) => Step::Attribute((*it).into()),
    };
    let place = collected["o"].locate(&Path(steps.iter().map(step).collect()));
    assert!(place.is_exact);
    assert_eq!(module.sources.snippet(place.value), value);
    assert_eq!(place.key.map(|it| module.sources.snippet(it).into_owned()).as_deref(), key);
}

#[test]
fn a_path_that_is_not_written_out_ends_at_what_is() {
    let hcl = "o = { x = [for it in [1] : it] }\n";
    let (module, collected, _) = collect(MemorySystem::new().file("/m/terraform.tfvars", hcl), &[]);
    let path = Path(vec![Step::Attribute("x".into()), Step::Index(Value::int(0))]);
    let place = collected["o"].locate(&path);
    assert!(!place.is_exact);
    assert_eq!(module.sources.snippet(place.value), "[for it in [1] : it]");
}
