//! Operations that work on every type: equality, element access.

use super::Value;

/// Terraform's `==`: never converts; unknown where it cannot be told yet; marks travel.
pub fn equals(_left: &Value, _right: &Value) -> Value {
    todo!()
}
