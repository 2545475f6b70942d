//! What makes two values of one type the same, as a text to look up.

use std::fmt::Write;

use crate::{
    stack::guarded,
    value::{Content, Value},
};

/// A text that two wholly known values of one type share exactly when Terraform's `==` holds them
/// equal. Marks do not count.
pub fn equality_key(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, false);
    text
}

/// As [`equality_key`] for elements of sets, which tell the two zeros apart.
pub fn membership_key(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, true);
    text
}

fn write(text: &mut String, value: &Value, signed_zero: bool) {
    guarded(|| match value.content() {
        Content::Null | Content::Unknown(_) => text.push('n'),
        Content::Bool(it) => text.push(if *it { 't' } else { 'f' }),
        Content::Number(it) if it.is_zero() && !signed_zero => text.push_str("0;"),
        Content::Number(it) => {
            text.push_str(&it.identity());
            text.push(';');
        }
        Content::String(it) => write_text(text, it),
        Content::Sequence(elements) => {
            text.push('[');
            elements.iter().for_each(|it| write(text, it, signed_zero));
            text.push(']');
        }
        Content::Mapping(elements) => {
            text.push('{');
            for (key, it) in elements.iter() {
                write_text(text, key);
                write(text, it, signed_zero);
            }
            text.push('}');
        }
    });
}

/// With its length before it, so that no text can look like two.
fn write_text(text: &mut String, it: &str) {
    let _ = write!(text, "{}:{it}", it.len());
}
