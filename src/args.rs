//! Arguments as typed. They never touch the world.

use std::ffi::OsString;

use clap::{Arg, CommandFactory, Parser, Subcommand};

#[cfg(feature = "lsp")]
use super::commands::lsp::LspArgs;
use super::commands::{
    check::CheckArgs,
    compat::CompatArgs,
    completions::CompletionsArgs,
    docs::DocsArgs,
    eval::EvalArgs,
    explain::ExplainArgs,
    generate::{GenerateArgs, GenerateCommand},
    init::InitArgs,
    man::ManArgs,
    merge::MergeArgs,
    policy::PolicyArgs,
    skeleton::SkeletonArgs,
    validate::ValidateArgs,
};

/// Check the contract of Terraform modules: generate JSON Schema from variables, and judge values
/// files and calls like Terraform.
#[derive(Debug, Parser)]
#[command(name = "terraschema", version, args_conflicts_with_subcommands = true)]
// Of a flag that is given twice the last one counts, as in the Go tool.
#[command(args_override_self = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub generate: GenerateArgs,
}

#[derive(Debug, Subcommand)]
// Only the flags of the subcommand that is asked for are built.
#[command(defer = true)]
pub(super) enum Command {
    /// Write the JSON Schema of a module [default command]
    Generate(GenerateCommand),
    /// Check the schemas, values files and calls of every module
    Check(CheckArgs),
    /// Report whether a change of a module breaks its callers
    Compat(CompatArgs),
    /// Evaluate expressions like `terraform console`, without init
    Eval(EvalArgs),
    /// Explain a rule: what it reports, why, and how to fix it
    Explain(ExplainArgs),
    /// Inspect a repository and write a first .terraschema.hcl
    Init(InitArgs),
    /// Predict whether `terraform plan` accepts a module and its inputs
    Validate(ValidateArgs),
    /// Write a values file, a call or a test for a module, with values that pass its rules
    Skeleton(SkeletonArgs),
    /// Write a module's nested inputs and rules as Markdown
    Docs(DocsArgs),
    /// Judge a plan, a state or a configuration by your own rules
    Policy(PolicyArgs),
    /// Run the language server for editors
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    /// Merge the JSON reports of several runs
    Merge(MergeArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the man page of terraschema or of a command
    Man(ManArgs),
}

/// Terraform spells its own flags with one dash (`-var`, `-var-file=…`); both spellings are accepted.
const SINGLE_DASH: [&str; 4] = ["-var", "-var-file", "-chdir", "-no-color"];

/// Turns Terraform's single-dash flags into the double-dash ones that the parser knows, and lets
/// expressions begin with a dash.
pub(super) fn normalize(arguments: Vec<OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.into_iter().map(normalize_one).collect();
    if arguments.get(1).is_some_and(|it| it == "eval") {
        return expressions_last(arguments);
    }
    arguments
}

fn normalize_one(argument: OsString) -> OsString {
    let Some(text) = argument.to_str() else { return argument };
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    if SINGLE_DASH.contains(&name) { format!("-{text}").into() } else { argument }
}

/// Puts arguments of `eval` that are not flags behind `--`: `-1 + 2` is an expression.
fn expressions_last(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut command = Arguments::command();
    command.build();
    let known = command.find_subcommand("eval").map(clap::Command::get_arguments);
    let known: Vec<&Arg> = known.into_iter().flatten().collect();
    let (mut flags, mut expressions) = (Vec::new(), Vec::new());
    let mut rest = arguments.into_iter();
    flags.extend(rest.by_ref().take(2));
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy().into_owned();
        if text == "--" {
            expressions.extend(rest.by_ref());
        } else if let Some(takes_next) = takes_next(&known, &text) {
            flags.push(argument);
            flags.extend(rest.by_ref().take(usize::from(takes_next)));
        } else {
            expressions.push(argument);
        }
    }
    flags.push("--".into());
    flags.extend(expressions);
    flags
}

/// Whether a flag's value is the next argument; `None` when it is not a flag.
fn takes_next(known: &[&Arg], text: &str) -> Option<bool> {
    if matches!(text, "-h" | "--help") {
        return Some(false);
    }
    let (name, has_value) = text.split_once('=').map_or((text, false), |(name, _)| (name, true));
    let is_named = |arg: &&&Arg| {
        let long = arg.get_long().map(|it| format!("--{it}"));
        let short = arg.get_short().map(|it| format!("-{it}"));
        long.as_deref() == Some(name) || short.as_deref() == Some(name)
    };
    let flag = known.iter().find(is_named)?;
    let takes_values = flag.get_action().takes_values() && !flag.is_require_equals_set();
    Some(!has_value && takes_values)
}
