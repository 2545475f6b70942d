//! Exact numbers: binary floats with a precision that each value carries.

use std::cmp::Ordering;

/// A number as Terraform holds it (`terraform-semantics` of numbers: Go's `big.Float`): a binary
/// float whose precision is 512 bits for literals and 64 for Go's integers, or an infinity.
#[derive(Clone, Debug)]
pub struct Number {}

/// Equality is that of Terraform's `==`: the shortest decimal text at each one's own precision.
impl PartialEq for Number {
    fn eq(&self, _other: &Number) -> bool {
        todo!()
    }
}

impl Number {
    /// 64 bits of precision, as Go's integers have.
    pub fn from_i64(_it: i64) -> Number {
        todo!()
    }
    /// 53 bits of precision, as Go's float64 has.
    pub fn from_f64(_it: f64) -> Number {
        todo!()
    }
    /// Reads a number as HCL and cty's string conversion do (512 bits); `None` when it is none.
    pub fn parse(_text: &str) -> Option<Number> {
        todo!()
    }
    pub fn infinity(_negative: bool) -> Number {
        todo!()
    }
    pub fn is_infinite(&self) -> bool {
        todo!()
    }
    pub fn is_zero(&self) -> bool {
        todo!()
    }
    pub fn is_negative(&self) -> bool {
        todo!()
    }
    pub fn is_integer(&self) -> bool {
        todo!()
    }
    /// The exact integer when it is one and fits.
    pub fn to_i64(&self) -> Option<i64> {
        todo!()
    }
    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        todo!()
    }
    /// The order of the exact values (not of the texts).
    pub fn compare(&self, _other: &Number) -> Ordering {
        todo!()
    }
    pub fn add(&self, _other: &Number) -> Result<Number, &'static str> {
        todo!()
    }
    pub fn subtract(&self, _other: &Number) -> Result<Number, &'static str> {
        todo!()
    }
    pub fn multiply(&self, _other: &Number) -> Result<Number, &'static str> {
        todo!()
    }
    pub fn divide(&self, _other: &Number) -> Result<Number, &'static str> {
        todo!()
    }
    pub fn modulo(&self, _other: &Number) -> Result<Number, &'static str> {
        todo!()
    }
    pub fn negate(&self) -> Number {
        todo!()
    }
    /// The shortest plain decimal that identifies the number at its own precision: what
    /// `tostring`, templates and `jsonencode` print. Infinity is `+Inf` or `-Inf`.
    pub fn to_decimal(&self) -> String {
        todo!()
    }
}
