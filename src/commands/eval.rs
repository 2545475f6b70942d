//! `terraschema eval [EXPR…]`: a Terraform console that needs no init.

mod answer;
mod human;
mod json;
mod session;
mod types;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    input_flags::InputFlags,
    limit_flags::LimitFlags,
    release_flags::ReleaseFlags,
};
use answer::Answer;
use session::Session;
use system::{LimitedSystem, System};

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Expressions to evaluate [default: read one per line from standard input]
    #[arg(value_name = "EXPR")]
    expressions: Vec<String>,
    /// Module whose variables and locals the expressions can use
    #[arg(short, long, value_name = "MODULE", default_value = ".")]
    input: PathBuf,
    #[command(flatten)]
    inputs: InputFlags,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Read nothing outside the module's repository; an expression that needs more is undecided
    #[arg(long)]
    confined: bool,
    #[command(flatten)]
    limits: LimitFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: EvalFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum EvalFormat {
    /// Like `terraform console`
    #[default]
    Human,
    /// One document with a result for each expression, in order
    Json,
}

pub(crate) fn run(
    args: &EvalArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let max_file_size = args.limits.max_file_size();
    if args.confined {
        let (named, files) = (std::slice::from_ref(&args.input), &args.inputs.files()[..]);
        let asked = Asked { named, root: None, files, max_file_size };
        return with_walls(system, &asked, |it| answer(args, it, console));
    }
    answer(args, &LimitedSystem::new(system, max_file_size), console)
}

fn answer(args: &EvalArgs, system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let session = Session::open(args, system, console)?;
    let evaluate = |text: &str| session.evaluate(text, system);
    let answers = if args.expressions.is_empty() {
        read(args.format, console, evaluate)
    } else {
        let answers: Vec<Answer> = args.expressions.iter().map(|it| evaluate(it)).collect();
        if args.format == EvalFormat::Human {
            for it in &answers {
                show(it, console);
            }
        }
        answers
    };
    if args.format == EvalFormat::Json {
        console.out(&json::document(&answers, session.release()));
    }
    let failed = answers.iter().any(|it| !it.errors.is_empty());
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}

/// Reads one expression a line; empty lines are skipped, and `exit` ends an interactive session.
fn read(
    format: EvalFormat,
    console: &mut Console<'_>,
    evaluate: impl Fn(&str) -> Answer,
) -> Vec<Answer> {
    let talks = console.is_interactive && format == EvalFormat::Human;
    let mut answers = Vec::new();
    loop {
        if talks {
            console.out("> ");
        }
        let Some(line) = console.line() else { break };
        let text = line.trim();
        if console.is_interactive && matches!(text, "exit" | "quit") {
            break;
        }
        if text.is_empty() {
            continue;
        }
        let answer = evaluate(text);
        if format == EvalFormat::Human {
            show(&answer, console);
        }
        answers.push(answer);
    }
    answers
}

fn show(answer: &Answer, console: &mut Console<'_>) {
    if answer.errors.is_empty() {
        let text = answer.of_type.clone().unwrap_or_else(|| human::render(&answer.value));
        console.out(&format!("{text}\n"));
        for reason in &answer.undecided {
            console.info(&format!("only a plan can decide: {reason}"));
        }
    }
    for error in &answer.errors {
        let at = &error.at;
        console.error(&format!("{} at {at}: {}", error.summary, error.detail));
    }
}
