//! Terraform's own input flags, `-var` and `-var-file`, in the order in which they were given:
//! the last one wins, whichever of the two it is.

use std::path::PathBuf;

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{OsStringValueParser, TypedValueParser as _},
};

use crate::inputs::Argument;

/// The input flags of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputFlags {
    /// In their order.
    pub arguments: Vec<Argument>,
}

const VAR: &str = "var";
const VAR_FILE: &str = "var-file";

impl Args for InputFlags {
    fn augment_args(command: Command) -> Command {
        let var = Arg::new(VAR)
            .long(VAR)
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .help("Set a variable, as Terraform's -var (repeatable)");
        let file = Arg::new(VAR_FILE)
            .long(VAR_FILE)
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(OsStringValueParser::new().map(PathBuf::from))
            .help("Take values from a file, as Terraform's -var-file (repeatable)");
        command.arg(var).arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for InputFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, Argument)> = Vec::new();
        let texts = matches.get_many::<String>(VAR).into_iter().flatten();
        let texts = matches.indices_of(VAR).into_iter().flatten().zip(texts);
        found.extend(texts.map(|(at, text)| (at, Argument::Value(text.clone()))));
        let files = matches.get_many::<PathBuf>(VAR_FILE).into_iter().flatten();
        let files = matches.indices_of(VAR_FILE).into_iter().flatten().zip(files);
        found.extend(files.map(|(at, file)| (at, Argument::File(file.clone()))));
        found.sort_by_key(|(at, _)| *at);
        Ok(InputFlags { arguments: found.into_iter().map(|(_, it)| it).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
