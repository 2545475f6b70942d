//! Parsing of a format string.

use crate::GoError;
use tf_value::quoted;

/// A verb such as `%-5.2[3]f`.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the format")]
pub struct Verb<'f> {
    pub raw: &'f str,
    /// Where it is in the format, in bytes.
    pub offset: usize,
    pub plus: bool,
    pub minus: bool,
    pub sharp: bool,
    pub space: bool,
    pub zero: bool,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    /// The number of the argument, from 1, where the verb names it.
    pub argument: Option<usize>,
    pub mode: char,
}

/// A part of a format string.
pub enum FormatPart<'f> {
    Text(&'f str),
    Verb(Verb<'f>),
}

/// Reads a format string part by part; what comes before an error is still given.
pub struct Parts<'f> {
    format: &'f str,
    position: usize,
}

impl<'f> Parts<'f> {
    pub fn new(format: &'f str) -> Parts<'f> {
        Parts { format, position: 0 }
    }

    /// The next part; `None` at the end.
    pub fn next_part(&mut self) -> Result<Option<FormatPart<'f>>, GoError> {
        let start = self.position;
        let rest = &self.format[start..];
        if rest.is_empty() {
            return Ok(None);
        }
        if rest.starts_with("%%") {
            self.position += 2;
            return Ok(Some(FormatPart::Text("%")));
        }
        if !rest.starts_with('%') {
            let length = rest.find('%').unwrap_or(rest.len());
            self.position += length;
            return Ok(Some(FormatPart::Text(&rest[..length])));
        }
        self.verb().map(|verb| Some(FormatPart::Verb(verb)))
    }

    fn verb(&mut self) -> Result<Verb<'f>, GoError> {
        let offset = self.position;
        self.position += 1;
        let flags = self.take(|it| b"+-# 0".contains(&it));
        let width = self.number();
        let precision = self.skip(b'.').then(|| self.number().unwrap_or(0));
        let argument = if self.skip(b'[') { Some(self.argument()?) } else { None };
        let mode = self.current()?;
        if !mode.is_ascii_alphabetic() {
            return Err(self.unexpected(mode));
        }
        self.position += 1;
        Ok(Verb {
            raw: &self.format[offset..self.position],
            offset,
            plus: flags.contains('+'),
            minus: flags.contains('-'),
            sharp: flags.contains('#'),
            space: flags.contains(' '),
            zero: flags.contains('0'),
            width,
            precision,
            argument,
            mode,
        })
    }

    /// The index in `[n]`, behind the opening bracket.
    fn argument(&mut self) -> Result<usize, GoError> {
        let first = self.current()?;
        if !matches!(first, '1'..='9') {
            return Err(self.unexpected(first));
        }
        let number = self.number().unwrap_or(usize::MAX);
        if !self.skip(b']') {
            let char = self.current()?;
            return Err(self.unexpected(char));
        }
        Ok(number)
    }

    fn take(&mut self, accept: impl Fn(u8) -> bool) -> &'f str {
        let rest = &self.format[self.position..];
        let length = rest.bytes().position(|it| !accept(it)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.take(|it| it.is_ascii_digit());
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.format.as_bytes().get(self.position) == Some(&byte);
        self.position += usize::from(found);
        found
    }

    fn current(&self) -> Result<char, GoError> {
        self.format[self.position..].chars().next().ok_or_else(|| {
            let end = self.format.len();
            GoError::new(format!("invalid format string starting at offset {end}"))
        })
    }

    fn unexpected(&self, char: char) -> GoError {
        let offset = self.position;
        let char = quoted_char(char);
        GoError::new(format!("unrecognized format character {char} at offset {offset}"))
    }
}

/// A character in single quotes.
pub fn quoted_char(char: char) -> String {
    match char {
        '\'' => r"'\''".to_owned(),
        '"' => r#"'"'"#.to_owned(),
        _ => format!("'{}'", quoted(char.encode_utf8(&mut [0; 4])).trim_matches('"')),
    }
}
