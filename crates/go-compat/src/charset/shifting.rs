//! Encodings whose bytes change their meaning with what came before: HZ and ISO 2022-JP.

use encoding_rs::EUC_JP;

use super::{
    decode_by,
    east_asia::{decode_gbk, encode_euc_jp, encode_gbk},
};

/// ASCII as it is, and GB 2312 between `~{` and `~}`. A tilde does not end what is between.
pub(super) fn encode_hz(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut is_ascii = true;
    for char in text.chars() {
        if char == '~' {
            bytes.extend(b"~~");
        } else if let Some(ascii) = u8::try_from(char).ok().filter(u8::is_ascii) {
            if !is_ascii {
                bytes.extend(b"~}");
            }
            is_ascii = true;
            bytes.push(ascii);
        } else {
            let [row, cell] = *encode_gbk(char)? else { return None };
            if !(0xa1..0xfe).contains(&row) || !(0xa1..0xff).contains(&cell) {
                return None;
            }
            if is_ascii {
                bytes.extend(b"~{");
            }
            is_ascii = false;
            bytes.extend([row - 0x80, cell - 0x80]);
        }
    }
    Some(bytes)
}

pub(super) fn decode_hz(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    let mut is_ascii = true;
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return Some(text),
            [b'~', b'{', rest @ ..] => {
                is_ascii = false;
                rest
            }
            [b'~', b'}', rest @ ..] => {
                is_ascii = true;
                rest
            }
            [b'~', b'~', rest @ ..] => {
                text.push('~');
                rest
            }
            [b'~', b'\n', rest @ ..] => rest,
            [b'~', ..] => return None,
            [ascii @ 0..0x80, rest @ ..] if is_ascii => {
                text.push(char::from(*ascii));
                rest
            }
            [row @ 0x21..0x7e, cell @ 0x21..0x7f, rest @ ..] if !is_ascii => {
                text.push_str(&decode_gbk(&[row + 0x80, cell + 0x80])?);
                rest
            }
            _ => return None,
        };
    }
}

/// What the bytes of ISO 2022 encode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    Ascii,
    Katakana,
    Jis0208,
    /// Read, but not written.
    Jis0212,
}

impl Shift {
    fn escape(self) -> &'static [u8] {
        match self {
            Shift::Ascii => b"\x1b(B",
            Shift::Katakana => b"\x1b(I",
            Shift::Jis0208 => b"\x1b$B",
            Shift::Jis0212 => b"\x1b$(D",
        }
    }
}

/// Half-width katakana have a set of their own, and the text ends in ASCII.
pub(super) fn encode_iso2022jp(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut shift = Shift::Ascii;
    let mut put = |wanted: Shift, put: &[u8]| {
        if wanted != shift {
            shift = wanted;
            bytes.extend(wanted.escape());
        }
        bytes.extend(put);
    };
    for char in text.chars() {
        match char {
            '\0'..='\x7f' => put(Shift::Ascii, &[u8::try_from(char).ok()?]),
            '\u{ff61}'..='\u{ff9f}' => {
                let byte = u8::try_from(u32::from(char) - 0xff61 + 0x21).ok()?;
                put(Shift::Katakana, &[byte]);
            }
            _ => {
                let [row, cell] = *encode_euc_jp(char)? else { return None };
                put(Shift::Jis0208, &[row.checked_sub(0x80)?, cell.checked_sub(0x80)?]);
            }
        }
    }
    put(Shift::Ascii, &[]);
    Some(bytes)
}

pub(super) fn decode_iso2022jp(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    let mut shift = Shift::Ascii;
    let mut rest = bytes;
    loop {
        rest = match (shift, rest) {
            (_, []) => return Some(text),
            (_, [0x1b, ..]) => {
                let (wanted, after) = shifted(rest)?;
                shift = wanted;
                after
            }
            (Shift::Ascii, [ascii @ 0..0x80, rest @ ..]) => {
                text.push(char::from(*ascii));
                rest
            }
            (Shift::Katakana, [byte @ 0x21..0x60, rest @ ..]) => {
                text.push(char::from_u32(u32::from(*byte) - 0x21 + 0xff61)?);
                rest
            }
            (Shift::Jis0208 | Shift::Jis0212, [b'\n', rest @ ..]) => {
                shift = Shift::Ascii;
                text.push('\n');
                rest
            }
            (Shift::Jis0208, [row @ 0x21..0x80, cell @ 0x21..0x80, rest @ ..]) => {
                text.push_str(&decode_by(EUC_JP, &[row + 0x80, cell + 0x80])?);
                rest
            }
            (Shift::Jis0212, [row @ 0x21..0x80, cell @ 0x21..0x80, rest @ ..]) => {
                text.push_str(&decode_by(EUC_JP, &[0x8f, row + 0x80, cell + 0x80])?);
                rest
            }
            _ => return None,
        };
    }
}

/// What an escape sequence shifts to, and what follows it.
fn shifted(bytes: &[u8]) -> Option<(Shift, &[u8])> {
    let known: [(&[u8], Shift); 6] = [
        (b"\x1b(B", Shift::Ascii),
        (b"\x1b(J", Shift::Ascii),
        (b"\x1b(I", Shift::Katakana),
        (b"\x1b$@", Shift::Jis0208),
        (b"\x1b$B", Shift::Jis0208),
        (b"\x1b$(D", Shift::Jis0212),
    ];
    known.into_iter().find_map(|(escape, shift)| Some((shift, bytes.strip_prefix(escape)?)))
}
