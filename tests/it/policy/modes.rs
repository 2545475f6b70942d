//! Plans of real Terraform and what is written for them: both modes agree, and what a plan knows is mostly
//! known before it. Recorded plans lie beside their modules in `tests/data/policy/modes`; where `terraform`
//! is found, modules of random expressions are planned and judged, too (`TERRASCHEMA_SEED`).

use std::{fs, path::Path, process::Command, sync::Arc};

use serde_json::Value;
use terraschema::{
    eval::Meter,
    inputs::Request,
    policy::{self, Asked, Configuration, Given, Judged, plan},
    system::OsSystem,
};

use crate::{eval::generate::Random, program::Program};

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/policy/modes");

/// A value that a plan knows: whose, where in the argument, and what it is.
struct Leaf {
    address: String,
    argument: &'static str,
    path: String,
    value: Value,
}

impl Leaf {
    /// What it equals, as an expression over `self`.
    fn equals(&self) -> String {
        let Leaf { path, value, .. } = self;
        match value {
            Value::Array(_) | Value::Object(_) => format!("length(self{path}) == 0"),
            it => format!("self{path} == {}", literal(it)),
        }
    }

    fn rule(&self, number: usize) -> String {
        let (address, argument) = (literal(&self.address.as_str().into()), self.argument);
        let rule = |id: &str, condition: String| {
            format!(
                "rule \"{id}-{number}\" {{\n  when = {{ addresses = [{address}] }}\n  \
                 resource \"terraform_data\" {{\n    {argument} = {condition}\n  }}\n}}\n"
            )
        };
        if self.value.is_null() && self.path.is_empty() {
            return rule("is", "forbidden".to_owned()) + &rule("not", "required".to_owned());
        }
        rule("is", format!("optional({})", self.equals()))
            + &rule("not", format!("all(required, !({}))", self.equals()))
    }
}

fn literal(value: &Value) -> String {
    value.to_string().replace("${", "$${").replace("%{", "%%{")
}

/// Everything that a plan knows of the arguments of `terraform_data`.
fn leaves(plan: &Value) -> Vec<Leaf> {
    let mut found = Vec::new();
    for change in plan["resource_changes"].as_array().unwrap() {
        let (after, unknown) = (&change["change"]["after"], &change["change"]["after_unknown"]);
        for argument in ["input", "triggers_replace"] {
            let at = (change["address"].as_str().unwrap(), argument);
            add(at, String::new(), &after[argument], &unknown[argument], &mut found);
        }
    }
    found
}

