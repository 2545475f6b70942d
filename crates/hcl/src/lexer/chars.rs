//! Characters: sequences shaped like UTF-8, and the characters of identifiers.

use super::unicode::is_newer;

/// The length of the sequence at the start of `bytes` that is shaped like UTF-8: a lead byte and as many
/// continuation bytes as it announces. As in HCL's own scanner, the code point may be invalid. `None`
/// for bytes of another shape.
pub fn shape_len(bytes: &[u8]) -> Option<usize> {
    let len = match *bytes.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return None,
    };
    let rest = bytes.get(1..len)?;
    rest.iter().all(|it| it & 0xc0 == 0x80).then_some(len)
}

/// The length of the identifier at the start of `bytes`; 0 if there is none.
pub fn ident_len(bytes: &[u8]) -> usize {
    let mut len = match bytes.first() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => 1,
        Some(0x80..) => match first_char(bytes) {
            Some(it) if is_ident_start(it) => it.len_utf8(),
            _ => return 0,
        },
        _ => return 0,
    };
    while let Some(byte) = bytes.get(len) {
        if byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-' {
            len += 1;
        } else if *byte < 0x80 {
            break;
        } else {
            match first_char(&bytes[len..]) {
                Some(it) if is_ident_continue(it) => len += it.len_utf8(),
                _ => break,
            }
        }
    }
    len
}

/// Whether the text is an identifier of HCL: letters, digits, `_` and `-`, not beginning with a digit or
/// `-`.
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && ident_len(text.as_bytes()) == text.len()
}

fn first_char(bytes: &[u8]) -> Option<char> {
    let len = shape_len(bytes)?;
    std::str::from_utf8(bytes.get(..len)?).ok()?.chars().next()
}

fn is_ident_start(it: char) -> bool {
    let is_start = unicode_ident::is_xid_start(it) || only_id(it) || only_id_start(it);
    is_start && !began_none(it) && !is_newer(it)
}

fn is_ident_continue(it: char) -> bool {
    (unicode_ident::is_xid_continue(it) || only_id(it)) && !is_newer(it)
}

/// Characters with `ID_Start` but without either `XID` property.
fn only_id(it: char) -> bool {
    matches!(
        it,
        '\u{37a}' | '\u{309b}' | '\u{309c}' | '\u{fc5e}'
            ..='\u{fc63}'
                | '\u{fdfa}'
                | '\u{fdfb}'
                | '\u{fe70}'
                | '\u{fe72}'
                | '\u{fe74}'
                | '\u{fe76}'
                | '\u{fe78}'
                | '\u{fe7a}'
                | '\u{fe7c}'
                | '\u{fe7e}'
    )
}

/// Characters with `ID_Start` that have `XID_Continue` but not `XID_Start`.
fn only_id_start(it: char) -> bool {
    matches!(it, '\u{e33}' | '\u{eb3}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Characters that continued an identifier but began none in Unicode 9.
fn began_none(it: char) -> bool {
    matches!(it, '\u{1cf2}' | '\u{1cf3}')
}
