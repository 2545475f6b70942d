//! How much there is in a value.

use super::{Content, Value};

/// Types are compared faster than values are gone over.
const TYPES_A_UNIT: u64 = 8;

impl Value {
    /// About how much work it is to go over everything in it and in its type once: one for an
    /// element, one more for every sixteen bytes of text. What stands in it twice counts twice, but
    /// is not gone over: each node knows its size.
    pub fn size(&self) -> u64 {
        self.content_size().saturating_add(self.ty.size() / TYPES_A_UNIT)
    }

    /// As [`Value::size`], without the type.
    pub(super) fn content_size(&self) -> u64 {
        match &self.content {
            Content::String(it) => 1 + it.len() as u64 / 16,
            Content::Number(it) => it.size(),
            Content::Sequence(it) => it.size,
            Content::Mapping(it) => it.size,
            _ => 1,
        }
    }
}
