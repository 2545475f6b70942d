//! Tokens of JSON. A character that cannot begin a token ends the scan, as in HCL.

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
