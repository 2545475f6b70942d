//! `lower`, `upper`, `title`: map each code point by itself, with the mappings of Unicode 15.0 that keep
//! the number of code points, like Go's `unicode`.

use super::text;
use crate::functions::{Function, Param, Refuses, ReturnType, Ty};
use tf_value::Value;

const STR: Param = Param::new("str", Ty::String);

pub const LOWER: Function = Function::pure(
    "lower",
    "Converts all letters to lowercase.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(mapped(text(args, 0), lower)),
)
.refuses(Refuses::Nothing);

pub const UPPER: Function = Function::pure(
    "upper",
    "Converts all letters to uppercase.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(mapped(text(args, 0), upper)),
)
.refuses(Refuses::Nothing);

pub const TITLE: Function = Function::pure(
    "title",
    "Converts the first letter of each word to title case.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let mut previous = ' ';
        let capitalized = |it| {
            let first = separates(std::mem::replace(&mut previous, it));
            if first { title(it) } else { it }
        };
        Ok(Value::string(text(args, 0).chars().map(capitalized).collect::<String>()))
    },
)
.refuses(Refuses::Nothing);

fn mapped(text: &str, map: fn(char) -> char) -> Value {
    Value::string(text.chars().map(map).collect::<String>())
}

/// The lower-case form of a letter, where it is one code point.
pub fn lower(char: char) -> char {
    match char {
        'İ' => 'i',
        _ => one(char, char.to_lowercase()),
    }
}

/// The upper-case form of a letter, where it is one code point.
pub fn upper(char: char) -> char {
    match char {
        // Letters with iota subscript; Rust writes them with a capital iota.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            char::from_u32(char as u32 + 8).unwrap_or(char)
        }
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(char as u32 + 9).unwrap_or(char),
        _ => one(char, char.to_uppercase()),
    }
}

fn title(char: char) -> char {
    match char {
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        // Georgian letters have capitals, but a Georgian word does not begin with one.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => char,
        _ => upper(char),
    }
}

/// The mapping when it is a single code point; both sides must be in Unicode 15.0.
fn one(char: char, mut mapping: impl Iterator<Item = char>) -> char {
    match (mapping.next(), mapping.next()) {
        (Some(to), None) if !is_newer(char) && !is_newer(to) => to,
        _ => char,
    }
}

/// Cased letters that came after Unicode 15.0.
fn is_newer(char: char) -> bool {
    matches!(u32::from(char),
        0x1c89..=0x1c8a | 0xa7cb..=0xa7cf | 0xa7d2 | 0xa7d4 | 0xa7da..=0xa7dc
        | 0x10d50..=0x10d85 | 0x16ea0..=0x16ed3)
}

/// Whether a word may begin behind the character: in ASCII after all but letters, digits and `_`,
/// otherwise after white space only.
fn separates(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_alphanumeric() && char != '_';
    }
    char.is_whitespace()
}
