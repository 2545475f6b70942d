//! JSON Schema: model, generator, canonical printer, semantic difference.
//!
//! A module and options go in; a schema comes out, and warnings about conditions that it does not express
//! fully. It accepts every canonical value that Terraform accepts, so it never refuses a valid input. Two
//! schemas are compared by meaning, since a committed one may be formatted differently.

mod annotate;
mod apply;
mod canonical;
mod comments;
mod defaults;
mod definitions;
mod diff;
mod exclusive;
mod export;
mod forms;
mod generate;
mod json;
mod model;
mod nulls;
mod options;
mod outputs;
mod property;
mod texts;
mod types;

use apply::rule_keywords;

pub use annotate::VOCABULARY;
pub use canonical::is_plain;
pub use comments::{AttributeComments, comment_text};
pub use diff::{Difference, SchemaChange, adds_only_rules, diff, unified_diff};
pub use export::export_variables;
pub use forms::written_by;
pub use generate::{Generated, RulesInWords, generate, generate_metered, included, words_of};
pub use json::{Decimal, SchemaJson};
pub use model::{Contains, Draft, IfThenElse, Items, JsonType, Keywords, Schema};
pub use options::{CarriedConditions, SchemaOptions};
pub use outputs::{OutputForm, OutputType, of_outputs};
pub use texts::texts_of_defaults;
