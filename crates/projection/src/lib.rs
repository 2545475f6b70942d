//! Conditions as sets of values, and sets as JSON Schema: the sound projection of a contract.

pub mod condition;
pub mod schema;
pub mod sets;
