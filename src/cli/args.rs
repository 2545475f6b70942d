//! Arguments as typed. They never touch the world.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::commands::{
    check::CheckArgs, completions::CompletionsArgs, eval::EvalArgs, generate::GenerateArgs,
    merge::MergeArgs, validate::ValidateArgs,
};

/// The contract of a Terraform module: JSON Schema from its variables, and values files judged as
/// Terraform would judge them.
#[derive(Debug, Parser)]
#[command(name = "terraschema", version, args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub generate: GenerateArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a module's JSON Schema (also what no subcommand means)
    Generate(GenerateArgs),
    /// Check schemas and values files of every module
    Check(CheckArgs),
    /// Evaluate expressions, as Terraform's console would without init
    Eval(EvalArgs),
    /// Give Terraform's verdict on one module and its inputs
    Validate(ValidateArgs),
    /// Join the JSON reports of several runs
    Merge(MergeArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the man page
    Man,
}

/// Terraform spells its own flags with one dash (`-var`, `-var-file=…`): both spellings are meant.
const SINGLE_DASH: [&str; 4] = ["-var", "-var-file", "-chdir", "-no-color"];

/// Turns Terraform's single-dash flags into the double-dash ones that the parser knows.
pub(super) fn normalize(arguments: Vec<OsString>) -> Vec<OsString> {
    arguments.into_iter().map(normalize_one).collect()
}

fn normalize_one(argument: OsString) -> OsString {
    let Some(text) = argument.to_str() else { return argument };
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    if SINGLE_DASH.contains(&name) { format!("-{text}").into() } else { argument }
}