fn add(
    at: (&str, &'static str),
    path: String,
    value: &Value,
    unknown: &Value,
    found: &mut Vec<Leaf>,
) {
    match value {
        _ if *unknown == Value::Bool(true) => (),
        Value::Object(all) if !all.is_empty() => {
            for (name, value) in all {
                let key = literal(&name.as_str().into());
                add(at, format!("{path}[{key}]"), value, &unknown[name], found);
            }
        }
        Value::Array(all) if !all.is_empty() => {
            for (index, value) in all.iter().enumerate() {
                add(at, format!("{path}[{index}]"), value, &unknown[index], found);
            }
        }
        _ => {
            let (address, value) = (at.0.to_owned(), value.clone());
            found.push(Leaf { address, argument: at.1, path, value });
        }
    }
}

fn read(rules: &str, meter: &Meter) -> policy::Policy {
    let files = vec![("a.rules.hcl".to_owned(), Arc::from(rules.as_bytes()))];
    let (policy, problems) = policy::read(files, &Given::default(), meter);
    assert_eq!(problems.len(), 0, "{problems:#?}");
    policy
}

/// Judges the configuration in a directory with its own values files.
pub fn of_configuration(dir: &Path, rules: &str) -> Judged {
    let meter = Meter::default();
    let policy = read(rules, &meter);
    let mut configuration = Configuration::read(&OsSystem, dir, &meter).unwrap();
    let request = Request { dir: dir.to_owned(), auto_files: true, ..Request::default() };
    configuration.judge(&policy, &request)
}

/// Judges a plan, with its sources where they are given.
pub fn of_plan(plan: &str, source: Option<&Path>, rules: &str) -> Judged {
    let meter = Meter::default();
    let policy = read(rules, &meter);
    let asked = Asked::new(&policy);
    let plan = plan::read(plan.as_bytes(), &|is_data, ty| asked.wants(is_data, ty)).unwrap();
    match source {
        None => policy::judge(&policy, &plan, &meter),
        Some(dir) => {
            Configuration::read(&OsSystem, dir, &meter).unwrap().judge_plan(&policy, &plan)
        }
    }
}

/// `error is-1`, `warning not-2`, …
fn said(judged: &Judged) -> Vec<String> {
    assert_eq!(judged.failures, Vec::<String>::new());
    let one = |it: &terraschema::diagnostic::Finding| {
        let id = it.rule.as_str().trim_start_matches("policy/");
        format!("{} {id}", it.level.as_str())
    };
    judged.findings.iter().map(one).collect()
}

/// Asserts that both modes agree on everything that a plan knows. Returns how many values the configuration
/// tells, and how many the plan.
fn agree(dir: &Path, plan: &str) -> (usize, usize) {
    let leaves = leaves(&serde_json::from_str(plan).unwrap());
    let rules: String = leaves.iter().enumerate().map(|(at, it)| it.rule(at)).collect();
    let planned = said(&of_plan(plan, None, &rules));
    let expected: Vec<String> = (0..leaves.len()).map(|it| format!("error not-{it}")).collect();
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    assert_eq!(sorted(planned), sorted(expected.clone()), "the plan itself");
    let sourced = said(&of_plan(plan, Some(dir), &rules));
    assert_eq!(sorted(sourced), sorted(expected), "the plan with its sources");
    let written = said(&of_configuration(dir, &rules));
    let mut known = 0;
    for (at, leaf) in leaves.iter().enumerate() {
        let [is, not] = ["is", "not"].map(|id| {
            let end = format!(" {id}-{at}");
            let found = written.iter().find(|it| it.ends_with(&end));
            found.map_or("pass", |it| it.split(' ').next().unwrap())
        });
        let Leaf { address, argument, path, value } = leaf;
        let what = format!("{address}: {argument}{path} is {value}");
        assert!(
            matches!((is, not), ("pass", "error") | ("warning", "warning")),
            "{what}: {is} {not}"
        );
        if is == "pass" {
            known += 1;
        } else {
            eprintln!("not known before the plan: {what}");
        }
    }
    (known, leaves.len())
}

#[test]
fn both_modes_agree_on_recorded_plans() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let (known, all) = agree(&dir, &plan);
    eprintln!("a configuration tells {known} of the {all} values that the plan knows");
    assert!(all >= 80 && known * 10 >= all * 9, "{known} of {all}");
}

/// Plans a module's directory; `None` where Terraform refuses it.
fn planned(program: &Program, dir: &Path) -> Option<String> {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program.path);
        command.args(arguments).current_dir(dir).env("TF_CLI_CONFIG_FILE", dir.join("empty.tfrc"));
        let output = command.output().unwrap();
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        }
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    fs::write(dir.join("empty.tfrc"), "").unwrap();
    run(&["init", "-backend=false", "-no-color"])?;
    run(&["plan", "-out=plan.bin", "-no-color", "-input=false"])?;
    run(&["show", "-json", "plan.bin"])
}

