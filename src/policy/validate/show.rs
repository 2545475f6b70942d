//! Shows a value in a few words, unless it is sensitive.

use super::LocatedValue;
use crate::value::{Content, Type, Value, json};

/// The most characters of a value that are shown.
const MOST: usize = 80;

/// Whether the value must not be shown.
pub(super) fn is_hidden(at: LocatedValue<'_>) -> bool {
    at.is_hidden || at.value.deep_marks().is_hidden()
}

pub(super) fn found(at: LocatedValue<'_>) -> String {
    if is_hidden(at) {
        return if at.value.is_null() {
            "nothing (null)".to_owned()
        } else {
            "a sensitive value".to_owned()
        };
    }
    of(at.value)
}

/// The value as JSON, or its known part.
fn of(value: &Value) -> String {
    match value.content() {
        Content::Null => "nothing (null)".to_owned(),
        Content::Unknown(_) => "a value that is known after apply".to_owned(),
        _ => match json::value_to_json_start(value, 4 * MOST) {
            // Undoes the escapes for HTML, which a sentence does not need.
            Ok(text) => {
                let plain = [("\\u003c", "<"), ("\\u003e", ">"), ("\\u0026", "&")];
                let text = plain.iter().fold(text, |text, (code, it)| text.replace(code, it));
                shortened(&text)
            }
            Err(_) => partly(value),
        },
    }
}

fn partly(value: &Value) -> String {
    match value.ty() {
        Type::Object(_) | Type::Map(_) => "an object, a part of which is known after apply",
        _ => "a list, a part of which is known after apply",
    }
    .to_owned()
}

/// The first characters of a long text.
pub(in crate::policy) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
