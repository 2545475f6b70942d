//! What is asked of strings: patterns, parts, and preimages of `lower`, `upper` and `trimspace`.

use crate::{
    condition::{Constraint, Leaf, Region},
    diagnostic::Span,
    re2::ecma,
    value::Type,
};

/// Unicode's white space, which `trimspace` removes.
const SPACE: &str =
    "[\\t-\\r \\x85\\xa0\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]";

/// A function that maps a string to a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapping {
    Lower,
    Upper,
    Trim,
}

/// Whether a match is found; `Err` says why there is no translation.
pub fn pattern(pattern: &str) -> Result<Constraint, String> {
    match ecma::translate(pattern) {
        Ok(translation) => Ok(Constraint::Matches(translation.pattern)),
        Err(reason) => Err(format!("a pattern that cannot be said in a schema ({reason})")),
    }
}

/// True where the constraint on strings holds. Values of another type would be converted first.
pub fn of_string(values: Constraint, ty: &Type, span: Span) -> Leaf {
    match ty {
        Type::String => Leaf::exactly(values),
        _ => Leaf::unknown("a regular expression over a value converted to string", span),
    }
}

/// `startswith`, `endswith` and `strcontains`.
pub fn part(function: &str, text: &str) -> Constraint {
    let body = escape(text);
    match function {
        _ if text.is_empty() => Constraint::Anything,
        "startswith" => Constraint::Matches(format!("^{body}")),
        "endswith" => Constraint::Matches(format!("{body}$")),
        _ => Constraint::Matches(body),
    }
}

/// `mapping(subject) == text`.
pub fn mapped(mappings: &[Mapping], text: &str, ty: &Type, span: Span) -> Leaf {
    if *ty != Type::String {
        return Leaf::unknown("a string function over a value converted to string", span);
    }
    let Some(values) = preimage(mappings, text) else {
        return Leaf::unknown("a chain of string functions", span);
    };
    // A null argument is an error for each of the functions.
    Leaf::of_values(Region::new(false, values.clone()), Region::new(false, values.negated()))
}

/// The strings that the mappings, innermost first, take to the text.
fn preimage(mappings: &[Mapping], text: &str) -> Option<Constraint> {
    let trims = mappings.contains(&Mapping::Trim);
    let cases: Vec<_> = mappings.iter().filter(|it| **it != Mapping::Trim).collect();
    let trimmed = text.trim_matches(|c: char| c.is_whitespace()) == text;
    if trims && !trimmed {
        return Some(Constraint::Nothing);
    }
    let body = match cases.as_slice() {
        [] => escape(text),
        [Mapping::Lower] => folded(text, &|c| lower(c))?,
        [Mapping::Upper] => folded(text, &|c| upper(c))?,
        _ => return None,
    };
    Some(Constraint::Matches(if trims {
        format!("^{SPACE}*{body}{SPACE}*$")
    } else {
        format!("^{body}$")
    }))
}

fn folded(text: &str, map: &dyn Fn(char) -> char) -> Option<String> {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_ascii() {
            return None;
        }
        let mut sources: Vec<char> = ('\0'..='\u{7f}').filter(|it| map(*it) == c).collect();
        sources.extend(['İ', 'ı', 'ſ', '\u{212a}'].into_iter().filter(|it| map(*it) == c));
        match sources.as_slice() {
            [] => return Some("[^\\s\\S]".to_owned()),
            [one] => out.push_str(&escape(&one.to_string())),
            many => {
                out.push('[');
                out.extend(many);
                out.push(']');
            }
        }
    }
    Some(out)
}

/// Go's `unicode.ToLower` on what maps to ASCII. The Kelvin sign is not canonical.
fn lower(c: char) -> char {
    match c {
        'İ' => 'i',
        '\u{212a}' => c,
        _ => c.to_ascii_lowercase(),
    }
}

/// Go's `unicode.ToUpper` on what maps to ASCII.
fn upper(c: char) -> char {
    match c {
        'ı' => 'I',
        'ſ' => 'S',
        _ => c.to_ascii_uppercase(),
    }
}

/// The text as a pattern.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\^$.*+?()[]{}|/".contains(c) && c != '/' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// `length(split(separator, subject)) == count`: how often a separator of one character stands in
/// the string, plus one.
pub fn split_into(separator: &str, count: u64) -> Option<Constraint> {
    let mut chars = separator.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    let Some(separators) = count.checked_sub(1) else { return Some(Constraint::Nothing) };
    let other = if c == '\\' || c == ']' || c == '^' || c == '-' {
        format!("[^\\{c}]*")
    } else {
        format!("[^{c}]*")
    };
    let body = match separators {
        0 => other,
        1 => format!("{other}{}{other}", escape(separator)),
        n => format!("{other}(?:{}{other}){{{n}}}", escape(separator)),
    };
    Some(Constraint::Matches(format!("^{body}$")))
}
