//! `terraschema completions SHELL`

use std::fmt::Write;

use clap::{Args, CommandFactory, builder::PossibleValue};
use clap_complete::Shell;

use crate::{Console, Exit, args::Arguments};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "terraschema", &mut text);
    console.out(&String::from_utf8_lossy(&text));
    if args.shell == Shell::Fish {
        console.out(&of_positions());
    }
    Ok(Exit::Clean)
}

/// The words of positional arguments, which the generator for fish leaves out.
fn of_positions() -> String {
    let mut out = String::new();
    let mut command = Arguments::command();
    command.build();
    for subcommand in command.get_subcommands() {
        for argument in subcommand.get_positionals() {
            let words: Vec<_> = argument.get_possible_values();
            if !words.is_empty() {
                let words: Vec<&str> = words.iter().map(PossibleValue::get_name).collect();
                let (name, words) = (subcommand.get_name(), words.join(" "));
                _ = writeln!(
                    out,
                    "complete -c terraschema -n \"__fish_terraschema_using_subcommand {name}\" -f -a \"{words}\""
                );
            }
        }
    }
    out
}
