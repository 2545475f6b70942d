//! Random expressions, ours against a real Terraform: success, type and value.
//!
//! A short round runs whenever there is a Terraform. `TERRASCHEMA_DIFFERENTIAL=20000` asks for a long one,
//! `TERRASCHEMA_SEED` for the same again, `ORACLE_TERRAFORM` another release. Every disagreement ever found is a
//! transcript.

use std::{collections::BTreeMap, env, fmt::Write as _};

use release::{Release, changes};
use testkit::{
    eval::{
        json::Json,
        ours::{ApplyOutcome, Prelude, evaluate_text},
        terraform::Terraform,
    },
    missing::{MissingProgram, trials},
};

use super::generate::{Generator, Signature, has_failures};

trials![random_expressions_agree,];

const SHORT_ROUND: usize = 400;
const LONG_ROUND: usize = 20_000;
/// In a hundred calls.
const WANTED_SUCCESSES: usize = 65;
/// How often a call is drawn until it ends as is wanted.
const DRAWS: usize = 30;

/// The recordings' variables, and those that files and templates need.
pub fn prelude() -> String {
    let recorded = include_str!("../../data/oracle/expressions/prelude.tf");
    let own = [
        ("dir", format!("{}/tests/data/differential", env!("CARGO_MANIFEST_DIR"))),
        ("tpl", "a$${name}%%{ if flag }yes%%{ endif }".to_string()),
        ("broken_tpl", "a$${name".to_string()),
    ];
    let own = own.map(|(name, value)| {
        format!("variable \"{name}\" {{\n  type    = string\n  default = \"{value}\"\n}}\n")
    });
    format!("{recorded}\n{}", own.concat())
}

/// How often a function's calls gave a value, and how often an error.
#[derive(Clone, Copy, Default)]
struct Count {
    successes: usize,
    failures: usize,
}

fn random_expressions_agree() -> Result<(), MissingProgram> {
    let prelude = prelude();
    let terraform = Terraform::asked(&prelude).ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_DIFFERENTIAL").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1) as u64;
    let release = terraform.release();
    eprintln!(
        "{release}: {size} expressions, seed {seed} (TERRASCHEMA_DIFFERENTIAL, TERRASCHEMA_SEED)"
    );

    let mut generator = Generator::new(seed).of_program(terraform.program());
    let variables = Prelude::parse(&prelude).working_in(&terraform.directory());
    let made: Vec<Made> = (0..size).map(|_| draw(&mut generator, &variables, release)).collect();
    let texts: Vec<String> = made.iter().map(|(text, _)| text.clone()).collect();
    let expected = terraform.evaluate(&texts);

    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut successes = 0;
    let mut wrong = Vec::new();
    for ((text, function), expected) in made.iter().zip(&expected) {
        let succeeds = !matches!(expected, ApplyOutcome::Error(_));
        successes += usize::from(succeeds);
        if let Some(function) = function {
            let count = counts.entry(function).or_default();
            if succeeds { count.successes += 1 } else { count.failures += 1 }
        }
        let actual = evaluate_text(text, &variables, release);
        if !agrees(text, expected, &actual) {
            wrong.push(format!("> {text}\n  terraform {expected:?}\n  ours      {actual:?}\n"));
        }
    }
    eprintln!("{successes} of {size} succeed, {} disagree", wrong.len());
    assert!(
        wrong.is_empty(),
        "seed {seed}: {} of {size} disagree\n{}",
        wrong.len(),
        wrong.concat()
    );
    assert!(successes * 2 >= size, "only {successes} of {size} succeed");
    if size >= LONG_ROUND {
        check_coverage(generator.functions(), release, &counts);
    }
    Ok(())
}

/// An expression, and the function that it is about, if it is about one.
type Made = (String, Option<&'static str>);

/// Draws a call again until our evaluation says that it ends as is wanted. So calls that rarely
/// succeed or fail are compared too.
fn draw(generator: &mut Generator, variables: &Prelude, release: Release) -> Made {
    let (mut text, signature) = generator.next();
    let Some(signature) = signature else { return (text, None) };
    let wanted = generator.chance(WANTED_SUCCESSES);
    for _ in 0..DRAWS {
        let outcome = evaluate_text(&text, variables, release);
        let failed = matches!(outcome, ApplyOutcome::Error(_));
        if failed != wanted && outcome != ApplyOutcome::Undecided {
            break;
        }
        text = generator.call(signature, 1);
    }
    (text, Some(signature.name))
}

fn check_coverage(functions: &[&Signature], release: Release, counts: &BTreeMap<&str, Count>) {
    let mut poor = String::new();
    for signature in functions {
        if lacks(release, signature.name) {
            continue;
        }
        let count = counts.get(signature.name).copied().unwrap_or_default();
        let enough = count.failures >= 20 || !has_failures(signature.name);
        if count.successes < 50 || !enough {
            let Count { successes, failures } = count;
            writeln!(poor, "{}: {successes} successes, {failures} failures", signature.name)
                .expect("text");
        }
    }
    assert!(poor.is_empty(), "covered too little:\n{poor}");
}

/// Whether all calls of a function must fail.
fn lacks(release: Release, name: &str) -> bool {
    let change = if name.starts_with("provider::") {
        Some(&changes::PROVIDER_FUNCTIONS)
    } else {
        release::function(name)
    };
    change.is_some_and(|it| !release.has(it))
}

/// Unknown to a plan and known to the apply that answers here. What is computed from their results
/// may be an error that only the apply finds.
const KNOWN_LATE: [&str; 3] = ["bcrypt", "timestamp", "uuid("];

/// What a plan does not know agrees with whatever Terraform's apply gives.
fn agrees(text: &str, expected: &ApplyOutcome, actual: &ApplyOutcome) -> bool {
    let is_late = || KNOWN_LATE.iter().any(|it| text.contains(it));
    match (expected, actual) {
        (ApplyOutcome::Error(_), ApplyOutcome::Error(_)) => true,
        (ApplyOutcome::Error(_), ApplyOutcome::Unknown { .. }) => is_late(),
        // What is still unknown after an apply is null: `format("%s", null)`.
        (ApplyOutcome::Value { ty, value: Json::Null }, ApplyOutcome::Unknown { ty: actual })
            if ty == actual =>
        {
            true
        }
        (ApplyOutcome::Value { ty, .. }, ApplyOutcome::Unknown { ty: actual }) => {
            is_late() && (ty == actual || *actual == Json::String("dynamic".to_string()))
        }
        (_, ApplyOutcome::Undecided) => text.contains("plantimestamp"),
        _ => expected == actual,
    }
}
