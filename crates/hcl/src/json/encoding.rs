//! The text of JSON that a shell wrote. Windows PowerShell's `>` writes UTF-16, and its `Out-File -Encoding utf8`
//! writes a byte order mark.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes that are not in their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// The encoding's name: `UTF-8`, `UTF-16LE`, `UTF-16BE`.
    pub encoding: &'static str,
    /// The first line with such bytes; `None` in UTF-16.
    pub line: Option<usize>,
}

/// Decodes JSON in UTF-8 or UTF-16, with or without a byte order mark.
pub fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Undecodable> {
    let (encoding, length) = match Encoding::for_bom(bytes) {
        Some(it) => it,
        // The first character of JSON is ASCII, so UTF-16 shows by a zero next to it.
        None => match bytes {
            [0, second, ..] if *second != 0 => (UTF_16BE, 0),
            [first, 0, ..] if *first != 0 => (UTF_16LE, 0),
            _ => (UTF_8, 0),
        },
    };
    let text = &bytes[length..];
    if encoding == UTF_8 {
        return std::str::from_utf8(text).map(Cow::Borrowed).map_err(|error| {
            let before = &text[..error.valid_up_to()];
            let line = Some(memchr::memchr_iter(b'\n', before).count() + 1);
            Undecodable { encoding: encoding.name(), line }
        });
    }
    encoding
        .decode_without_bom_handling_and_without_replacement(text)
        .ok_or(Undecodable { encoding: encoding.name(), line: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, write: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(write).collect()
    }

    #[test]
    fn every_encoding_of_a_shell_is_read() {
        let text = "{\"ä\": \"𝄞\"}";
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            utf16(text, u16::to_le_bytes),
            utf16(text, u16::to_be_bytes),
            [b"\xff\xfe".to_vec(), utf16(text, u16::to_le_bytes)].concat(),
            [b"\xfe\xff".to_vec(), utf16(text, u16::to_be_bytes)].concat(),
        ] {
            assert_eq!(decoded(&bytes).as_deref(), Ok(text), "{bytes:?}");
        }
        assert_eq!(decoded(b"").as_deref(), Ok(""));
        assert_eq!(decoded(b"1").as_deref(), Ok("1"));
    }

    #[test]
    fn bytes_of_no_encoding_are_an_error() {
        let of = |bytes: &[u8]| decoded(bytes).map_err(|it| (it.encoding, it.line)).unwrap_err();
        assert_eq!(of(b"{\n\xff}"), ("UTF-8", Some(2)));
        // Half of a character, and half of a pair.
        assert_eq!(of(b"\xff\xfe{\0}"), ("UTF-16LE", None));
        assert_eq!(of(b"\xfe\xff\xd8\0"), ("UTF-16BE", None));
    }
}
