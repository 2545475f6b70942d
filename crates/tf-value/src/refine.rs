//! Refinements of an unknown value: the facts in the beginning of a text, and the facts that settle the
//! value.

use std::collections::BTreeMap;

use smol_str::SmolStr;
use unicode_segmentation::UnicodeSegmentation;

use super::{Refinements, Type, Value, ValueContent, nfc};

/// Characters that never combine with a following one.
const ENDS: &str = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";

impl Refinements {
    /// The refinements of a text that is not null and begins with `text`.
    pub fn beginning_with(text: &str) -> Refinements {
        Refinements { not_null: true, prefix: safe_prefix(&nfc(text)), ..Refinements::default() }
    }

    /// The content of a collection of known length, as cty has it: a list of unknown elements, and a set
    /// or map if only one is possible.
    pub(super) fn settled(&self, ty: &Type) -> Option<ValueContent> {
        let (Some((lower, true)), Some((upper, true))) = (&self.lower, &self.upper) else {
            return None;
        };
        if !self.not_null || lower != upper {
            return None;
        }
        let length = usize::try_from(lower.to_u64()?).ok()?;
        match ty {
            Type::Set(_) if length > 1 => None,
            Type::List(element) | Type::Set(element) => {
                let element = Value::unknown((**element).clone());
                Some(ValueContent::sequence(vec![element; length]))
            }
            Type::Map(_) if length == 0 => Some(ValueContent::mapping(BTreeMap::new())),
            _ => None,
        }
    }
}

/// The part of a prefix that no appended text can change: all but the last grapheme cluster. The last
/// cluster belongs to it if it is a delimiter that combines with nothing.
fn safe_prefix(text: &str) -> SmolStr {
    match text.grapheme_indices(true).next_back() {
        Some((_, last)) if last.len() == 1 && ENDS.contains(last) => text.into(),
        Some((at, _)) => text.get(..at).unwrap_or_default().into(),
        None => "".into(),
    }
}
