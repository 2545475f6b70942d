//! Flags that several commands share: inputs, limits, the release, the content of a schema.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use super::terraform_args;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{OsStringValueParser, PossibleValue, TypedValueParser},
    error::Error,
};
use config::{LimitSettings, OpenTofu, SchemaSettings, parse_size};
use diagnostics::Span;
use module::inputs::InputArgument;
use projection::schema::{CarriedConditions, Draft, SchemaOptions};
use release::{Product, Release, Unknown, Wanted};
use system::{MAX_FILE_SIZE, System, paths};
use tf_eval::Limits;

// Terraform's own input flags, `-var` and `-var-file`, in the order of the command line: of both kinds
// together the last one wins.

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

// Flags for how much a run may do and how large a file may be.

// Flags that every command that reads modules takes. (A doc comment would become the description of
// the commands that flatten this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LimitFlags {
    /// Work limit of the run, in units of about a tenth of a microsecond [default: 144000000]
    #[arg(long, value_name = "UNITS")]
    max_work: Option<u64>,
    /// Size limit of a file, such as 1000000, 10MB or 64MiB [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_file_size: Option<u64>,
}

impl LimitFlags {
    pub fn settings(self) -> LimitSettings {
        let LimitFlags { max_work, max_file_size } = self;
        LimitSettings { max_work, max_file_size, ..LimitSettings::default() }
    }

    pub fn limits(self) -> Limits {
        self.max_work.map_or_else(Limits::default, Limits::of_run)
    }

    /// The largest file that is read, in bytes, before any configuration is known.
    pub fn max_file_size(self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| "write a number of bytes, such as 1000000 or 64MiB".to_owned())
}

// Flags that choose the release whose verdict is wanted.

// Flags that every command that judges takes. (A doc comment would become the description of the
// commands that flatten this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ReleaseFlags {
    /// Release of Terraform to judge as, such as 1.11 or 1.11.4 [default: the newest final release
    /// that the module allows]
    #[arg(long, value_name = "VERSION", value_parser = terraform)]
    pub terraform_version: Option<Release>,
    /// Judge as OpenTofu, and read .tofu files; false: judge as Terraform [default version: the
    /// newest that the module allows]
    #[arg(long, value_name = "VERSION", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = opentofu,
          conflicts_with = "terraform_version")]
    pub opentofu: Option<OpenTofu>,
}

impl ReleaseFlags {
    /// The release that the flags ask for, without a configuration.
    pub fn wanted(self) -> Wanted {
        match (self.terraform_version, self.opentofu) {
            (Some(it), _) | (None, Some(OpenTofu::Release(it))) => Wanted::Release(it),
            (None, Some(OpenTofu::Newest)) => Wanted::Newest(Product::OpenTofu),
            (None, Some(OpenTofu::No) | None) => Wanted::Newest(Product::Terraform),
        }
    }
}

fn terraform(text: &str) -> Result<Release, Unknown> {
    Release::parse(Product::Terraform, text)
}

fn opentofu(text: &str) -> Result<OpenTofu, Unknown> {
    match text {
        "true" => Ok(OpenTofu::Newest),
        "false" => Ok(OpenTofu::No),
        _ => Release::parse(Product::OpenTofu, text).map(OpenTofu::Release),
    }
}

// Flags that determine a schema's content, shared by every command that generates one.

