//! JSON Schema: model, generator, canonical printer, semantic difference.

mod apply;
mod decimal;
mod defaults;
mod diff;
mod export;
mod generate;
mod inside;
mod json;
mod model;
mod options;
mod types;

use apply::rule_keywords;
pub use decimal::Decimal;
pub use diff::{Change, Difference, diff, unified_diff};
pub use export::export_variables;
pub use generate::{Generated, generate, included};
pub use json::Json;
pub use model::{Condition, Items, Keywords, Kind, Schema};
pub use options::{Conditions, Options};
