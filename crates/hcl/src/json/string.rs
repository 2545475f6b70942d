//! Decoding of JSON strings.

use smol_str::{SmolStr, SmolStrBuilder};

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
