//! A Terraform module as its users see it: variables, locals, outputs, required versions.

mod model;

pub use model::{Local, Module, Output, Validation, Variable};
