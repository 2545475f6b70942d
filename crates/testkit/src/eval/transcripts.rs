//! Transcripts: `tests/spec/functions/*.md` and `tests/spec/expressions/*.md`.
//!
//! A fenced block `console` holds `> EXPR` lines (more lines of the same expression begin with
//! `. `), each followed by its answer: `VALUE : TYPE` in JSON, `error: SUMMARY`, `unknown : TYPE`
//! or `undecided`. A file that says `Asked of Terraform 1.15.9.` was asked of another one than 1.11.4, by hand.

use std::{fmt::Write as _, fs, path::PathBuf};

use release::{Product, Release};

use super::ours::ApplyOutcome;
use crate::workspace;

pub struct Transcript {
    /// `functions/abs.md`
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

/// An expression, its answer, and where the answer is.
pub struct Entry {
    pub expression: String,
    pub answer: String,
    pub line: usize,
}

impl Entry {
    /// Whether an apply answers it. What only a plan leaves open cannot be asked.
    pub fn is_answered(&self) -> bool {
        self.answer != "undecided" && !self.answer.starts_with("unknown : ")
    }
}

/// All of them, by name.
pub fn transcripts() -> Vec<Transcript> {
    let root = workspace::root().join("tests/spec");
    let mut found = Vec::new();
    for directory in ["expressions", "functions"] {
        for entry in fs::read_dir(root.join(directory)).expect("transcripts") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|it| it == "md") {
                let file = path.file_name().expect("a name").to_string_lossy();
                let name = format!("{directory}/{file}");
                let text = fs::read_to_string(&path).expect("a transcript");
                found.push(Transcript { name, path, text });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The expressions that an apply answers, with their answers.
pub fn answers() -> Vec<(String, String)> {
    let entries = transcripts().into_iter().flat_map(|it| it.entries());
    let answered = entries.filter(Entry::is_answered);
    answered.map(|it| (it.expression, it.answer)).collect()
}

impl Transcript {
    /// `Asked of Terraform 1.15.9.` or `Asked of OpenTofu 1.12.6.` in a line of its own; 1.11.4 where nothing is said.
    pub fn release(&self) -> Release {
        let products = [Product::Terraform, Product::OpenTofu];
        let asked = products.into_iter().find_map(|product| {
            let start = format!("Asked of {product} ");
            let version = self.text.lines().find_map(|it| it.strip_prefix(&*start))?;
            Some(Release::parse(product, version.trim_end_matches('.')).unwrap())
        });
        asked.unwrap_or(Release::V1_11)
    }

    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut expression: Option<String> = None;
        let mut inside = false;
        for (index, line) in self.text.lines().enumerate() {
            if line.starts_with("```") {
                inside = line == "```console";
            } else if let Some(start) = line.strip_prefix("> ").filter(|_| inside) {
                expression = Some(start.to_string());
            } else if let (Some(more), Some(expression)) =
                (line.strip_prefix(". "), &mut expression)
            {
                write!(expression, "\n{more}").expect("text");
            } else if let Some(expression) = expression.take() {
                entries.push(Entry { expression, answer: line.to_string(), line: index + 1 });
            }
        }
        entries
    }
}

/// The answer in a transcript's form. Of an error only the first summary counts.
pub fn answer(outcome: &ApplyOutcome) -> String {
    match outcome {
        ApplyOutcome::Value { ty, value } => format!("{value} : {ty}"),
        ApplyOutcome::Infinite => "infinite".to_string(),
        ApplyOutcome::Unknown { ty } => format!("unknown : {ty}"),
        ApplyOutcome::Undecided => "undecided".to_string(),
        ApplyOutcome::Error(summaries) => {
            format!("error: {}", summaries.first().map(String::as_str).unwrap_or_default())
        }
    }
}
