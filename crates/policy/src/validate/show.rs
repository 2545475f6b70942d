//! Shows a value in a few words, unless it is sensitive.

use super::LocatedValue;
use tf_value::{Type, Value, ValueContent, json};

/// The most characters of a value that are shown.
const MOST: usize = 80;

/// Whether the value must not be shown.
pub(super) fn is_hidden(at: LocatedValue<'_>) -> bool {
    at.is_hidden || at.value.deep_marks().is_hidden()
}

/// Whether somebody has marked the value as sensitive or ephemeral. Arguments of providers are not shown either
/// way, since a plan does not say which of them are secrets.
fn is_sensitive(value: &Value) -> bool {
    let marks = value.deep_marks();
    marks.is_sensitive() || marks.is_ephemeral()
}

pub fn found(at: LocatedValue<'_>) -> String {
    if is_hidden(at) {
        // Whether a sensitive map has a key is part of the secret.
        return if at.value.is_null() && !at.is_hidden {
            "nothing (null)".to_owned()
        } else {
            match at.is_hidden || is_sensitive(at.value) {
                true => "a sensitive value".to_owned(),
                false => "a value that is not shown".to_owned(),
            }
        };
    }
    of(at.value)
}

/// The value as JSON, or its known part.
fn of(value: &Value) -> String {
    match value.content() {
        ValueContent::Null => "nothing (null)".to_owned(),
        ValueContent::Unknown(_) => "a value that is known after apply".to_owned(),
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
        Type::Object(_) | Type::Map(_) => "an object with parts that are known after apply",
        _ => "a list with parts that are known after apply",
    }
    .to_owned()
}

/// The first characters of a long text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
