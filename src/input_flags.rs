//! Terraform's own input flags, `-var` and `-var-file`, in the order of the command line: of both kinds
//! together the last one wins.

use std::path::{Path, PathBuf};

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{OsStringValueParser, TypedValueParser as _},
};

use super::terraform_args;
use module::inputs::InputArgument;
use system::{System, paths};

/// The input flags of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputFlags {
    /// The flags in their order.
    pub arguments: Vec<InputArgument>,
}

impl InputFlags {
    /// The values files that the flags name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let file = |it: &InputArgument| match it {
            InputArgument::File(path) => Some(path.clone()),
            InputArgument::Value(_) | InputArgument::Replace(_) | InputArgument::Text(..) => None,
        };
        self.arguments.iter().filter_map(file).collect()
    }

    /// The flags of the environment for a command of Terraform, followed by these. Paths of files are
    /// relative to the module's directory.
    pub(crate) fn with_environment(
        &self,
        command: &str,
        dir: &Path,
        system: &dyn System,
    ) -> anyhow::Result<Vec<InputArgument>> {
        let mut arguments = terraform_args::arguments(system, command)?;
        arguments.extend_from_slice(&self.arguments);
        Ok(arguments.into_iter().map(|it| from_here(it, dir, system)).collect())
    }
}

/// A values file relative to the module's directory. Its name is read from the current directory, or if
/// there is no such file, from the module's directory, as with `terraform -chdir`.
fn from_here(argument: InputArgument, dir: &Path, system: &dyn System) -> InputArgument {
    match argument {
        InputArgument::File(file) if file.is_relative() && system.kind(&file).is_ok() => {
            InputArgument::File(paths::relative(dir, &file))
        }
        other => other,
    }
}

const VAR: &str = "var";
const VAR_FILE: &str = "var-file";

impl Args for InputFlags {
    fn augment_args(command: Command) -> Command {
        let var = Arg::new(VAR)
            .long(VAR)
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .help("Set a variable, like -var of Terraform (repeatable)");
        let file = Arg::new(VAR_FILE)
            .long(VAR_FILE)
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(OsStringValueParser::new().map(PathBuf::from))
            .help("Read values from a file, like -var-file of Terraform (repeatable)");
        command.arg(var).arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for InputFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, InputArgument)> = Vec::new();
        let texts = matches.get_many::<String>(VAR).into_iter().flatten();
        let texts = matches.indices_of(VAR).into_iter().flatten().zip(texts);
        found.extend(texts.map(|(at, text)| (at, InputArgument::Value(text.clone()))));
        let files = matches.get_many::<PathBuf>(VAR_FILE).into_iter().flatten();
        let files = matches.indices_of(VAR_FILE).into_iter().flatten().zip(files);
        found.extend(files.map(|(at, file)| (at, InputArgument::File(file.clone()))));
        found.sort_by_key(|(at, _)| *at);
        Ok(InputFlags { arguments: found.into_iter().map(|(_, it)| it).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
