//! Verbs such as `%-5.2[3]f`, and numbers as Go's `big.Int` and `big.Float` are written for one.
//!
//! Libraries for printf write C's: an octal prefix and precision mean something else there, `%g`, `%v` and
//! `%[2]d` do not exist, and none writes a number of 512 bits. Of 2,000 random verbs for one number
//! `sprintf` 0.4.3 writes 1,016 otherwise than Go.

use super::GoError;
use num_bigint::{BigInt, Sign};
use tf_value::{Number, NumberStyle, quoted};

// Numbers as Go's `big.Int` and `big.Float` format them.

/// `%b`, `%d`, `%o`, `%x`, `%X`: the precision is the least number of digits.
pub fn integer(verb: &Verb<'_>, value: &BigInt) -> String {
    let (radix, prefix) = match verb.mode {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    let mut digits = value.magnitude().to_str_radix(radix);
    if verb.mode == 'X' {
        digits.make_ascii_uppercase();
    }
    if digits == "0" && verb.precision == Some(0) {
        return String::new();
    }
    let prefix = if verb.sharp { prefix } else { "" };
    let sign = sign(verb, value.sign() == Sign::Minus);
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let mut missing = verb.width.unwrap_or(0).saturating_sub(length);
    if verb.zero && !verb.minus && verb.precision.is_none() {
        zeros = std::mem::take(&mut missing);
    }
    let zeros = "0".repeat(zeros);
    aligned(verb, &format!("{sign}{prefix}{zeros}{digits}"), missing)
}

/// `%e`, `%E`, `%f`, `%g`, `%G`.
pub fn float(verb: &Verb<'_>, value: &Number) -> String {
    let (style, default) = match verb.mode {
        'e' | 'E' => (NumberStyle::Exponent, Some(6)),
        'f' => (NumberStyle::Plain, Some(6)),
        _ => (NumberStyle::General, None),
    };
    let mut text = value.to_text(style, verb.precision.or(default));
    if verb.mode.is_ascii_uppercase() && !value.is_infinite() {
        text.make_ascii_uppercase();
    }
    let positive_infinity = text.strip_prefix('+').map(str::to_owned);
    let sign = match &positive_infinity {
        Some(_) if verb.space => " ",
        Some(_) => "+",
        None => sign(verb, text.starts_with('-')),
    };
    let digits = positive_infinity.as_deref().unwrap_or(text.trim_start_matches('-'));
    let missing = verb.width.unwrap_or(0).saturating_sub(sign.len() + digits.len());
    // Unlike for integers the zeros win over `-`.
    if verb.zero && !value.is_infinite() {
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    aligned(verb, &format!("{sign}{digits}"), missing)
}

fn sign(verb: &Verb<'_>, negative: bool) -> &'static str {
    match (negative, verb.plus, verb.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    }
}

fn aligned(verb: &Verb<'_>, text: &str, missing: usize) -> String {
    let padding = " ".repeat(missing);
    if verb.minus { format!("{text}{padding}") } else { format!("{padding}{text}") }
}

// Parsing of a format string.

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
