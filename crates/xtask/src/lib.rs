//! Tasks of contributors, as `cargo xtask`.
//!
//! The suite asks each question of [`QUESTIONS`] a little; `cargo xtask ask NAME` asks it at length. A question is a line
//! of shell, in which `$TIMES` and `$OF` are the values of the options `--times` and `--of`. For example, `cargo xtask ask faults
//! --times 500` runs `TERRASCHEMA_FAULTS=500 cargo test --test it onward -- --nocapture`.
//!
//! To add a question, add it to its group in `questions.rs`, and run `UPDATE=1 cargo test --test it -- questions`, which
//! rewrites the tables of `docs/contributing/testing.md`.

mod questions;

pub use questions::{QUESTIONS, Question};

/// The tables of the documentation: a section for each group.
pub fn page() -> String {
    let mut page = String::new();
    let mut group = "";
    for it in QUESTIONS {
        if it.group != group {
            group = it.group;
            page += &format!(
                "### {group}\n\n| question | `cargo xtask ask` | needs |\n|---|---|---|\n"
            );
        }
        page += &format!("| {} | `{}` | {} |\n", it.asks, it.usage(), it.needs);
        let is_last = QUESTIONS
            .iter()
            .rfind(|other| other.group == group)
            .is_some_and(|last| last.name == it.name);
        if is_last {
            page += "\n";
        }
    }
    page
}

impl Question {
    /// The name and its options: `verdicts --of DIR --times 20000`.
    pub fn usage(&self) -> String {
        let mut usage = self.name.to_owned();
        usage += &match self.of {
            Of::Nothing => String::new(),
            Of::Maybe(what) => format!(" [--of {what}]"),
            Of::Needed(what) => format!(" --of {what}"),
        };
        usage + &self.times.map(|it| format!(" --times {it}")).unwrap_or_default()
    }
}

/// What a question is asked of, for `--of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Nothing,
    /// Something else than what the repository has.
    Maybe(&'static str),
    Needed(&'static str),
}
