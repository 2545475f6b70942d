//! The identity of values of one type, as a text for look-ups.

use std::fmt::Write;

use stack::guarded;
use tf_value::{Value, ValueContent};

/// A text that two completely known values of one type share exactly if Terraform's `==` says that they are equal.
/// Marks are ignored.
pub fn equality_key(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, false);
    text
}

/// Like [`equality_key`], for elements of sets, which distinguish the two zeros.
pub fn membership_key(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, true);
    text
}

fn write(text: &mut String, value: &Value, signed_zero: bool) {
    guarded(|| match value.content() {
        ValueContent::Null | ValueContent::Unknown(_) => text.push('n'),
        ValueContent::Bool(it) => text.push(if *it { 't' } else { 'f' }),
        ValueContent::Number(it) if it.is_zero() && !signed_zero => text.push_str("0;"),
        ValueContent::Number(it) => {
            text.push_str(&it.identity());
            text.push(';');
        }
        ValueContent::String(it) => write_text(text, it),
        ValueContent::Sequence(elements) => {
            text.push('[');
            elements.iter().for_each(|it| write(text, it, signed_zero));
            text.push(']');
        }
        ValueContent::Mapping(elements) => {
            text.push('{');
            for (key, it) in elements.iter() {
                write_text(text, key);
                write(text, it, signed_zero);
            }
            text.push('}');
        }
    });
}

/// Writes a text with its length first, so that two texts never look like one.
fn write_text(text: &mut String, it: &str) {
    let _ = write!(text, "{}:{it}", it.len());
}
