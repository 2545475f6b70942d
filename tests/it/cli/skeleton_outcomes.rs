//! `terraschema skeleton` is never silent: what `validate` rejects, it has named.

use std::path::Path;

use check::ReadModule;
use compat::ModuleContract;
use diagnostics::Verdict;
use release::{Release, Wanted};
use skeleton::{SkeletonForm, SkeletonRequest, WORK};
use system::MemorySystem;
use terraschema::Exit;
use testkit::random::Random;
use tf_eval::{Limits, Meter};

use super::terraschema;

/// How many modules are generated.
const MODULES: usize = 120;

/// The part of a skeleton's output that is a values file, and what standard error has.
fn parts(text: &str) -> (&str, &str) {
    let said = ["Error: ", "Warning: ", "Info: "];
    let at = text.split_inclusive('\n').scan(0, |at, line| {
        let begin = *at;
        *at += line.len();
        Some((begin, line))
    });
    let first =
        at.filter(|it| said.iter().any(|kind| it.1.starts_with(kind))).map(|it| it.0).next();
    text.split_at(first.unwrap_or(text.len()))
}

/// Writes a skeleton of `m` into a values file, and fails unless it named each error that `validate` has with it.
/// Returns the exit codes and what was said.
fn named(system: MemorySystem) -> (Exit, Exit, String) {
    let (exit, text) = terraschema(&system, "skeleton m");
    let (values, said) = parts(&text);
    let system = system.file("skeleton.tfvars", values);
    let arguments = "validate m --var-file skeleton.tfvars --all=false --format concise";
    let (judged, findings) = terraschema(&system, arguments);
    for line in findings.lines().filter(|it| it.contains(": error[")) {
        let (place, _) = line.split_once(": error[").unwrap_or_default();
        let mut parts = place.rsplit(':').skip(1);
        let (number, file) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let file = file.rsplit('/').next().unwrap_or_default();
        let is_missing = line.contains("[failed-validation]") || line.contains("No value for");
        let is_named = said.contains(&format!("{file}:{number}")) || said.contains("more errors");
        assert!(is_named || is_missing && said.contains("no value was found"), "{line}\n{text}");
    }
    if judged != Exit::Clean {
        assert!(said.contains("Error: ") || said.contains("Warning: "), "{findings}\n{text}");
    }
    (exit, judged, said.to_owned())
}

const TYPES: [&str; 8] = [
    "string",
    "number",
    "bool",
    "any",
    "list(string)",
    "map(any)",
    "object({ name = string, size = optional(number) })",
    "map(object({ id = string }))",
];

const DEFAULTS: [&str; 6] = ["", "", "null", "\"absent.txt\"", "\"here.txt\"", "\"a/b\""];

/// What a module may do with a variable; `{}` is one.
const USES: [&str; 20] = [
    "file({})",
    "file(\"${path.module}/${{}}\")",
    "fileexists({}) ? 1 : tonumber(\"x\")",
    "templatefile({}, {})",
    "jsondecode({}).name",
    "{}.name",
    "{}[0]",
    "{}[\"key\"].id",
    "[for it in {} : it.size]",
    "cidrsubnet({}, 8, 300)",
    "split(\"/\", {})[3]",
    "regex(\"^[0-9]{2}q$\", {})",
    "tonumber({})",
    "merge({}, { a = 1 }).a",
    "element({}, 0)",
    "local.table[{}]",
    "lookup({}, \"name\")",
    "nope({})",
    "var.undeclared",
    "one({})",
];

const RULES: [&str; 6] = [
    "length({}) > 3",
    "{} == \"a\" && {} == \"b\"",
    "can(regex(\"^zq[0-9]{3}$\", {}))",
    "file({}) != \"\"",
    "{} != null",
    "contains([\"x\", \"y\"], {})",
];

fn generated(random: &mut Random, depth: usize) -> String {
    let mut text = "locals {\n  table = { s = 1, m = 2 }\n}\n".to_owned();
    for at in 0..=random.below(4) {
        let name = format!("var.v{at}");
        let ty = random.pick(&TYPES);
        text += &format!("variable \"v{at}\" {{\n  type = {ty}\n");
        let default = random.pick(&DEFAULTS);
        if !default.is_empty() && (*default == "null" || matches!(*ty, "string" | "any")) {
            text += &format!("  default = {default}\n");
        }
        if random.chance(30) {
            let condition = random.pick(&RULES).replace("{}", &name);
            text += &format!(
                "  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n"
            );
        }
        text += "}\n";
        if random.chance(70) {
            let used = random.pick(&USES).replace("{}", &name);
            text += &match random.below(3) {
                0 => format!("output \"o{at}\" {{\n  value = {used}\n}}\n"),
                1 => format!("resource \"terraform_data\" \"r{at}\" {{\n  input = {used}\n}}\n"),
                _ => format!("locals {{\n  l{at} = {used}\n}}\n"),
            };
        }
        if depth > 0 && random.chance(30) {
            text += &format!("module \"c{at}\" {{\n  source = \"./inner\"\n  v0 = {name}\n}}\n");
        }
    }
    text
}

