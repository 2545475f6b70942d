//! Tests of the `schema` layer.

mod canonical;
mod diff;
mod docs;
mod export;
mod forms;
mod ignored;
mod json;
