//! JSON Schema: model, generator, canonical printer, semantic difference.
//!
//! A module and options go in; a schema comes out, and warnings about conditions that it does not express
//! fully. It accepts every canonical value that Terraform accepts, so it never refuses a valid input. Two
//! schemas are compared by meaning, since a committed one may be formatted differently.

mod annotate;
mod apply;
mod canonical;
mod comments;
mod decimal;
mod defaults;
mod definitions;
mod diff;
mod draft;
mod exclusive;
mod export;
mod forms;
mod generate;
mod implication;
mod inside;
mod json;
mod members;
mod messages;
mod model;
mod nulls;
mod options;
mod outputs;
mod property;
mod prose;
mod text;
mod texts;
mod types;

pub use annotate::VOCABULARY;
use apply::rule_keywords;
pub use canonical::is_plain;
pub use comments::AttributeComments;
pub use decimal::Decimal;
pub use diff::{Difference, SchemaChange, adds_only_rules, diff, unified_diff};
pub use draft::Draft;
pub use export::export_variables;
pub use forms::written_by;
pub use generate::{Generated, RulesInWords, generate, generate_metered, included, words_of};
pub use json::SchemaJson;
pub use model::{Contains, IfThenElse, Items, JsonType, Keywords, Schema};
pub use options::{CarriedConditions, SchemaOptions};
pub use outputs::{OutputForm, of_outputs};
pub use texts::texts_of_defaults;
