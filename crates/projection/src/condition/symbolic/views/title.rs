//! `title`: words with a capital.

use super::preimage::{Preimage, strings};
use crate::{condition::patterns::text, sets::ValueSet};
use re2::Language;

/// `title`: the strings that it turns into these. Only for ASCII are the changed letters known.
pub fn titled(constraint: &ValueSet) -> Option<Preimage> {
    let values = match constraint {
        ValueSet::Length(..) => return Preimage::exact(constraint.clone()),
        ValueSet::OneOf(values) => strings(values)?,
        _ => return None,
    };
    if !values.iter().all(|it| it.is_ascii()) {
        return None;
    }
    let bodies: Vec<String> = values.into_iter().filter_map(untitled).collect();
    if bodies.is_empty() {
        return Preimage::exact(ValueSet::Nothing);
    }
    let pattern = format!("^(?:{})$", bodies.join("|"));
    // The pattern reader writes a shorter pattern.
    let pattern = Language::parse(&pattern).and_then(|it| it.to_ecma()).unwrap_or(pattern);
    Preimage::exact(ValueSet::Matches(pattern))
}

/// The texts that have this title, as a pattern.
fn untitled(title: &str) -> Option<String> {
    let mut previous = ' ';
    let mut out = String::new();
    for c in title.chars() {
        let before = std::mem::replace(&mut previous, c);
        let begins = !before.is_ascii_alphanumeric() && before != '_';
        match c {
            'a'..='z' if begins => return None,
            'A'..='Z' if begins => {
                let other = match c {
                    'I' => "ı",
                    'S' => "ſ",
                    _ => "",
                };
                out += &format!("[{c}{}{other}]", c.to_ascii_lowercase());
            }
            _ => out += &text::escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    Some(out)
}
