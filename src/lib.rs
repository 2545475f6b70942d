//! The command line: arguments as typed, then as meant; one file for each subcommand; exit codes.
//!
//! Arguments go in; text on the console and an exit code come out. No crate below this one prints, so that all
//! of them serve as libraries. Findings go to standard output and everything else to standard error, so
//! that `--format json` is always valid JSON.

mod args;
mod commands;
mod confine;
mod console;
mod fidelity;
mod flags;
mod hook_names;
mod output;
mod progress;
mod terraform_args;
mod threads;
mod watchdog;

use std::{
    ffi::OsString,
    panic::{self, AssertUnwindSafe},
    process::{self, ExitCode},
};

use self::args::{Arguments, Command};
use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use diagnostics::visible_line;
use system::{OsSystem, System};

pub use commands::explain::rule_page;
pub use console::Console;

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No findings.
    Clean,
    /// Drift, an invalid input, a breaking change.
    Findings,
    /// The tool could not do its work: usage, an unreadable file, a module that does not parse.
    Failure,
}

impl Exit {
    /// 0, 1 or 2.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
        }
    }
}

/// Runs the command with the process's arguments, and ends the process: the work has a thread with a
/// large stack, and this one watches it.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    let interrupt = watchdog::Interrupt::catch();
    let signal = || {
        #[cfg(unix)]
        return interrupt.signal();
        #[cfg(not(unix))]
        None
    };
    if let Some(worker) = threads::worker(work) {
        watchdog::watch(&worker, signal);
    }
    ExitCode::from(Exit::Failure.code())
}

/// Does the work of the process, and ends it.
fn work() {
    let work = || {
        threads::prepare();
        run(std::env::args_os().collect(), &OsSystem, &mut Console::process())
    };
    let exit = panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Failure);
    process::exit(i32::from(exit.code()))
}

/// Runs a command line; the first argument is the program's name.
pub fn run(arguments: Vec<OsString>, system: &dyn System, console: &mut Console<'_>) -> Exit {
    if let Some(why) = hook_names::refused(&arguments, system) {
        console.error(&why);
        return Exit::Failure;
    }
    let arguments = match Arguments::try_parse_from(args::normalize(arguments)) {
        Ok(it) => it,
        Err(error) => return usage(&error, console),
    };
    let result = match arguments.command {
        None => commands::generate::run(&arguments.generate, system, console),
        Some(command) => run_command(command, system, console),
    };
    let exit = result.unwrap_or_else(|error| {
        console.error(&format!("{error:#}"));
        Exit::Failure
    });
    match console.failure() {
        None => exit,
        Some(error) => {
            console.error(&format!("cannot write to standard output: {error}"));
            Exit::Failure
        }
    }
}

fn run_command(
    command: Command,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    match command {
        Command::Generate(args) => commands::generate::run(&args.into_flags(), system, console),
        Command::Check(args) => commands::check::run(&args, system, console),
        Command::Compat(args) => commands::compat::run(&args, system, console),
        Command::Eval(args) => commands::eval::run(&args, system, console),
        Command::Explain(args) => commands::explain::run(&args, console),
        Command::Init(args) => commands::init::run(&args, system, console),
        Command::Docs(args) => commands::docs::run(&args, system, console),
        Command::Skeleton(args) => commands::skeleton::run(&args, system, console),
        Command::Validate(args) => commands::validate::run(&args, system, console),
        Command::Policy(args) => commands::policy::run(&args, system, console),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => commands::lsp::run(&args),
        Command::Merge(args) => commands::merge::run(&args, system, console),
        Command::Completions(args) => commands::completions::run(&args, console),
        Command::Man(args) => commands::man::run(&args, console),
    }
}

/// Prints help and version as answers; everything else is a usage error.
fn usage(error: &clap::Error, console: &mut Console<'_>) -> Exit {
    let text = error.render();
    if error.use_stderr() {
        console.err_text(&text.to_string());
        if let Some(dir) = stray_directory(error) {
            console.err_text(&format!("\n  tip: '-i {dir}' names the directory of a module\n"));
        }
        return Exit::Failure;
    }
    console.out(&text.to_string());
    Exit::Clean
}

/// The argument that `generate` and `validate` do not take, if it may be a path for `check`.
fn stray_directory(error: &clap::Error) -> Option<String> {
    let (kind, is_mistyped): (_, fn(&str) -> bool) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, |it| it.starts_with('-')),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, |it| !it.contains('/')),
        _ => return None,
    };
    let ContextValue::String(word) = error.get(kind)? else { return None };
    let text = error.render().to_string();
    let takes_one = ["terraschema [OPTIONS]", "terraschema generate", "terraschema validate"];
    let is_stray = !is_mistyped(word) && takes_one.iter().any(|it| text.contains(it));
    is_stray.then(|| visible_line(word).into_owned())
}
