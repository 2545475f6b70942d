//! JSON Schema: model, generator, canonical printer, semantic difference.

mod annotate;
mod apply;
mod canonical;
mod decimal;
mod defaults;
mod diff;
mod draft;
mod export;
mod forms;
mod generate;
mod implication;
mod inside;
mod json;
mod members;
mod model;
mod options;
mod secrets;
mod text;
mod types;

pub use annotate::VOCABULARY;
use apply::rule_keywords;
pub use canonical::is_plain;
pub use decimal::Decimal;
pub use diff::{Change, Difference, adds_only_rules, diff, unified_diff};
pub use draft::Draft;
pub use export::export_variables;
pub use forms::written_by;
pub use generate::{Generated, generate, generate_metered, included};
pub use json::Json;
pub use model::{Condition, Items, Keywords, Kind, Schema};
pub use options::{Conditions, Options};
pub use secrets::{Secrets, texts_of_defaults};
