//! Characters: sequences shaped like UTF-8, and the characters of identifiers.

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

// Identifier characters that HCL does not know yet.

/// Identifier characters of Unicode 18, which `unicode-ident` knows and HCL, at Unicode 9, does not; first and last
/// of each range. The ranges hold other characters that Unicode 9 does not assign. Terraform's newest release still
/// has these tables (HCL 2.24); HCL 2.25 is at Unicode 17.
const NEWER: &[(char, char)] = &[
    ('\u{558}', '\u{558}'),
    ('\u{560}', '\u{560}'),
    ('\u{588}', '\u{58c}'),
    ('\u{5c8}', '\u{5c9}'),
    ('\u{5ef}', '\u{5ef}'),
    ('\u{7fd}', '\u{7fd}'),
    ('\u{860}', '\u{89f}'),
    ('\u{8b5}', '\u{8b5}'),
    ('\u{8be}', '\u{8d3}'),
    ('\u{9fc}', '\u{9fe}'),
    ('\u{afa}', '\u{aff}'),
    ('\u{b53}', '\u{b55}'),
    ('\u{c04}', '\u{c04}'),
    ('\u{c3c}', '\u{c3c}'),
    ('\u{c5c}', '\u{c5d}'),
    ('\u{cdc}', '\u{cdd}'),
    ('\u{cf3}', '\u{d00}'),
    ('\u{d04}', '\u{d04}'),
    ('\u{d3b}', '\u{d3c}'),
    ('\u{d81}', '\u{d81}'),
    ('\u{e86}', '\u{e86}'),
    ('\u{e89}', '\u{e89}'),
    ('\u{e8c}', '\u{e8c}'),
    ('\u{e8e}', '\u{e93}'),
    ('\u{e98}', '\u{e98}'),
    ('\u{ea0}', '\u{ea0}'),
    ('\u{ea8}', '\u{ea9}'),
    ('\u{eac}', '\u{eac}'),
    ('\u{eba}', '\u{eba}'),
    ('\u{ece}', '\u{ece}'),
    ('\u{170d}', '\u{170d}'),
    ('\u{1715}', '\u{171f}'),
    ('\u{180f}', '\u{180f}'),
    ('\u{1878}', '\u{1878}'),
    ('\u{1abf}', '\u{1af0}'),
    ('\u{1b4c}', '\u{1b4c}'),
    ('\u{1c89}', '\u{1cbf}'),
    ('\u{1cf7}', '\u{1cf7}'),
    ('\u{1cfa}', '\u{1cfa}'),
    ('\u{1df6}', '\u{1dfa}'),
    ('\u{200c}', '\u{200d}'),
    ('\u{208f}', '\u{208f}'),
    ('\u{209d}', '\u{209f}'),
    ('\u{2c2f}', '\u{2c2f}'),
    ('\u{2c5f}', '\u{2c5f}'),
    ('\u{30fb}', '\u{30fb}'),
    ('\u{312e}', '\u{312f}'),
    ('\u{31bb}', '\u{31bf}'),
    ('\u{4db6}', '\u{4dbf}'),
    ('\u{9fd6}', '\u{9fff}'),
    ('\u{a7af}', '\u{a7af}'),
    ('\u{a7b8}', '\u{a7f6}'),
    ('\u{a82c}', '\u{a82c}'),
    ('\u{a8fe}', '\u{a8ff}'),
    ('\u{ab66}', '\u{ab6d}'),
    ('\u{ff65}', '\u{ff65}'),
    ('\u{1032d}', '\u{1032f}'),
    ('\u{10570}', '\u{105f3}'),
    ('\u{10780}', '\u{107bf}'),
    ('\u{10940}', '\u{10959}'),
    ('\u{10a34}', '\u{10a35}'),
    ('\u{10d00}', '\u{10ff6}'),
    ('\u{11070}', '\u{11075}'),
    ('\u{110c2}', '\u{110c2}'),
    ('\u{11144}', '\u{11147}'),
    ('\u{111c9}', '\u{111c9}'),
    ('\u{111ce}', '\u{111cf}'),
    ('\u{1123f}', '\u{11241}'),
    ('\u{1133b}', '\u{1133b}'),
    ('\u{11380}', '\u{113e2}'),
    ('\u{1145e}', '\u{11461}'),
    ('\u{116b8}', '\u{116b8}'),
    ('\u{116d0}', '\u{116e3}'),
    ('\u{1171a}', '\u{1171a}'),
    ('\u{11740}', '\u{1183a}'),
    ('\u{11900}', '\u{11abf}'),
    ('\u{11b0a}', '\u{11bf9}'),
    ('\u{11d00}', '\u{11fb0}'),
    ('\u{1246f}', '\u{1247f}'),
    ('\u{12550}', '\u{12ff0}'),
    ('\u{1342f}', '\u{143fa}'),
    ('\u{16100}', '\u{16139}'),
    ('\u{16a70}', '\u{16ac9}'),
    ('\u{16d40}', '\u{16ed3}'),
    ('\u{16f45}', '\u{16f4f}'),
    ('\u{16f7f}', '\u{16f87}'),
    ('\u{16fe1}', '\u{16ff6}'),
    ('\u{187ed}', '\u{187ff}'),
    ('\u{18af3}', '\u{1affe}'),
    ('\u{1b002}', '\u{1b2fb}'),
    ('\u{1ccf0}', '\u{1d128}'),
    ('\u{1d250}', '\u{1d281}'),
    ('\u{1d6a6}', '\u{1d6a6}'),
    ('\u{1df00}', '\u{1dfff}'),
    ('\u{1e030}', '\u{1e7fe}'),
    ('\u{1e94b}', '\u{1e94b}'),
    ('\u{1fbf0}', '\u{1fbf9}'),
    ('\u{2a6d7}', '\u{2a6df}'),
    ('\u{2b735}', '\u{2b73f}'),
    ('\u{2b81e}', '\u{2b81e}'),
    ('\u{2cea2}', '\u{2ee5d}'),
    ('\u{30000}', '\u{3fc3f}'),
];

/// Whether HCL's tables are too old for this identifier character.
pub fn is_newer(it: char) -> bool {
    let at = NEWER.partition_point(|(_, last)| *last < it);
    NEWER.get(at).is_some_and(|(first, _)| *first <= it)
}
