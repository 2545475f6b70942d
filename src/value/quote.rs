//! Text in double quotes as Go's `%q` writes it.

use std::fmt::Write;

/// `text` in double quotes; quotes, backslashes and what cannot be printed are escaped.
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

/// Not a control, format or private character, and no space but U+0020.
fn is_printable(char: char) -> bool {
    let hidden = matches!(u32::from(char),
        0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e
        | 0x2060..=0x206f | 0xe000..=0xf8ff | 0xfeff | 0xfff9..=0xfffb | 0x110bd | 0xe0001
        | 0xe0020..=0xe007f | 0xf_0000..);
    char == ' ' || !(hidden || char.is_control() || char.is_whitespace())
}
