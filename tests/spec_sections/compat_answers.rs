//! What Terraform answers to the witnesses of `tests/spec/compat`, recorded in `tests/data/compat`.
//!
//! Everywhere the record is compared with what is shown now: the same modules, the same `module` blocks, accepted
//! before and refused now. `UPDATE=1` asks the Terraform on the path again.

use std::fs;

use libtest_mimic::{Failed, Trial};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha1::{Digest as _, Sha1};
use testkit::eval::terraform::Terraform;

use crate::{
    compat::{Change, changes, is_loss, plans},
    pages,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/compat/answers.json");

/// Of one witness.
#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    /// The page and the section.
    change: String,
    rule: String,
    /// Of both modules, as they were asked about.
    modules: String,
    witness: String,
    /// Whether the module before, and the one after, is planned with the block.
    plans: (bool, bool),
    /// What Terraform says about the module after: the first line of its errors.
    said: Option<String>,
}

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("compat/answers.json", check)]
}

/// The witnesses that there are, not yet asked about.
fn witnesses() -> Vec<(Change, Answer)> {
    let mut found = Vec::new();
    for (page, change) in changes() {
        let modules = Sha1::digest(format!("{}\0{}", change.before, change.after));
        let modules: String = modules.iter().map(|it| format!("{it:02x}")).collect();
        let module = change.module();
        for it in module["changes"].as_array().into_iter().flatten() {
            let Some(witness) = it["witness"].as_str() else { continue };
            let rule = it["rule"].as_str().unwrap().to_owned();
            let (plans, said) = ((true, is_loss(&rule)), None);
            let name = format!("{page}: {}", change.title);
            let (modules, witness) = (modules.clone(), witness.to_owned());
            let answer = Answer { change: name, rule, modules, witness, plans, said };
            found.push((change.clone(), answer));
        }
    }
    found
}

fn check() -> Result<(), Failed> {
    let expected = witnesses();
    if pages::is_update() && Terraform::recorded("").is_some() {
        let asked: Vec<Answer> =
            expected.into_par_iter().map(|(change, it)| ask(&change, it)).collect();
        fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/compat"))?;
        fs::write(FILE, serde_json::to_string_pretty(&asked)? + "\n")?;
        return check_record(&witnesses());
    }
    check_record(&expected)
}

fn ask(change: &Change, mut answer: Answer) -> Answer {
    let (before, _) = plans(&change.before, &answer.witness);
    let (after, said) = plans(&change.after, &answer.witness);
    answer.plans = (before, after);
    answer.said = said
        .lines()
        .find(|it| it.contains("Error: "))
        .map(|it| it.trim_start_matches(['│', ' ']).to_owned());
    answer
}

fn check_record(expected: &[(Change, Answer)]) -> Result<(), Failed> {
    let recorded: Vec<Answer> = serde_json::from_str(&fs::read_to_string(FILE)?)?;
    if expected.len() < 50 {
        return Err(format!("only {} witnesses", expected.len()).into());
    }
    let mut wrong = Vec::new();
    for (_, it) in expected {
        let was = recorded.iter().find(|was| {
            (&was.change, &was.rule, &was.modules, &was.witness)
                == (&it.change, &it.rule, &it.modules, &it.witness)
        });
        match was {
            None => wrong.push(format!(
                "{} ({}): UPDATE=1 asks Terraform\n{}",
                it.change, it.rule, it.witness
            )),
            Some(was) if was.plans != it.plans || was.said.is_none() != it.plans.1 => {
                wrong.push(format!(
                    "{} ({}): Terraform plans {:?}: {:?}\n{}",
                    it.change, it.rule, was.plans, was.said, it.witness
                ));
            }
            Some(_) => (),
        }
    }
    if recorded.len() != expected.len() {
        wrong.push(format!("{} are recorded, {} are shown", recorded.len(), expected.len()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
