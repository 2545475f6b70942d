//! Tokens of JSON. A character that cannot begin a token ends the scan, as in HCL.

use smol_str::{SmolStr, SmolStrBuilder};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Colon,
    Comma,
    Equals,
    /// From the opening quote to the closing one, or to an earlier control character or end of input.
    String,
    /// Any text that begins like a number; not checked yet.
    Number,
    /// `true`, or any other word.
    Word,
    Unknown,
    End,
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// Scans on demand, one token ahead.
pub struct Scanner<'a> {
    pub bytes: &'a [u8],
    next: Lexeme,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, next: scan(bytes, 0) }
    }

    pub fn peek(&self) -> Lexeme {
        self.next
    }

    pub fn next(&mut self) -> Lexeme {
        let lexeme = self.next;
        self.next = if lexeme.token == Token::Unknown {
            Lexeme { token: Token::End, start: lexeme.end, end: lexeme.end }
        } else {
            scan(self.bytes, lexeme.end)
        };
        lexeme
    }
}

fn scan(bytes: &[u8], from: usize) -> Lexeme {
    let rest = bytes.get(from..).unwrap_or_default();
    let space = rest.iter().take_while(|it| matches!(it, b' ' | b'\t' | b'\n' | b'\r')).count();
    let start = from + space;
    let rest = rest.get(space..).unwrap_or_default();
    let (token, len) = match rest.first() {
        None => (Token::End, 0),
        Some(b'{') => (Token::OpenBrace, 1),
        Some(b'}') => (Token::CloseBrace, 1),
        Some(b'[') => (Token::OpenBracket, 1),
        Some(b']') => (Token::CloseBracket, 1),
        Some(b':') => (Token::Colon, 1),
        Some(b',') => (Token::Comma, 1),
        Some(b'=') => (Token::Equals, 1),
        Some(b'"') => (Token::String, string_len(rest)),
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => (Token::Number, count(rest, is_number_byte)),
        Some(b'a'..=b'z' | b'A'..=b'Z') => {
            (Token::Word, count(rest, |it| it.is_ascii_alphabetic() || it == b'_'))
        }
        Some(_) => (Token::Unknown, 1),
    };
    Lexeme { token, start, end: start + len }
}

fn count(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|it| belongs(**it)).count()
}

fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

fn string_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            0..0x20 => return at,
            b'\\' if bytes.get(at + 1).is_some_and(|it| *it >= 0x20) => at += 2,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

// Decoding of JSON strings.

/// The text of a string token, which includes its quotes. Errors: the offset just behind the first wrong
/// byte, counted from the opening quote.
pub fn decode(token: &[u8]) -> Result<SmolStr, usize> {
    let [b'"', inner @ .., b'"'] = token else { return Err(unclosed(token)) };
    if memchr::memchr(b'\\', inner).is_none()
        && let Ok(text) = std::str::from_utf8(inner)
    {
        return Ok(SmolStr::new(text));
    }
    let mut out = SmolStrBuilder::new();
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', &inner[at..]) {
        push_text(&mut out, &inner[at..at + len]);
        at += len;
        at += push_escape(&mut out, &inner[at..]).map_err(|it| 1 + at + it)?;
        if at == inner.len() + 1 {
            return Err(token.len());
        }
    }
    push_text(&mut out, &inner[at..]);
    Ok(out.finish())
}

/// The place of the error in a string without its closing quote: a wrong escape, or else its end.
fn unclosed(token: &[u8]) -> usize {
    let inner = token.get(1..).unwrap_or_default();
    let mut scratch = SmolStrBuilder::new();
    let mut at = 0;
    while let Some(len) = memchr::memchr(b'\\', inner.get(at..).unwrap_or_default()) {
        at += len;
        match push_escape(&mut scratch, &inner[at..]) {
            Ok(len) => at += len,
            Err(wrong) if at + wrong <= inner.len() => return 1 + at + wrong,
            Err(_) => break,
        }
    }
    token.len()
}

/// Adds bytes as text, with U+FFFD for each byte that is not UTF-8.
fn push_text(out: &mut SmolStrBuilder, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| out.push('\u{fffd}'));
    }
}

/// Adds the character of the escape at the start of `bytes` and returns the escape's length. Errors: the
/// offset just behind the wrong byte.
fn push_escape(out: &mut SmolStrBuilder, bytes: &[u8]) -> Result<usize, usize> {
    let char = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let high = code_unit(bytes)?;
            let low = bytes.get(6..).filter(|it| it.starts_with(b"\\u")).map(code_unit);
            if let Some(Ok(low)) = low
                && let Some(Ok(char)) = char::decode_utf16([high, low]).next()
                && char.len_utf16() == 2
            {
                out.push(char);
                return Ok(12);
            }
            out.push(char::from_u32(u32::from(high)).unwrap_or('\u{fffd}'));
            return Ok(6);
        }
        _ => return Err(2),
    };
    out.push(char);
    Ok(2)
}

fn code_unit(bytes: &[u8]) -> Result<u16, usize> {
    let mut code = 0;
    for at in 2..6 {
        let digit = bytes.get(at).and_then(|it| char::from(*it).to_digit(16)).ok_or(at + 1)?;
        code = code * 16 + digit;
    }
    u16::try_from(code).map_err(|_| 6)
}
