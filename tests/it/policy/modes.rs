//! Plans of real Terraform and the configurations for them: both modes agree, and what a plan knows is mostly known
//! before it. Recorded plans are next to their modules in `tests/data/policy/modes`; `tests/outside/policy` plans
//! modules of random expressions.

use std::{fs, path::Path, sync::Arc};

use module::inputs::InputRequest;
use policy::{Asked, GivenContexts, GovernedModule, Judged, plan};
use release::Wanted;
use serde_json::Value;
use system::OsSystem;
use tf_eval::Meter;

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
    let (policy, problems) = policy::read(files, &GivenContexts::default(), meter);
    assert_eq!(problems.len(), 0, "{problems:#?}");
    policy
}

/// Judges the configuration in a directory with its own values files.
pub fn of_configuration(dir: &Path, rules: &str) -> Judged {
    let meter = Meter::default();
    let policy = read(rules, &meter);
    let mut configuration =
        GovernedModule::read(&OsSystem, dir, Wanted::default(), &meter).unwrap();
    let request = InputRequest { dir: dir.to_owned(), auto_files: true, ..InputRequest::default() };
    configuration.judge(&policy, &request)
}

/// Judges a plan, with its sources where they are given.
pub fn of_plan(plan: &str, source: Option<&Path>, rules: &str) -> Judged {
    let meter = Meter::default();
    let policy = read(rules, &meter);
    let asked = Asked::new(&policy);
    let plan = plan::read(plan.as_bytes(), &asked).unwrap();
    match source {
        None => policy::judge(&policy, &plan, &meter),
        Some(dir) => GovernedModule::read(&OsSystem, dir, Wanted::default(), &meter)
            .unwrap()
            .judge_plan(&policy, &plan),
    }
}

/// `error is-1`, `warning not-2`, …
fn said(judged: &Judged) -> Vec<String> {
    assert_eq!(judged.failures, Vec::<String>::new());
    let one = |it: &diagnostics::Finding| {
        let id = it.rule.as_str().trim_start_matches("policy/");
        format!("{} {id}", it.level.as_str())
    };
    judged.findings.iter().map(one).collect()
}

/// Asserts that both modes agree on everything that a plan knows. Returns how many values the configuration shows, and
/// how many the plan shows.
pub fn agree(dir: &Path, plan: &str) -> (usize, usize) {
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
        let wanted = format!("A plan does not contain {what}");
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
        let one = |it: &diagnostics::Finding| {
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
