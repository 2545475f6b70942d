//! `terraschema completions SHELL`

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Console, Exit, args::Arguments};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "terraschema", &mut text);
    console.out(&String::from_utf8_lossy(&text));
    Ok(Exit::Clean)
}
