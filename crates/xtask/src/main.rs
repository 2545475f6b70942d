//! `cargo xtask test` runs all tests; `cargo xtask ask NAME` asks a question at length.
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "it is a command of its own")]

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, ExitCode},
};

use xtask::{Of, QUESTIONS, Question};

const USAGE: &str = "\
Usage: cargo xtask test
       cargo xtask ask
       cargo xtask ask NAME [--times N] [--of WHAT] [--seed N]

test    runs everything that CI runs
ask     asks a question at length; without a name it lists the questions

  --times N    how many cases are tried
  --of WHAT    the directory, file or revision that is asked about
  --seed N     other random values
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["test"] => run(Command::new("bash").arg("tests/run")),
        ["ask"] => {
            print(&list());
            ExitCode::SUCCESS
        }
        ["ask", name, options @ ..] => match asked(name, options) {
            Ok(mut command) => run(&mut command),
            Err(why) => fail(&why),
        },
        ["help" | "--help" | "-h"] => {
            print(USAGE);
            ExitCode::SUCCESS
        }
        _ => fail(USAGE),
    }
}

fn fail(why: &str) -> ExitCode {
    eprintln!("{}", why.trim_end());
    ExitCode::from(2)
}

/// Prints a text; a reader that has seen enough is not an error.
fn print(text: &str) {
    _ = std::io::stdout().write_all(text.as_bytes());
}

/// Every question, by group.
fn list() -> String {
    let (mut list, mut group) = (String::new(), "");
    for it in QUESTIONS {
        if it.group != group {
            group = it.group;
            list += &format!("{}{group}\n", if list.is_empty() { "" } else { "\n" });
        }
        list += &format!("  {}\n      {}\n", it.usage(), it.asks);
    }
    list
}

/// The command that asks a question. Errors: the question or an option is unknown, or what it is asked of is missing.
fn asked(name: &str, options: &[&str]) -> Result<Command, String> {
    let question = QUESTIONS.iter().find(|it| it.name == name);
    let question =
        question.ok_or_else(|| format!("no question {name:?}; `cargo xtask ask` lists them"))?;
    let mut command = Command::new("bash");
    let (mut times, mut of) = (question.times, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.next().ok_or_else(|| format!("{option} needs a value"))?;
        match *option {
            "--times" if question.times.is_some() => times = Some(number(option, value)?),
            "--of" if question.of != Of::Nothing => of = Some(existing(question, value)?),
            "--seed" => {
                command.env("TERRASCHEMA_SEED", number(option, value)?.to_string());
            }
            _ => return Err(format!("{name} has no option {option}: {}", question.usage())),
        }
    }
    if let (Of::Needed(what), None) = (question.of, &of) {
        return Err(format!("write `cargo xtask ask {name} --of {what}`"));
    }
    if let Some(times) = times {
        command.env("TIMES", times.to_string());
    }
    let script = match of {
        Some(of) => {
            command.env("OF", of);
            question.script.to_owned()
        }
        // A variable without a value would be another question than one that is not set.
        None => {
            let words = question.script.split(' ').filter(|it| !it.ends_with("=$OF"));
            words.collect::<Vec<_>>().join(" ")
        }
    };
    eprintln!("$ {script}");
    command.args(["-euc", &script]);
    Ok(command)
}

fn number(option: &str, text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{option} needs a number, and {text:?} is not one"))
}

/// What a question is asked of: the absolute path of a file or directory where there is one of this name.
fn existing(question: &Question, text: &str) -> Result<PathBuf, String> {
    let wants_path = matches!(question.of, Of::Needed("DIR" | "FILE") | Of::Maybe("DIR"));
    match std::fs::canonicalize(text) {
        Ok(path) if wants_path => Ok(path),
        Err(error) if wants_path => Err(format!("{text}: {error}")),
        _ => Ok(PathBuf::from(text)),
    }
}

fn run(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|it| it.try_into().ok()).unwrap_or(1)),
        Err(error) => fail(&format!("bash cannot be run: {error}")),
    }
}
