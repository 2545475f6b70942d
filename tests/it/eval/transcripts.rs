//! Transcripts: `tests/spec/functions/*.md` and `tests/spec/expressions/*.md`.
//!
//! A fenced block `console` holds `> EXPR` lines (more lines of the same expression begin with
//! `. `), each followed by its answer: `VALUE : TYPE` in JSON, `error: SUMMARY`, `unknown : TYPE`
//! or `undecided`. They are replayed by ourselves and, where there is one, by a real Terraform 1.11;
//! `UPDATE=1` writes down what Terraform answers. A file that says `Asked of Terraform 1.15.9.` was asked
//! of another one by hand.

use std::{fmt::Write as _, fs, path::PathBuf};

use terraschema::release::{Product, Release};

use super::{
    ours::{Outcome, Prelude, evaluate_text},
    terraform::Terraform,
};

const PRELUDE: &str = include_str!("../../data/oracle/expressions/prelude.tf");

/// An expression, its answer, and where the answer stands.
struct Entry {
    expression: String,
    answer: String,
    line: usize,
}

#[test]
fn transcripts_agree() {
    let prelude = Prelude::parse(PRELUDE);
    let mut wrong = String::new();
    let mut checked = 0;
    for file in files() {
        let text = fs::read_to_string(&file).expect("a transcript");
        for entry in entries(&text) {
            checked += 1;
            let actual = answer(&evaluate_text(&entry.expression, &prelude, release(&text)));
            if actual != entry.answer {
                let place = format!("{}:{}", file.display(), entry.line);
                writeln!(
                    wrong,
                    "{place}\n> {}\n  expected {}\n  actual   {actual}",
                    entry.expression, entry.answer
                )
                .expect("text");
            }
        }
    }
    assert!(checked > 0, "no transcripts");
    assert!(wrong.is_empty(), "of {checked}:\n{wrong}");
}

#[test]
fn terraform_gives_the_same_transcripts() {
    let Some(terraform) = Terraform::recorded(PRELUDE) else {
        eprintln!("LEFT OUT: no terraform 1.11 to replay the transcripts");
        return;
    };
    let files: Vec<(PathBuf, String)> = files()
        .into_iter()
        .map(|it| (fs::read_to_string(&it).expect("a transcript"), it))
        .map(|(text, it)| (it, text))
        .filter(|(_, text)| release(text) == Release::V1_11)
        .collect();
    let mut wrong = String::new();
    let asked: Vec<(usize, Entry)> = files
        .iter()
        .enumerate()
        .flat_map(|(file, (_, text))| entries(text).into_iter().map(move |it| (file, it)))
        .filter(|(_, it)| it.answer != "undecided" && !it.answer.starts_with("unknown : "))
        .collect();
    let expressions: Vec<String> = asked.iter().map(|(_, it)| it.expression.clone()).collect();
    let answers: Vec<String> = terraform.evaluate(&expressions).iter().map(answer).collect();
    let mut lines: Vec<Vec<String>> =
        files.iter().map(|(_, text)| text.lines().map(str::to_string).collect()).collect();
    for ((file, entry), actual) in asked.iter().zip(answers) {
        if actual != entry.answer {
            let place = format!("{}:{}", files[*file].0.display(), entry.line);
            writeln!(
                wrong,
                "{place}\n> {}\n  expected {}\n  actual   {actual}",
                entry.expression, entry.answer
            )
            .expect("text");
            lines[*file][entry.line - 1] = actual;
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        for ((path, _), lines) in files.iter().zip(lines) {
            fs::write(path, lines.join("\n") + "\n").expect("a transcript");
        }
        return;
    }
    assert!(wrong.is_empty(), "Terraform answers otherwise:\n{wrong}");
}

/// The expressions that an apply answers, with their answers.
pub fn answers() -> Vec<(String, String)> {
    let texts = files().into_iter().map(|it| fs::read_to_string(it).expect("a transcript"));
    let entries = texts.flat_map(|it| entries(&it));
    let is_open = |it: &Entry| it.answer == "undecided" || it.answer.starts_with("unknown : ");
    entries.filter(|it| !is_open(it)).map(|it| (it.expression, it.answer)).collect()
}

fn files() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/spec");
    let directories = ["functions", "expressions"].map(|it| root.join(it));
    let found = directories.iter().filter_map(|it| fs::read_dir(it).ok()).flatten();
    let mut files: Vec<PathBuf> = found.map(|it| it.expect("a file").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "md"));
    files.sort();
    files
}

/// `Asked of Terraform 1.15.9.` or `Asked of OpenTofu 1.12.6.` in a line of its own; 1.11.4 where nothing is said.
fn release(text: &str) -> Release {
    let products = [Product::Terraform, Product::OpenTofu];
    let asked = products.into_iter().find_map(|product| {
        let start = format!("Asked of {product} ");
        let version = text.lines().find_map(|it| it.strip_prefix(&*start))?;
        Some(Release::parse(product, version.trim_end_matches('.')).unwrap())
    });
    asked.unwrap_or(Release::V1_11)
}

fn entries(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut expression: Option<String> = None;
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(start) = line.strip_prefix("> ").filter(|_| inside) {
            expression = Some(start.to_string());
        } else if let (Some(more), Some(expression)) = (line.strip_prefix(". "), &mut expression) {
            write!(expression, "\n{more}").expect("text");
        } else if let Some(expression) = expression.take() {
            entries.push(Entry { expression, answer: line.to_string(), line: index + 1 });
        }
    }
    entries
}

/// The answer in a transcript's form. Of an error only the first summary counts.
pub fn answer(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Value { ty, value } => format!("{value} : {ty}"),
        Outcome::Infinite => "infinite".to_string(),
        Outcome::Unknown { ty } => format!("unknown : {ty}"),
        Outcome::Undecided => "undecided".to_string(),
        Outcome::Error(summaries) => {
            format!("error: {}", summaries.first().map(String::as_str).unwrap_or_default())
        }
    }
}
