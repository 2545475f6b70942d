//! Conversion between types and unification of types, as cty does them.
//!
//! A conversion is found by comparing types ([`Conversion::find`]) and then applied to a value. An error
//! that follows from the types alone is a *structural* error, found before any value is read. For
//! example: no tuple converts to `string`, but whether `"a"` converts to `number` depends on the value.

mod apply;
mod collections;
mod find;
mod mismatch;
mod preference;
mod resolve;
mod unify;

use std::fmt;

use super::{Path, Step, Type, Value, quoted};

pub use find::Conversion;
pub use mismatch::{difference, mismatch};
pub use unify::{Unified, unify, unify_unsafe};

/// Why a value does not convert.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvertError {
    /// The place inside of the value.
    pub path: Path,
    /// `string required`, `attribute "b" is required`, `a number is required`, …
    pub reason: String,
    /// Where elements differ that should have one type, and how. Empty for other reasons, and not in Terraform's
    /// text.
    pub difference: String,
    /// Whether the types alone cause the error. Terraform's text names the path of such an error, but no
    /// path for a string that does not parse.
    pub structural: bool,
}

impl ConvertError {
    /// The difference as an addition to the reason.
    pub fn more(&self) -> String {
        if self.difference.is_empty() { String::new() } else { format!(": {}", self.difference) }
    }
}

/// Terraform's text: `attribute "o": element 0: string required`.
impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.path.0.iter().filter(|_| self.structural) {
            match step {
                Step::Attribute(name) => write!(f, "attribute {}: ", quoted(name))?,
                Step::Index(key) => match (key.as_str(), key.as_number()) {
                    (Some(key), _) => write!(f, "element {}: ", quoted(key))?,
                    (_, Some(index)) => write!(f, "element {}: ", index.to_decimal())?,
                    _ => (),
                },
            }
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ConvertError {}

/// Converts a value to a type constraint; the value decides what a `Dynamic` in it becomes.
///
/// Nulls and unknowns convert to those of the target type. Marks stay where they are, but marks of a
/// set's elements move to the set. Attributes that the object type lacks are dropped, and missing
/// optional ones become null.
///
/// Where elements must have one type and only a provider knows the type of one of them, the result is undecided:
/// `{ enabled = true, url = aws_sqs_queue.main.url }` is a `map(any)` if the URL is a string.
pub fn convert(value: &Value, target: &Type) -> Result<Value, ConvertError> {
    if value.ty() == target {
        return Ok(value.clone());
    }
    let converted = match Conversion::find(value.ty(), target) {
        Some(conversion) => conversion.apply(value),
        None if *value.ty() == target.without_optional() => Ok(value.clone()),
        None => Err(mismatch(value.ty(), target)),
    };
    or_undecided(converted, value, target)
}

/// The result of a conversion, or an undecided value in place of an error that the type of an open part may avoid.
fn or_undecided(
    converted: Result<Value, ConvertError>,
    value: &Value,
    target: &Type,
) -> Result<Value, ConvertError> {
    if converted.is_err() && target.has_dynamic() && value.has_open_type() {
        return Ok(Value::unknown(target.without_optional()).with_marks(value.deep_marks()));
    }
    converted
}
