//! The size of a value, as the work of walking it.

use super::{Value, ValueContent};

/// The number of types that count as one unit, since comparing types is faster than walking values.
const TYPES_A_UNIT: u64 = 8;

impl Value {
    /// The approximate work of walking everything in the value and its type once: one unit for an
    /// element, one more for every sixteen bytes of text. A part that occurs twice counts twice, but is
    /// not walked: each node knows its size.
    pub fn size(&self) -> u64 {
        self.content_size().saturating_add(self.ty.size() / TYPES_A_UNIT)
    }

    /// Like [`Value::size`], without the type.
    pub(super) fn content_size(&self) -> u64 {
        match &self.content {
            ValueContent::String(it) => 1 + it.len() as u64 / 16,
            ValueContent::Number(it) => it.size(),
            ValueContent::Sequence(it) => it.size,
            ValueContent::Mapping(it) => it.size,
            _ => 1,
        }
    }
}
