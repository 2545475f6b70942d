//! Plans of real Terraform and the configurations for them: both modes agree, and what a plan knows is mostly known
//! before it. Recorded plans are next to their modules in `tests/data/policy/modes`; `tests/outside/policy` plans
//! modules of random expressions.

use std::{path::Path, sync::Arc};

use module::inputs::InputRequest;
use policy::{Asked, GivenContexts, GovernedModule, Judged, plan};
use release::Wanted;
use serde_json::Value;
use system::OsSystem;
use tf_eval::Meter;

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
