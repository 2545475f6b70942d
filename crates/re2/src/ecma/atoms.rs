//! Single code points in ECMA-262 syntax.

use super::super::ast::Atom;

/// Where a code point is.
#[derive(Clone, Copy)]
pub enum Surrounding {
    Outside,
    /// In a class. With `dash`, a plain `-` means itself there.
    InClass {
        dash: bool,
    },
}

/// A code point in ECMA-262 syntax: as the author wrote it where that is the same there.
pub(super) fn atom(source: &str, it: &Atom, place: Surrounding) -> String {
    let text = &source[it.source.clone()];
    let Some(char) = char::from_u32(it.code) else {
        // A surrogate matches nothing, here and in any text that JSON can carry.
        return escaped(it.code);
    };
    // In a quotation (`\Q…\E`) a backslash means itself.
    match text.strip_prefix('\\').filter(|it| !it.is_empty()) {
        None => plain(char, place),
        Some(escape) => escape_text(text, escape, char, place),
    }
}

/// A code point that must not be written as it is. It is escaped where an escape means the same
/// everywhere: Go and Python do not know `\u{…}`, and Go does not even know `\u…`.
pub(super) fn escaped(code: u32) -> String {
    match char::from_u32(code) {
        Some('\0'..='\u{ff}') => format!(r"\x{code:02x}"),
        Some(char) => char.to_string(),
        // With braces two surrogates do not become one character.
        None => format!(r"\u{{{code:x}}}"),
    }
}

/// A code point for a range that nobody wrote: itself when it is printable ASCII.
pub fn bound(char: char) -> String {
    match char {
        '\t' => r"\t".to_owned(),
        '\n' => r"\n".to_owned(),
        '\r' => r"\r".to_owned(),
        '^' => r"\^".to_owned(),
        ' '..='~' => plain(char, Surrounding::InClass { dash: false }),
        _ => escaped(char as u32),
    }
}

/// A code point that nobody wrote.
pub fn character(char: char, place: Surrounding) -> String {
    if char.is_ascii_control() { escaped(char as u32) } else { plain(char, place) }
}

fn plain(char: char, place: Surrounding) -> String {
    let special = match place {
        Surrounding::Outside => is_syntax(char),
        Surrounding::InClass { dash } => matches!(char, '\\' | ']') || (char == '-' && !dash),
    };
    if special { format!("\\{char}") } else { char.to_string() }
}

fn escape_text(text: &str, escape: &str, char: char, place: Surrounding) -> String {
    let kept = match escape.as_bytes() {
        [b'x', b'{', ..] => return escaped(char as u32),
        [b'f' | b'n' | b'r' | b't' | b'v'] | [b'x', _, _] => true,
        [b'-'] if matches!(place, Surrounding::InClass { .. }) => true,
        [it] if it.is_ascii_alphanumeric() => false,
        [it] if is_syntax(*it as char) || *it == b'/' => true,
        [it] if !it.is_ascii_control() => return plain(char, place),
        _ => false,
    };
    if kept { text.to_owned() } else { escaped(char as u32) }
}

fn is_syntax(char: char) -> bool {
    "^$\\.*+?()[]{}|".contains(char)
}
