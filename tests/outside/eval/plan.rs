//! Random expressions over unknown variables, ours against a plan of a real Terraform: the errors
//! that it finds, and what it knows about the values anyway.
//!
//! The expressions are in a child module whose variables are given values that only an apply knows.
//! `TERRASCHEMA_PLAN_DIFFERENTIAL=5000` asks for a long round, `TERRASCHEMA_SEED` for the same
//! again, `ORACLE_TERRAFORM` another release.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::PathBuf,
};

use testkit::{
    eval::{
        json::Json,
        ours::{PlanOutcome, Prelude, plan_text},
        terraform::{BUILT_IN_PROVIDER, Terraform},
    },
    missing::{MissingProgram, trials},
};

use super::{differential::prelude, generate::Generator};

trials![random_expressions_agree_in_a_plan,];

const SHORT_ROUND: usize = 200;
const CHUNK: usize = 200;
/// A round removes what failed; more rounds than there are stages of errors mean a bug here.
const MAX_ROUNDS: usize = 100;
/// These depend on the module's directory, or on the time of the plan.
const NOT_COMPARED: [&str; 4] = ["path.", "fileset", "abspath", "plantimestamp"];

fn random_expressions_agree_in_a_plan() -> Result<(), MissingProgram> {
    let prelude = prelude();
    let terraform = Terraform::asked(&prelude).ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_PLAN_DIFFERENTIAL").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1) as u64;
    let release = terraform.release();
    eprintln!(
        "{release}: {size} expressions, seed {seed} (TERRASCHEMA_PLAN_DIFFERENTIAL, TERRASCHEMA_SEED)"
    );
    let plan = Plan::new(&terraform, &prelude);
    let variables = Prelude::parse(&prelude).working_in(&plan.directory);
    let mut generator = Generator::new(seed).of_program(terraform.program());
    let mut texts = Vec::new();
    while texts.len() < size {
        let (text, _) = generator.next();
        let is_left_out = NOT_COMPARED.iter().any(|it| text.contains(it));
        if !is_left_out && plan_text(&text, &variables, release) != PlanOutcome::Infinite {
            texts.push(text);
        }
    }
    let expected: Vec<PlanOutcome> = texts.chunks(CHUNK).flat_map(|it| plan.evaluate(it)).collect();
    let mut wrong = Vec::new();
    for (text, expected) in texts.iter().zip(&expected) {
        let actual = plan_text(text, &variables, release);
        if *expected != actual {
            wrong.push(format!("> {text}\n  terraform {expected:?}\n  ours      {actual:?}\n"));
        }
    }
    let known = expected.iter().filter(|it| matches!(it, PlanOutcome::Value(_))).count();
    eprintln!("{known} of {size} have a value, {} disagree", wrong.len());
    assert!(
        wrong.is_empty(),
        "seed {seed}: {} of {size} disagree\n{}",
        wrong.len(),
        wrong.concat()
    );
    Ok(())
}

/// A root module that gives the child `m` its variables, and shows its outputs.
struct Plan<'a> {
    terraform: &'a Terraform,
    directory: PathBuf,
}

impl<'a> Plan<'a> {
    fn new(terraform: &'a Terraform, prelude: &str) -> Plan<'a> {
        let directory = terraform.plan_directory();
        fs::create_dir_all(directory.join("m")).expect("a directory");
        fs::write(directory.join("m/zz_prelude.tf"), prelude).expect("the variables");
        let provider = directory.join("m/zz_provider.tf");
        fs::write(provider, BUILT_IN_PROVIDER).expect("the provider");
        let names =
            prelude.lines().filter_map(|it| it.strip_prefix("variable \"")?.split('"').next());
        let arguments: String =
            names.map(|it| format!("  {it} = jsondecode(timestamp())\n")).collect();
        let root = format!("module \"m\" {{\n  source = \"./m\"\n{arguments}}}\n");
        fs::write(directory.join("main.tf"), root).expect("the root module");
        let modules = directory.join(".terraform/modules");
        fs::create_dir_all(&modules).expect("a directory");
        let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"./m","Dir":"m"}]}"#;
        fs::write(modules.join("modules.json"), manifest).expect("the manifest");
        Plan { terraform, directory }
    }

    /// What each expression gives, in order.
    fn evaluate(&self, expressions: &[String]) -> Vec<PlanOutcome> {
        let mut done: BTreeMap<usize, PlanOutcome> = BTreeMap::new();
        let mut live: BTreeSet<usize> = (0..expressions.len()).collect();
        for (index, text) in expressions.iter().enumerate() {
            let inner = format!(
                "locals {{\n  e{index} = {text}\n}}\noutput \"e{index}\" {{\n  value = [local.e{index}]\n}}\n"
            );
            let outer = format!(
                "output \"e{index}\" {{\n  sensitive = true\n  value = module.m.e{index}\n}}\n"
            );
            fs::write(self.directory.join(format!("m/e{index}.tf")), inner).expect("an expression");
            fs::write(self.directory.join(format!("e{index}.tf")), outer).expect("an output");
        }
        for _ in 0..MAX_ROUNDS {
            if live.is_empty() {
                break;
            }
            let failed = self.terraform.plan();
            if failed.is_empty() {
                done.extend(self.outputs(&live));
                std::mem::take(&mut live).into_iter().for_each(|it| self.remove(it));
            }
            for index in failed {
                done.insert(index, PlanOutcome::Error);
                live.remove(&index);
                self.remove(index);
            }
        }
        assert!(live.is_empty(), "Terraform did not come to an end");
        done.into_values().collect()
    }

    fn remove(&self, index: usize) {
        for name in [format!("m/e{index}.tf"), format!("e{index}.tf")] {
            fs::remove_file(self.directory.join(name)).expect("an expression's file");
        }
    }

    fn outputs(&self, live: &BTreeSet<usize>) -> Vec<(usize, PlanOutcome)> {
        let shown = self.terraform.shown_plan();
        let changes = shown.get("output_changes").expect("outputs in the plan");
        let outcome = |index: &usize| {
            let change = changes.get(&format!("e{index}")).expect("an output in the plan");
            let value = merged(change.get("after"), change.get("after_unknown"));
            (*index, PlanOutcome::Value(value.items().first().cloned().unwrap_or(value)))
        };
        live.iter().map(outcome).collect()
    }
}

/// A value with a mark where it is not known.
fn merged(value: Option<&Json>, unknown: Option<&Json>) -> Json {
    match (value, unknown) {
        (_, Some(Json::Bool(true))) => PlanOutcome::unknown(),
        (value, Some(Json::Array(unknown))) => {
            let values = value.map(Json::items).unwrap_or_default();
            let count = unknown.len().max(values.len());
            Json::Array((0..count).map(|it| merged(values.get(it), unknown.get(it))).collect())
        }
        (value, Some(Json::Object(unknown))) => {
            let known = match value {
                Some(Json::Object(members)) => members.as_slice(),
                _ => &[],
            };
            let names: BTreeSet<&String> =
                known.iter().chain(unknown).map(|(name, _)| name).collect();
            let of = |members: &[(String, Json)], name: &str| {
                members.iter().find(|(it, _)| it == name).map(|(_, it)| it.clone())
            };
            let member = |name: &String| {
                let (value, unknown) = (of(known, name), of(unknown, name));
                (name.clone(), merged(value.as_ref(), unknown.as_ref()))
            };
            Json::Object(names.into_iter().map(member).collect())
        }
        (value, _) => value.cloned().unwrap_or(Json::Null),
    }
}
