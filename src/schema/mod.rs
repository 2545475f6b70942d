//! JSON Schema: model, generator, canonical printer, semantic difference.

mod apply;
mod decimal;
mod defaults;
mod generate;
mod json;
mod model;
mod options;
mod types;

pub use decimal::Decimal;
pub use generate::{Generated, generate, included};
pub use json::Json;
pub use model::{Condition, Items, Keywords, Kind, Schema};
pub use options::{Conditions, Options};