#[test]
fn what_validate_rejects_was_named() {
    let (mut rejected, mut accepted) = (0, 0);
    for seed in 0..MODULES {
        let mut random = Random::new(seed as u64);
        let (root, inner) = (generated(&mut random, 1), generated(&mut random, 0));
        let mut system =
            MemorySystem::new().file("m/main.tf", &root).file("m/inner/inner.tf", &inner);
        if random.chance(50) {
            system = system.file("m/here.txt", "{}");
        }
        if random.chance(20) {
            system = system
                .file("m/terraform.tfvars", random.pick(&["v0 = [", "v1 = {}", "v2 = \"\"\n"]));
        }
        let (_, judged, _) = named(system);
        *(if judged == Exit::Clean { &mut accepted } else { &mut rejected }) += 1;
    }
    assert!(rejected > MODULES / 5 && accepted > MODULES / 20, "{rejected} {accepted}");
}

/// An error is named with its place, its text and the variable that it depends on.
#[test]
fn a_rejection_is_named_with_its_place_and_variable() {
    let root = "variable \"id\" {\n  type    = string\n  default = \"a\"\n}\n\
        locals {\n  whole = var.id\n}\noutput \"x\" {\n  value = split(\"/\", local.whole)[99999]\n}\n";
    let (exit, judged, said) = named(MemorySystem::new().file("m/main.tf", root));
    assert_eq!((exit, judged), (Exit::Findings, Exit::Findings), "{said}");
    let said_so = "Error: the module rejects these values: Invalid index: ";
    let place =
        "\n  m/main.tf:9: value = split(\"/\", local.whole)[99999]\n  it depends on \"id\"\n";
    assert!(said.starts_with(said_so) && said.ends_with(place), "{said}");
}

/// Errors of the directory's own files are not a fault of the skeleton, but `validate` has them there.
#[test]
fn errors_of_other_values_files_are_warnings() {
    let root = "variable \"name\" {\n  type = string\n}\nvariable \"size\" {\n  type    = number\n  default = 1\n}\n";
    let system =
        MemorySystem::new().file("m/main.tf", root).file("m/x.auto.tfvars", "size = \"s\"\n");
    let (exit, judged, said) = named(system);
    assert_eq!((exit, judged), (Exit::Clean, Exit::Findings), "{said}");
    assert!(said.contains("TF_VAR_") && said.contains("x.auto.tfvars:1"), "{said}");
}

/// What is said about a value of the file does not show it.
#[test]
fn what_is_said_shows_no_sensitive_value() {
    let root = "variable \"token\" {\n  type      = number\n  sensitive = true\n  validation {\n    \
        condition     = var.token > 9000000\n    error_message = \"Too low.\"\n  }\n}\n\
        variable \"key\" {\n  type      = string\n  sensitive = true\n}\n\
        output \"x\" {\n  sensitive = true\n  value     = tonumber(var.key)\n}\n";
    for values in ["token = 8675309\nkey = \"1\"\n", "token = 9675309\nkey = \"hunter2\"\n"] {
        for flag in ["", " --as json", " --output my.tfvars"] {
            let system = MemorySystem::new().file("m/main.tf", root).file("my.tfvars", values);
            let (exit, text) = terraschema(&system, &format!("skeleton m --from my.tfvars{flag}"));
            assert_eq!(exit, Exit::Findings, "{text}");
            assert!(!text.contains("675309") && !text.contains("hunter"), "{text}");
        }
    }
}

/// A module with many variables that no values make good, whatever they are.
fn hopeless() -> MemorySystem {
    let mut root = String::new();
    for at in 0..60 {
        let (name, default) =
            (format!("v{at}"), if at % 2 == 0 { "" } else { "  default = null\n" });
        root += &format!("variable \"{name}\" {{\n  type = any\n{default}}}\n");
        root += &format!(
            "resource \"terraform_data\" \"{name}\" {{\n  input = [for it in range(500) : \"${{it}}\"]\n  lifecycle {{\n    \
            precondition {{\n      condition     = var.{name} == \"a\" && var.{name} == \"b\" && var.v0 != var.v1\n      \
            error_message = \"Never {name}.\"\n    }}\n  }}\n}}\n"
        );
    }
    MemorySystem::new().file("m/main.tf", &root)
}

#[test]
fn a_search_that_finds_nothing_ends_with_its_work() {
    let system = hopeless();
    let dir = Path::new("m");
    let meter = Meter::default();
    let module =
        ReadModule::read(&system, dir, Wanted::Release(Release::V1_11), Limits::default(), None)
            .unwrap();
    let contract = ModuleContract::load(&system, dir, module.release(), &meter).unwrap();
    let request = SkeletonRequest {
        form: SkeletonForm::Tfvars,
        only_required: false,
        from: None,
        reveals: false,
        contracts: None,
        name: "m",
        source: "./m",
    };
    let found = skeleton::write(&system, &module, &contract, request).unwrap();
    assert_eq!(found.outcome.verdict, Verdict::Reject);
    // One judgement after the last one that began within the bound, and that of the text.
    assert!(found.work > WORK / 100, "{}", found.work);
    assert!(found.work < WORK + WORK / 4, "{}", found.work);
}
