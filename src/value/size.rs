//! How much there is in a value.

use super::{Content, Value, guarded};

impl Value {
    /// About how much work it is to go over everything in it once: one for an element, one more for
    /// every sixteen bytes of text.
    pub fn size(&self) -> u64 {
        match &self.content {
            Content::String(it) => 1 + it.len() as u64 / 16,
            Content::Number(it) => it.size(),
            Content::Sequence(it) => guarded(|| 1 + it.iter().map(Value::size).sum::<u64>()),
            Content::Mapping(it) => {
                guarded(|| 1 + it.values().map(|it| 1 + it.size()).sum::<u64>())
            }
            _ => 1,
        }
    }
}
