//! Character encodings as Go's `golang.org/x/text` has them, for `textencodebase64` and `textdecodebase64`: their
//! names, and which bytes encode which characters.
//!
//! The tables of `encoding_rs` are used where they are Go's. They are the WHATWG's, which give the
//! bytes that a table leaves out to the C1 control characters, take ISO 8859-1 for windows-1252, and
//! know neither IBM's code pages nor HZ; the East Asian ones differ in details of their own. 57 encodings are
//! held against what Go gave for every byte and a draw of characters.
//!
//! Of these 57 `encoding_rs` 0.8.44 lacks 12, is Go's in 7, and differs in 38: it reads 86,732 of 437,760
//! sequences of one or two bytes otherwise, and writes 11,492 of 117,225 characters otherwise (7,815 of them
//! because it does not write UTF-16).

mod east_asia;
mod names;
mod pages;
mod shifting;

use encoding_rs::Encoding;

pub use names::charset;

/// A character encoding.
#[derive(Clone, Copy, Debug)]
pub enum Charset {
    Ascii,
    Utf8,
    /// With a byte order mark, big-endian without one.
    Utf16,
    Utf16Be,
    Utf16Le,
    Latin1,
    /// ISO 8859-9, which differs from ISO 8859-1 in the Turkish letters.
    Latin5,
    /// A table without C1 control characters.
    Table(&'static Encoding),
    /// A table of the bytes from a first one on. A character may replace another one of the table.
    Page {
        first: u8,
        table: &'static str,
        replaced: Option<(char, char)>,
    },
    EucJp,
    ShiftJis,
    Iso2022Jp,
    Gbk,
    Gb18030,
    HzGb2312,
    Big5,
}

impl Charset {
    /// The text in this encoding; nothing when it lacks one of the characters.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Charset::Utf8 => Some(text.into()),
            Charset::Utf16 => Charset::Utf16Be.encode(&format!("\u{feff}{text}")),
            Charset::Utf16Be => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Charset::Utf16Le => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Charset::Iso2022Jp => shifting::encode_iso2022jp(text),
            Charset::HzGb2312 => shifting::encode_hz(text),
            _ => {
                let mut bytes = Vec::with_capacity(text.len());
                for char in text.chars() {
                    self.encode_char(char, &mut bytes)?;
                }
                Some(bytes)
            }
        }
    }

    fn encode_char(self, char: char, bytes: &mut Vec<u8>) -> Option<()> {
        let own = |byte: Option<u8>| byte.map(|it| vec![it]);
        let encoded = match self {
            Charset::Page { .. } => own(self.position(char)),
            _ if char.is_ascii() => own(u8::try_from(char).ok()),
            Charset::EucJp => east_asia::encode_euc_jp(char),
            Charset::ShiftJis => east_asia::encode_shift_jis(char),
            Charset::Gbk => east_asia::encode_gbk(char),
            Charset::Gb18030 => east_asia::encode_gb18030(char),
            Charset::Big5 => east_asia::encode_big5(char),
            Charset::Table(encoding) => encode_by(encoding, char).filter(|_| !is_c1(char)),
            _ => own(self.position(char)),
        };
        bytes.extend(encoded?);
        Some(())
    }

    /// The one byte of a character.
    fn position(self, char: char) -> Option<u8> {
        let Charset::Page { first, table, replaced } = self else {
            return (0..=u8::MAX).find(|it| self.char_of(*it) == Some(char));
        };
        if char < char::from(first) {
            return u8::try_from(char).ok();
        }
        let listed = match replaced {
            Some((old, _)) if char == old => return None,
            Some((old, new)) if char == new => old,
            _ => char,
        };
        let index = table.chars().position(|it| it == listed && it != '\u{fffd}')?;
        u8::try_from(index).ok()?.checked_add(first)
    }

    /// The character of one byte, where each byte is a character.
    fn char_of(self, byte: u8) -> Option<char> {
        match self {
            Charset::Ascii => byte.is_ascii().then_some(char::from(byte)),
            Charset::Latin1 => Some(char::from(byte)),
            Charset::Latin5 => Some(match byte {
                0xd0 => 'Ğ',
                0xdd => 'İ',
                0xde => 'Ş',
                0xf0 => 'ğ',
                0xfd => 'ı',
                0xfe => 'ş',
                _ => char::from(byte),
            }),
            Charset::Page { first, .. } if byte < first => Some(char::from(byte)),
            Charset::Page { first, table, replaced } => {
                let listed = table.chars().nth(usize::from(byte - first))?;
                Some(replaced.filter(|(old, _)| *old == listed).map_or(listed, |(_, new)| new))
            }
            _ => None,
        }
    }

    /// The text that the bytes encode; nothing when some of them encode none.
    pub fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Charset::Utf8 => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Charset::Utf16 => match bytes {
                [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
                [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
                _ => utf16(bytes, u16::from_be_bytes),
            },
            Charset::Utf16Be => utf16(bytes, u16::from_be_bytes),
            Charset::Utf16Le => utf16(bytes, u16::from_le_bytes),
            Charset::Table(encoding) => {
                decode_by(encoding, bytes).filter(|it| !it.chars().any(is_c1))
            }
            Charset::EucJp => decode_by(encoding_rs::EUC_JP, bytes),
            Charset::Big5 => decode_by(encoding_rs::BIG5, bytes),
            Charset::ShiftJis => east_asia::decode_shift_jis(bytes),
            Charset::Iso2022Jp => shifting::decode_iso2022jp(bytes),
            Charset::Gbk => east_asia::decode_gbk(bytes),
            Charset::Gb18030 => east_asia::decode_gb18030(bytes),
            Charset::HzGb2312 => shifting::decode_hz(bytes),
            _ => bytes.iter().map(|it| self.char_of(*it)).collect(),
        }
    }
}

fn is_c1(char: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&char)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|it| unit(*it));
    if rest.is_empty() { char::decode_utf16(units).collect::<Result<_, _>>().ok() } else { None }
}

/// The bytes of a character that is not ASCII.
fn encode_by(encoding: &'static Encoding, char: char) -> Option<Vec<u8>> {
    let mut buffer = [0; 4];
    let (bytes, _, is_lacking) = encoding.encode(char.encode_utf8(&mut buffer));
    (!is_lacking).then(|| bytes.into_owned())
}

fn decode_by(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}
