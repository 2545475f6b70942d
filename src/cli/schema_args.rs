//! The flags that shape a schema: the same for every command that makes one.

use clap::{Args, ValueEnum};

use super::Console;
use crate::schema::{Conditions, Options};

#[derive(Clone, Debug, Default, Args)]
pub(super) struct SchemaArgs {
    /// Set additionalProperties to false in the schema and in nested objects
    #[arg(long)]
    disallow_additional_properties: bool,
    /// Let null stand for every variable that does not set nullable, as Terraform does
    #[arg(long)]
    nullable_all: bool,
    /// Require every variable and every attribute, even where there is a default
    #[arg(long)]
    require_all: bool,
    /// Leave a variable out (repeatable)
    #[arg(long = "ignore-variable", value_name = "NAME", value_delimiter = ',')]
    ignore_variables: Vec<String>,
    /// Set a string member of the schema's root, after everything else (repeatable)
    #[arg(long = "property", value_name = "KEY=VALUE")]
    properties: Vec<String>,
    /// Which validation conditions go into the schema
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    conditions: ConditionsArg,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ConditionsArg {
    /// Everything that can be translated
    #[default]
    Full,
    /// What the Go tool translates
    Basic,
    None,
}

impl SchemaArgs {
    /// The options as meant. A property without `=` is left out with a warning.
    pub(super) fn options(&self, console: &mut Console<'_>) -> Options {
        let mut options = Options {
            disallow_additional_properties: self.disallow_additional_properties,
            nullable_all: self.nullable_all,
            require_all: self.require_all,
            ignore_variables: self.ignore_variables.iter().cloned().collect(),
            conditions: match self.conditions {
                ConditionsArg::Full => Conditions::Full,
                ConditionsArg::Basic => Conditions::Basic,
                ConditionsArg::None => Conditions::None,
            },
            ..Options::default()
        };
        for property in &self.properties {
            match property.split_once('=') {
                Some((key, value)) => {
                    options.properties.insert(key.to_owned(), value.to_owned());
                }
                None => console.warning(&format!("invalid property \"{property}\", skipping")),
            }
        }
        options
    }
}