#[test]
fn both_modes_agree_on_plans_of_random_modules() {
    let Some(program) = Program::recorded() else {
        return eprintln!("LEFT OUT: no terraform to plan random modules");
    };
    let seed = std::env::var("TERRASCHEMA_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let mut random = Random::new(seed);
    let (mut known, mut all) = (0, 0);
    for _ in 0..3 {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in written(&mut random) {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let main = fs::read_to_string(dir.path().join("main.tf")).unwrap();
        let plan = planned(&program, dir.path()).unwrap_or_else(|| panic!("{main}"));
        let (told, planned) = agree(dir.path(), &plan);
        (known, all) = (known + told, all + planned);
    }
    eprintln!("seed {seed}: a configuration tells {known} of the {all} values that plans know");
    assert!(known * 10 >= all * 9, "{known} of {all}");
}

/// A module that calls another, with random expressions in the arguments of both.
fn written(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut main = String::from(
        "variable \"a\" {\n  default = \"x\"\n}\nvariable \"n\" {\n  default = 2\n}\nlocals {\n  \
         list = [\"p\", var.a, \"q\"]\n  map = { k = var.a, l = \"m\" }\n}\nresource \"terraform_data\" \
         \"base\" {\n  input = \"base\"\n}\n",
    );
    for at in 0..12 {
        let (repetition, key) = match random.below(4) {
            0 => ("  count = var.n\n", "count.index"),
            1 => ("  for_each = local.map\n", "each.value"),
            2 => ("  for_each = toset(local.list)\n", "each.key"),
            _ => ("", "var.n"),
        };
        let value = expression(random, 3, key);
        main +=
            &format!("resource \"terraform_data\" \"r{at}\" {{\n{repetition}  input = {value}\n");
        main += &format!("  triggers_replace = {}\n}}\n", expression(random, 2, key));
    }
    for at in 0..3 {
        let value = expression(random, 2, "var.n");
        main += &format!(
            "module \"m{at}\" {{\n  source = \"./child\"\n  count = {at}\n  given = {value}\n}}\n"
        );
        main += &format!("resource \"terraform_data\" \"o{at}\" {{\n  input = module.m{at}\n}}\n");
    }
    let inner = expression(random, 2, "var.given");
    let child = format!(
        "variable \"given\" {{}}\nvariable \"a\" {{\n  default = \"y\"\n}}\nvariable \"n\" {{\n  default = 1\n}}\n\
         locals {{\n  list = [\"c\"]\n  map = {{ l = \"e\" }}\n}}\nresource \"terraform_data\" \"base\" {{}}\n\
         resource \"terraform_data\" \"inner\" {{\n  input = {inner}\n}}\noutput \"given\" {{\n  \
         value = [var.given, terraform_data.inner.input]\n}}\n"
    );
    vec![("main.tf", main), ("child/main.tf", child)]
}

fn expression(random: &mut Random, depth: u32, key: &str) -> String {
    if depth == 0 {
        let leaves = [
            "\"text\"",
            "1.5",
            "true",
            "null",
            "var.a",
            "var.n",
            "local.list",
            "local.map",
            key,
            "terraform_data.base.id",
            "terraform_data.base.input",
            "local.list[0]",
            "local.map.l",
        ];
        return leaves[random.below(leaves.len())].to_owned();
    }
    let mut inner = || expression(random, depth - 1, key);
    let (one, other) = (inner(), inner());
    match random.below(11) {
        0 => format!("[{one}, {other}]"),
        1 => format!("{{ one = {one}, other = {other} }}"),
        2 => format!("var.n > 1 ? [{one}] : [{one}]"),
        3 => format!("merge({{ a = {one} }}, {{ b = {other} }})"),
        4 => format!("[for it in [{one}, {other}] : it]"),
        5 => format!("{{ for name, it in {{ x = {one}, y = {other} }} : upper(name) => it }}"),
        6 => format!("try({one}, {other})"),
        7 => format!("length([{one}, {other}])"),
        8 => format!("concat([{one}], [{other}])"),
        9 => format!("jsonencode({one})"),
        _ => format!("[{one}][0]"),
    }
}

#[test]
fn what_only_sources_tell_is_an_error_beside_a_plan_alone() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    for (block, what) in [
        ("resource \"terraform_data\" {\n    lifecycle {}\n  }", "lifecycle"),
        ("resource \"terraform_data\" {\n    for_each = forbidden\n  }", "for_each"),
        ("module \"*\" {\n    count = forbidden\n  }", "count"),
        ("ephemeral \"*\" {}", "ephemeral blocks"),
        ("terraform {}", "terraform blocks"),
    ] {
        let rules = format!("rule \"r\" {{\n  {block}\n}}\n");
        let found = of_plan(&plan, None, &rules).findings;
        let wanted = format!("A plan does not tell {what}");
        let errors: Vec<_> =
            found.iter().filter(|it| it.rule.as_str() == "invalid-configuration").collect();
        assert!(errors.len() == 1 && errors[0].message == wanted, "{found:#?}");
        let help = errors[0].help.as_deref().unwrap_or_default();
        assert!(help.contains("--config") && help.contains("--source"), "{help}");
    }
}

#[test]
fn sources_tell_what_a_plan_leaves_out() {
    let dir = Path::new(MODULES).join("values");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let rules = r#"
rule "partly" {
  when = { addresses = ["terraform_data.reference"] }
  resource "terraform_data" {
    input = { plain = "other", id = "i" }
    lifecycle = forbidden
  }
}
rule "link" {
  when = { addresses = ["module.network[\"a\"].module.subnet"] }
  resource "terraform_data" {
    input = { vpc = reference("terraform_data", { input = { name = "prod-b" } }) }
  }
}
rule "keys" {
  when = { addresses = ["terraform_data.set", "terraform_data.counted"] }
  resource "terraform_data" {
    for_each = forbidden
  }
}
rule "settings" {
  terraform {
    required_version = required
  }
  module "network" {
    for_each = forbidden
    size     = 1
  }
  module "subnet" {
    count = forbidden
  }
  variable "env" {
    nullable = false
    value    = "dev"
  }
  output "id" {
    depends_on = required
  }
}
"#;
    let found = of_plan(&plan, Some(&dir), rules).findings;
    let mut said: Vec<String> = found
        .iter()
        .map(|it| {
            let place = &it.locations[0];
            let file = place.file.rsplit('/').next().unwrap();
            format!("{} {file}:{}:{}: {}", it.level.as_str(), place.line, place.column, it.message)
        })
        .collect();
    said.sort();
    assert_eq!(
        said,
        [
            "error main.tf:113:5: terraform_data.reference (create): input.plain: expected \"other\", found \"kept\"",
            "error main.tf:123:3: module.network: for_each: expected forbidden, found {\"a\":1,\"b\":2}",
            "error main.tf:139:1: output.id (create): depends_on: expected required, found nothing (null)",
            "error main.tf:15:5: module.network[\"a\"].module.subnet[0].terraform_data.subnet (create): input.vpc: expected \
             reference(\"terraform_data\", { input = { name = \"prod-b\" } }), found terraform_data.vpc, whose input.name is \"prod-a\"",
            "error main.tf:1:1: terraform: required_version: expected required, found nothing (null)",
            "error main.tf:29:3: module.network[\"a\"].module.subnet: count: expected forbidden, found 1",
            "error main.tf:29:3: module.network[\"b\"].module.subnet: count: expected forbidden, found 2",
            "error main.tf:3:1: var.env: nullable: expected false, found nothing (null)",
            "error main.tf:3:1: var.env: value: expected \"dev\", found \"prod\"",
            "error main.tf:89:3: terraform_data.set[\"http\"] (create): for_each: expected forbidden, found [\"http\"]",
            "warning main.tf:108:5: terraform_data.reference (create): input.id: cannot be decided yet: expected \"i\", and it is \
             known after apply",
            "warning main.tf:125:3: module.network: size: cannot be decided yet: expected 1, and it is known after apply",
        ]
    );
}

#[test]
fn references_are_the_same_in_every_mode() {
    let rules = r#"
rule "protected" {
  resource "terraform_data" {
    where {
      input = any("bucket", "inner")
    }
  }
  needs "terraform_data" {
    input            = "block"
    triggers_replace = subject
  }
}
rule "to-buckets" {
  resource "terraform_data" {
    where {
      input = "block"
    }
    triggers_replace = reference("terraform_data", { input = "bucket" })
  }
}
rule "to-keys" {
  resource "terraform_data" {
    where {
      input = "block"
    }
    triggers_replace = reference("terraform_data", { input = string({ condition = meta.key == "b.c" }) })
  }
}
"#;
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/policy/needs");
    let plan = fs::read_to_string(dir.join("plan.json")).unwrap();
    let outcomes = |judged: &Judged| {
        let one = |it: &terraschema::diagnostic::Finding| {
            (it.rule.as_str().to_owned(), it.address.to_string(), it.level.as_str())
        };
        let mut found: Vec<_> = judged.findings.iter().map(one).collect();
        found.sort();
        found
    };
    let planned = outcomes(&of_plan(&plan, None, rules));
    assert!(planned.iter().any(|it| it.2 == "error") && planned.iter().any(|it| it.2 == "warning"));
    assert_eq!(outcomes(&of_plan(&plan, Some(&dir), rules)), planned);
    assert_eq!(outcomes(&of_configuration(&dir, rules)), planned);
}
