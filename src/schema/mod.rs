//! JSON Schema: model, generator, canonical printer, semantic difference.

mod json;
mod model;

pub use json::{Decimal, Json};
pub use model::{Condition, Items, Keywords, Kind, Schema};
