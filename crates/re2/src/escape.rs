//! Escapes for one code point.

use super::error::{Error, ErrorKind};

/// Reads the escape at the start of `text` (a backslash): its code point and its length in bytes.
/// The code point may be a surrogate.
pub(super) fn escape(text: &str) -> Result<(u32, usize), Error> {
    let mut reader = EscapeReader { text, taken: 1 };
    let Some(letter) = reader.next() else {
        return Err(Error::new(ErrorKind::TrailingBackslash, ""));
    };
    match reader.code_point(letter) {
        Some(code) => Ok((code, reader.taken)),
        None => Err(Error::new(ErrorKind::InvalidEscape, &text[..reader.taken])),
    }
}

/// What has been read is what an error quotes.
struct EscapeReader<'p> {
    text: &'p str,
    taken: usize,
}

impl EscapeReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.taken..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.taken += char.len_utf8();
        Some(char)
    }

    fn code_point(&mut self, letter: char) -> Option<u32> {
        match letter {
            '0' => Some(self.octal(0)),
            '1'..='7' if self.peek().is_some_and(|it| it.is_digit(8)) => {
                Some(self.octal(letter as u32 - '0' as u32))
            }
            'x' => self.hexadecimal(),
            'a' => Some(0x07),
            'f' => Some(0x0C),
            'n' => Some(0x0A),
            'r' => Some(0x0D),
            't' => Some(0x09),
            'v' => Some(0x0B),
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some(letter as u32),
            _ => None,
        }
    }

    /// Up to two more octal digits.
    fn octal(&mut self, first: u32) -> u32 {
        let mut code = first;
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|it| it.to_digit(8)) else { break };
            self.taken += 1;
            code = code * 8 + digit;
        }
        code
    }

    /// `\xHH` or `\x{H…}`, after the `x`.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next()?;
        if first == '{' {
            return self.braced();
        }
        let second = self.next()?;
        Some(first.to_digit(16)? * 16 + second.to_digit(16)?)
    }

    fn braced(&mut self) -> Option<u32> {
        let mut code = None;
        loop {
            let char = self.next()?;
            if char == '}' {
                return code;
            }
            let value = code.unwrap_or(0) * 16 + char.to_digit(16)?;
            if value > 0x0010_FFFF {
                return None;
            }
            code = Some(value);
        }
    }
}
