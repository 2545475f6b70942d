//! Flags and the openings of groups.

use super::{
    Dialect,
    error::{Error, ErrorKind},
};

/// Flags that are on at a place in the pattern.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the syntax")]
pub(super) struct Flags {
    /// `i`
    pub fold_case: bool,
    /// `m`
    pub multi_line: bool,
    /// `s`
    pub dot_newline: bool,
    /// `U`
    pub swap_greed: bool,
}

/// What an opening parenthesis begins.
pub(super) enum Opening<'p> {
    /// `(` or `(?P<name>` or `(?<name>`
    Capture(Option<&'p str>),
    /// `(?:` or `(?i:`: a group with these flags.
    Group(Flags),
    /// `(?i)`: no group, but other flags from here.
    Flags(Flags),
}

/// Reads the opening at the start of `text` and its length in bytes.
pub(super) fn opening(
    text: &str,
    flags: Flags,
    dialect: Dialect,
) -> Result<(Opening<'_>, usize), Error> {
    let Some(inside) = text.strip_prefix("(?") else { return Ok((Opening::Capture(None), 1)) };
    let is_short = dialect.short_names && inside.starts_with('<');
    let name_start = if is_short && inside.len() > 1 {
        Some(3)
    } else if inside.starts_with("P<") && inside.len() > 2 {
        Some(4)
    } else {
        None
    };
    match name_start {
        Some(start) => named(text, start),
        None => flag_group(text, flags),
    }
}

fn named(text: &str, start: usize) -> Result<(Opening<'_>, usize), Error> {
    let Some(end) = text.find('>') else {
        return Err(Error::new(ErrorKind::InvalidNamedCapture, text));
    };
    let name = &text[start..end];
    let valid = |it: u8| it == b'_' || it.is_ascii_alphanumeric();
    if name.is_empty() || !name.bytes().all(valid) {
        return Err(Error::new(ErrorKind::InvalidNamedCapture, &text[..=end]));
    }
    Ok((Opening::Capture(Some(name)), end + 1))
}

fn flag_group(text: &str, mut flags: Flags) -> Result<(Opening<'_>, usize), Error> {
    let mut negative = false;
    let mut saw_flag = false;
    let mut length = 2;
    for char in text[2..].chars() {
        length += char.len_utf8();
        match char {
            'i' => flags.fold_case = !negative,
            'm' => flags.multi_line = !negative,
            's' => flags.dot_newline = !negative,
            'U' => flags.swap_greed = !negative,
            '-' if !negative => {
                negative = true;
                saw_flag = false;
                continue;
            }
            ':' if saw_flag || !negative => return Ok((Opening::Group(flags), length)),
            ')' if saw_flag || !negative => return Ok((Opening::Flags(flags), length)),
            _ => break,
        }
        saw_flag = true;
    }
    Err(Error::new(ErrorKind::InvalidPerlOp, &text[..length]))
}
