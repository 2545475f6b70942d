//! An organisation's rules over plans.

mod check;
mod closed;
mod configuration;
mod encodings;
mod facts;
mod language;
mod law;
mod modes;
mod needs;
mod origins;
mod outer;
mod page;
mod plans;
mod policies;
mod provider;
mod repositories;
mod secrets;
mod testing;
mod tfpolicy;
mod unparsed;
mod written;

use std::{ffi::OsString, sync::Arc};

use policy::{Asked, GivenContexts, Judged, plan};
use system::MemorySystem;
use terraschema::{Console, Exit, run};
use tf_eval::Meter;

/// What the command says about files (path, text), and its exit code.
pub fn command(files: &[(&str, &str)], arguments: &str) -> (u8, String, String) {
    let mut system = MemorySystem::new();
    for (path, text) in files {
        system = system.file(path, text);
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = ["terraschema", "policy"].into_iter().chain(arguments.split_whitespace());
    let exit: Exit = run(words.map(OsString::from).collect(), &system, &mut console);
    drop(console);
    let text = |it| String::from_utf8(it).unwrap();
    (exit.code(), text(stdout), text(stderr))
}

/// Each line of `concise`, without the file.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|it| it.split_once(".rules.hcl:").map_or(it, |it| it.1).to_owned()).collect()
}

/// The errors of a rule file, each `LINE:COLUMN: MESSAGE`, with its help behind a bar.
fn errors(rules: &str) -> Vec<String> {
    let files = vec![("a.rules.hcl".to_owned(), Arc::from(rules.as_bytes()))];
    let (policy, problems) = policy::read(files, &GivenContexts::default(), &Meter::default());
    let one = |it: &diagnostics::Diagnostic| {
        let place = it.span().map_or(String::new(), |it| policy.sources.display(it));
        let place = place.trim_start_matches("a.rules.hcl:").replace(',', ":");
        let help = it.help.as_ref().map_or(String::new(), |it| format!(" | {it}"));
        format!("{place}: {}{help}", it.message())
    };
    problems.iter().map(one).collect()
}

/// Judges a plan's JSON by rules that are right.
fn judged(rules: &str, plan: &str) -> Judged {
    let files = vec![("a.rules.hcl".to_owned(), Arc::from(rules.as_bytes()))];
    let meter = Meter::default();
    let (policy, problems) = policy::read(files, &GivenContexts::default(), &meter);
    assert_eq!(problems.len(), 0, "{rules}\n{problems:#?}");
    let asked = Asked::new(&policy);
    let plan = plan::read(plan.as_bytes(), &asked).unwrap_or_else(|it| panic!("{it}: {plan}"));
    policy::judge(&policy, &plan, &meter)
}
