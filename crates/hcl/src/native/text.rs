//! Text of strings: escapes and normalisation.

use std::borrow::Cow;

use smol_str::SmolStr;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{Parser, Token, TokenKind as T};

impl Parser<'_> {
    /// The text of a text token, after escapes. Wrong escapes are reported and kept as written.
    pub(super) fn decoded(&mut self, token: Token) -> Cow<'_, str> {
        let text = self.text(token);
        let quoted = token.kind == T::QuotedText;
        let plain = if quoted {
            memchr::memchr3(b'\\', b'$', b'%', text.as_bytes()).is_none()
        } else {
            memchr::memchr2(b'$', b'%', text.as_bytes()).is_none()
        };
        if plain {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = memchr::memchr3(b'\\', b'$', b'%', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with("$${") || rest.starts_with("%%{") {
                out.push_str(&rest[1..3]);
                rest = &rest[3..];
            } else if quoted && rest.starts_with('\\') {
                let len = match escape(rest) {
                    Ok((char, len)) => {
                        out.push(char);
                        len
                    }
                    Err(len) => {
                        let start = token.start + clamp(text.len() - rest.len());
                        self.bad_escape(Token { start, end: start + clamp(len), ..token }, rest);
                        out.push_str(&rest[..len]);
                        len
                    }
                };
                rest = &rest[len..];
            } else {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    fn bad_escape(&mut self, at: Token, rest: &str) {
        let help = match rest.chars().nth(1) {
            Some('u') => "Write four hexadecimal digits after \\u: \\u00e9.",
            Some('U') => "Write eight hexadecimal digits after \\U: \\U0001f600.",
            Some('$' | '%') => "Write $${ for a literal ${, and %%{ for a literal %{.",
            _ => {
                "The escapes are \\n, \\r, \\t, \\\", \\\\, \\uXXXX and \\UXXXXXXXX; write \\\\ \
                for a backslash."
            }
        };
        let diagnostic = self
            .diagnostic(
                at,
                "Invalid escape sequence",
                "This backslash does not begin a known \
                escape sequence.",
            )
            .help(help);
        self.report(diagnostic);
    }
}

/// Text as HCL keeps it: Unicode NFC.
pub fn normalized(text: &str) -> SmolStr {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return SmolStr::new(text);
    }
    text.nfc().collect()
}

/// The character and the length of the escape at the start of `text`. Errors: the length of the wrong
/// part.
fn escape(text: &str) -> Result<(char, usize), usize> {
    let Some(letter) = text[1..].chars().next() else { return Err(1) };
    let char = match letter {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '"' | '\\' => letter,
        'u' => return code_point(text, 4),
        'U' => return code_point(text, 8),
        _ => return Err(1 + letter.len_utf8()),
    };
    Ok((char, 2))
}

fn code_point(text: &str, digits: usize) -> Result<(char, usize), usize> {
    let found = text[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let len = 2 + found;
    if found < digits {
        return Err(len);
    }
    let code = u32::from_str_radix(&text[2..len], 16).map_err(|_| len)?;
    char::from_u32(code).map(|it| (it, len)).ok_or(len)
}

fn clamp(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
