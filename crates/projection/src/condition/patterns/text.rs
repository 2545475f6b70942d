//! Patterns of strings: timestamps, JSON, texts with a given prefix, suffix or part.

use crate::{
    condition::releases::Releases,
    sets::{Reason, ValueSet},
};
use re2::ecma;

/// Unicode's white space, which `trimspace` removes.
pub const SPACE: &str =
    "[\\t-\\r \\x85\\xa0\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]";

/// The timestamps that `timeadd` and `formatdate` read: RFC 3339, with days that there are.
pub const TIMESTAMP: &str = concat!(
    "^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?",
    "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
);

/// Every text that `base64decode` reads matches this; what it decodes to need not be UTF-8.
pub const BASE64: &str = r"^[A-Za-z0-9+/\r\n]*(?:=[\r\n]*){0,2}$";

/// Every text that `jsondecode` reads matches this: it begins and ends as a JSON value does. After a `]` or a
/// `}` Go's reader takes the value for complete and ignores the rest.
pub const JSON: &str = concat!(
    r"^[\t\n\r ]*(?:\{[\s\S]*\}|\[[\s\S]*\]|",
    "\"[\\s\\S]*\"",
    r"|-?[0-9][0-9.eE+-]*|true|false|null)[\t\n\r ]*(?:$|[\]}])",
);

/// The strings in which the pattern is found, the same in every release; `Err` says why it cannot be translated.
pub fn pattern(pattern: &str, releases: &Releases) -> Result<ValueSet, Reason> {
    match ecma::translate_for(pattern, &releases.dialects()) {
        Ok(translation) => Ok(ValueSet::Matches(translation.pattern)),
        Err(why) => Err(Reason::Pattern(why)),
    }
}

/// `startswith`, `endswith` and `strcontains`.
pub fn part(function: &str, text: &str) -> ValueSet {
    let body = escape(text);
    match function {
        _ if text.is_empty() => ValueSet::Anything,
        "startswith" => ValueSet::Matches(format!("^{body}")),
        "endswith" => ValueSet::Matches(format!("{body}$")),
        _ => ValueSet::Matches(body),
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

/// A class of these characters.
pub fn class(characters: &str) -> String {
    let escaped = characters.chars().map(|it| match it {
        '\\' | ']' | '[' | '^' | '-' => format!("\\{it}"),
        it => it.to_string(),
    });
    format!("[{}]", escaped.collect::<String>())
}

/// A class of all other characters.
pub fn not_in_class(c: char) -> String {
    if matches!(c, '\\' | ']' | '^' | '-') { format!("[^\\{c}]") } else { format!("[^{c}]") }
}

/// `length(split(separator, subject)) == count`: how often a separator of one character occurs in
/// the string, plus one.
pub fn split_into(separator: &str, count: u64) -> Option<ValueSet> {
    let mut chars = separator.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    let Some(separators) = count.checked_sub(1) else { return Some(ValueSet::Nothing) };
    let other = not_in_class(c) + "*";
    let body = match separators {
        0 => other,
        1 => format!("{other}{}{other}", escape(separator)),
        n => format!("{other}(?:{}{other}){{{n}}}", escape(separator)),
    };
    Some(ValueSet::Matches(format!("^{body}$")))
}
