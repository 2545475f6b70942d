//! Flags that choose what a schema says: shared by every command that generates one.

use clap::Args;

use crate::schema::{Conditions, Options};

/// The Go tool's schema flags, with its names.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SchemaFlags {
    /// Allow no properties beside the declared ones, in nested objects too
    #[arg(long)]
    pub disallow_additional_properties: bool,
    /// Let variables that do not set nullable accept null
    #[arg(long)]
    pub nullable_all: bool,
    /// Require every variable and attribute, also those with a default
    #[arg(long)]
    pub require_all: bool,
    /// Write <, > and & as \u003c, \u003e and \u0026
    #[arg(long)]
    pub escape_json: bool,
    /// Leave a variable out (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub ignore_variable: Vec<String>,
    /// Set a string member of the schema's root (repeatable, applied last)
    #[arg(long, value_name = "KEY=VALUE", value_parser = property)]
    pub property: Vec<(String, String)>,
    /// How much of the validation conditions goes into the schema: full, basic, none
    #[arg(long, value_name = "HOW", value_parser = conditions, default_value = "full")]
    pub conditions: ConditionsFlag,
}

/// [`Conditions`] with a default that clap can show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ConditionsFlag(pub Conditions);

fn property(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

fn conditions(text: &str) -> Result<ConditionsFlag, String> {
    match text {
        "full" => Ok(ConditionsFlag(Conditions::Full)),
        "basic" => Ok(ConditionsFlag(Conditions::Basic)),
        "none" => Ok(ConditionsFlag(Conditions::None)),
        _ => Err("one of full, basic, none".to_owned()),
    }
}

impl SchemaFlags {
    /// The options that the flags mean.
    pub fn options(&self) -> Options {
        Options {
            disallow_additional_properties: self.disallow_additional_properties,
            nullable_all: self.nullable_all,
            require_all: self.require_all,
            ignore_variables: self.ignore_variable.iter().cloned().collect(),
            properties: self.property.iter().cloned().collect(),
            conditions: self.conditions.0,
        }
    }
}
