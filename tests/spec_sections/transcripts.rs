//! Replays the transcripts, by ourselves and, where there is one, by a real Terraform 1.11; `UPDATE=1` writes down what
//! Terraform answers.

use std::{
    fs,
    sync::{Arc, LazyLock},
};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use rayon::prelude::*;
use release::Release;
use testkit::{
    eval::{
        ours::{ApplyOutcome, Prelude, evaluate_text},
        terraform::{CHUNK, Terraform},
        transcripts::{Entry, Transcript, answer, transcripts},
    },
    missing::MissingProgram,
    program::Program,
};

use crate::pages;

const PRELUDE: &str = include_str!("../data/oracle/expressions/prelude.tf");

/// A test for each file: we answer as it says.
pub fn trials() -> Vec<Trial> {
    let trial = |it: Transcript| Trial::test(it.name.clone(), move || replay_ours(&it));
    transcripts().into_iter().map(trial).collect()
}

fn replay_ours(transcript: &Transcript) -> Result<(), Failed> {
    let prelude = Prelude::parse(PRELUDE);
    let entries = transcript.entries();
    assert!(!entries.is_empty(), "no expressions");
    let ours = |it: &Entry| answer(&evaluate_text(&it.expression, &prelude, transcript.release()));
    let answers: Vec<String> = entries.iter().map(ours).collect();
    compare(transcript, &entries, &answers)
}

fn compare(transcript: &Transcript, entries: &[Entry], answers: &[String]) -> Result<(), Failed> {
    assert_eq!(entries.len(), answers.len());
    let differing = entries.iter().zip(answers).filter(|(entry, it)| entry.answer != **it);
    let wrong = differing.map(|(entry, actual)| {
        let Entry { expression, answer, line } = entry;
        let place = format!("tests/spec/{}:{line}", transcript.name);
        format!("{place}\n> {expression}\n  expected {answer}\n  actual   {actual}")
    });
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What Terraform answers to each of the transcripts, all asked at once; nothing where there is no Terraform.
type Answers =
    LazyLock<Option<Vec<Vec<String>>>, Box<dyn FnOnce() -> Option<Vec<Vec<String>>> + Send>>;

/// A test for each file: Terraform answers as it says. Only those are asked that the arguments choose.
pub fn replays(arguments: &Arguments) -> Vec<Trial> {
    let name = |it: &Transcript| format!("{}: as Terraform answers", it.name);
    let is_chosen = |it: &Transcript| !arguments.is_filtered_out(&Trial::test(name(it), || Ok(())));
    let recorded = transcripts().into_iter().filter(|it| it.release() == Release::V1_11);
    let recorded = recorded.filter(|it| it.entries().iter().any(Entry::is_answered));
    let (chosen, others): (Vec<_>, Vec<_>) = recorded.partition(is_chosen);
    let chosen = Arc::new(chosen);
    let asked = Arc::clone(&chosen);
    let answers: Arc<Answers> = Arc::new(LazyLock::new(Box::new(move || ask(&asked))));
    let of_chosen = (0..chosen.len()).map(|index| {
        let (chosen, answers) = (Arc::clone(&chosen), Arc::clone(&answers));
        Trial::ignorable_test(name(&chosen[index]), move || match &**answers {
            Some(answers) => replay(&chosen[index], &answers[index]),
            None => MissingProgram::terraform().ended(),
        })
    });
    // They are counted, but not run.
    let of_others = others.iter().map(|it| Trial::test(name(it), || Err("not asked".into())));
    of_chosen.chain(of_others).collect()
}

fn ask(transcripts: &[Transcript]) -> Option<Vec<Vec<String>>> {
    Program::recorded()?;
    let entries = |it: &Transcript| it.entries().into_iter().filter(Entry::is_answered);
    let expressions = transcripts.iter().flat_map(entries).map(|it| it.expression);
    let expressions: Vec<String> = expressions.collect();
    let ask = |it: &[String]| Terraform::recorded(PRELUDE).expect("a Terraform").evaluate(it);
    let answers: Vec<ApplyOutcome> = expressions.par_chunks(CHUNK).flat_map_iter(ask).collect();
    let mut answers = answers.iter().map(answer);
    let of_each = transcripts.iter().map(|it| answers.by_ref().take(entries(it).count()).collect());
    Some(of_each.collect())
}

fn replay(transcript: &Transcript, answers: &[String]) -> Result<Completion, Failed> {
    let mut entries = transcript.entries();
    entries.retain(Entry::is_answered);
    let compared = compare(transcript, &entries, answers);
    if compared.is_err() && pages::is_update() {
        let mut lines: Vec<&str> = transcript.text.lines().collect();
        for (entry, actual) in entries.iter().zip(answers) {
            lines[entry.line - 1] = actual;
        }
        fs::write(&transcript.path, lines.join("\n") + "\n").unwrap();
        return Ok(Completion::Completed);
    }
    compared.map(|()| Completion::Completed)
}