// The Go tool's schema flags, with its names. (A doc comment would become the description of the
// commands that flatten this.)
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SchemaFlags {
    /// Reject undeclared properties, also in nested objects
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub disallow_additional_properties: Option<bool>,
    /// Let variables that do not set nullable accept null
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub nullable_all: Option<bool>,
    /// Require every variable and attribute, even those with a default
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub require_all: Option<bool>,
    /// Write <, > and & as \u003c, \u003e and \u0026
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub escape_json: Option<bool>,
    /// Leave a variable out (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub ignore_variable: Vec<String>,
    /// Set a string property at the root of the schema (repeatable, applied last)
    #[arg(long, value_name = "KEY=VALUE", value_parser = property)]
    pub property: Vec<(String, String)>,
    /// Validation conditions in the schema: full, basic (the forms of the Go tool), none [default:
    /// full, or as configured]
    #[arg(long, value_name = "HOW", hide_possible_values = true,
          value_parser = Words { words: condition_names, parse: conditions })]
    pub conditions: Option<CarriedConditions>,
    /// Add annotations for forms and editors: writeOnly, deprecated, and types, conditions and
    /// messages in x-terraform
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub annotations: Option<bool>,
    /// Write the defaults of sensitive and ephemeral variables, and rules and messages that contain
    /// them
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub sensitive_defaults: Option<bool>,
    /// Write long patterns where they are used, instead of in definitions
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub inline: Option<bool>,
    /// Write the messages of rules next to their keywords, for the package ajv-errors
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub error_messages: Option<bool>,
    /// Use the comments above attributes of object types as descriptions
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = switch)]
    pub descriptions_from_comments: Option<bool>,
    /// JSON Schema draft: draft-07, 2020-12 [default: draft-07, or as configured]
    #[arg(long, value_name = "DRAFT", hide_possible_values = true,
          value_parser = Words { words: draft_names, parse: draft })]
    pub draft: Option<Draft>,
}

/// Whether the name of an output file means standard output; `./-` is a file of that name.
pub(crate) fn is_standard_output(file: &Path) -> bool {
    file == Path::new("-")
}

/// Parses the name of a file that is written, where standard output has other content.
pub(crate) fn written_file(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => Err("a file is expected; write ./- for one with this name".to_owned()),
        it => Ok(PathBuf::from(it)),
    }
}

/// Parses the value of a switch, in the spellings of the Go tool.
pub(crate) fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("true or false".to_owned()),
    }
}

fn property(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

fn condition_names() -> Vec<&'static str> {
    [CarriedConditions::Full, CarriedConditions::Basic, CarriedConditions::None]
        .map(CarriedConditions::as_str)
        .to_vec()
}

fn draft_names() -> Vec<&'static str> {
    Draft::ALL.map(Draft::as_str).to_vec()
}

fn conditions(text: &str) -> Result<CarriedConditions, String> {
    CarriedConditions::from_name(text).ok_or_else(|| "one of full, basic, none".to_owned())
}

fn draft(text: &str) -> Result<Draft, String> {
    let names = Draft::ALL.map(Draft::as_str).join(", ");
    Draft::from_name(text).ok_or_else(|| format!("one of {names}"))
}

impl SchemaFlags {
    /// The options that result from the flags.
    pub fn options(&self) -> SchemaOptions {
        SchemaOptions {
            disallow_additional_properties: self.disallow_additional_properties.unwrap_or(false),
            nullable_all: self.nullable_all.unwrap_or(false),
            require_all: self.require_all.unwrap_or(false),
            ignore_variables: self.ignore_variable.iter().cloned().collect(),
            properties: self.property.iter().cloned().collect(),
            conditions: self.conditions.unwrap_or_default(),
            annotations: self.annotations.unwrap_or(false),
            sensitive_defaults: self.sensitive_defaults.unwrap_or(false),
            draft: self.draft.unwrap_or_default(),
            inline: self.inline.unwrap_or(false),
            error_messages: self.error_messages.unwrap_or(false),
            descriptions_from_comments: self.descriptions_from_comments.unwrap_or(false),
            ..SchemaOptions::default()
        }
    }

    /// The settings of the flags that were given, which override a configuration.
    pub fn settings(&self) -> SchemaSettings {
        let given = |it: &Vec<String>| (!it.is_empty()).then(|| it.clone());
        SchemaSettings {
            file: None,
            disallow_additional_properties: self.disallow_additional_properties,
            nullable_all: self.nullable_all,
            require_all: self.require_all,
            escape_json: self.escape_json,
            conditions: self.conditions,
            annotations: self.annotations,
            sensitive_defaults: self.sensitive_defaults,
            draft: self.draft,
            inline: self.inline,
            error_messages: self.error_messages,
            descriptions_from_comments: self.descriptions_from_comments,
            ignore_variables: given(&self.ignore_variable),
            ignore_variables_span: Span::default(),
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
        }
    }
}

// Values that are one of a few words: a function parses them, and completions list the words.

/// Parses with a function, and lists words for shells.
#[derive(Clone)]
pub(crate) struct Words<T> {
    pub words: fn() -> Vec<&'static str>,
    pub parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Words<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        self.parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}
