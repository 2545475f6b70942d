//! Flags that determine a schema's content, shared by every command that generates one.

use clap::Args;

use super::words::Words;
use config::SchemaSettings;
use diagnostics::Span;
use projection::schema::{CarriedConditions, Draft, SchemaOptions};

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
        let said = |it: &Vec<String>| (!it.is_empty()).then(|| it.clone());
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
            ignore_variables: said(&self.ignore_variable),
            ignore_variables_span: Span::default(),
            properties: (!self.property.is_empty()).then(|| self.property.clone()),
        }
    }
}
