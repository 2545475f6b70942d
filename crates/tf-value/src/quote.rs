//! Quotes text as Go's `%q` does.

use std::{fmt::Write, sync::LazyLock};

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

/// `text` in double quotes; quotes, backslashes and unprintable characters are escaped.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    text.chars().for_each(|it| push(&mut quoted, it));
    quoted.push('"');
    quoted
}

fn push(quoted: &mut String, char: char) {
    let short = match char {
        '"' | '\\' => Some(char),
        '\x07' => Some('a'),
        '\x08' => Some('b'),
        '\x0c' => Some('f'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        '\x0b' => Some('v'),
        _ => None,
    };
    let _ = match (short, u32::from(char)) {
        (Some(short), _) => write!(quoted, "\\{short}"),
        (None, code @ (0..0x20 | 0x7f)) => write!(quoted, "\\x{code:02x}"),
        (None, _) if is_printable(char) => write!(quoted, "{char}"),
        (None, code @ 0..=0xffff) => write!(quoted, "\\u{code:04x}"),
        (None, code) => write!(quoted, "\\U{code:08x}"),
    };
}

/// Whether a character is a letter, mark, number, punctuation, symbol, or the space U+0020.
pub fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return matches!(char, ' '..='~');
    }
    let ranges = PRINTABLE.ranges();
    let after = ranges.partition_point(|it| it.end() < char);
    ranges.get(after).is_some_and(|it| it.start() <= char)
}

static PRINTABLE: LazyLock<ClassUnicode> = LazyLock::new(|| {
    let class = regex_syntax::parse(r"[\p{L}\p{M}\p{N}\p{P}\p{S}]").ok();
    match class.map(regex_syntax::hir::Hir::into_kind) {
        Some(HirKind::Class(Class::Unicode(it))) => it,
        _ => ClassUnicode::empty(),
    }
});
