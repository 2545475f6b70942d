//! Chinese and Japanese encodings, where Go's tables and those of the WHATWG differ.

use std::{collections::HashMap, ops::RangeInclusive, sync::LazyLock};

use encoding_rs::{BIG5, EUC_JP, GB18030, GBK, SHIFT_JIS};

use super::{decode_by, encode_by};

/// Characters that the WHATWG encodes as others that look alike.
fn is_look_alike(char: char) -> bool {
    matches!(char, '\u{80}' | '\u{a5}' | '\u{203e}' | '\u{2212}')
}

/// Characters of GBK that Go's table, which is older, leaves out. GB 18030 counts them on from
/// these four-byte sequences. (It does the same with the other characters for private use, but
/// those sequences already encode other characters.)
const NOT_IN_GBK: [(RangeInclusive<char>, [u8; 4]); 4] = [
    ('\u{1e3f}'..='\u{1e3f}', [0x81, 0x35, 0xf4, 0x37]),
    ('\u{9fb4}'..='\u{9fbb}', [0x82, 0x35, 0x90, 0x37]),
    ('\u{e000}'..='\u{e76b}', [0x83, 0x38, 0x98, 0x37]),
    ('\u{fe10}'..='\u{fe19}', [0x84, 0x31, 0x82, 0x36]),
];

fn is_in_gbk(char: char) -> bool {
    let is_private = ('\u{e000}'..='\u{e864}').contains(&char);
    !is_private && !NOT_IN_GBK.iter().any(|(range, _)| range.contains(&char))
}

pub(super) fn encode_gbk(char: char) -> Option<Vec<u8>> {
    encode_by(GBK, char).filter(|_| is_in_gbk(char))
}

pub(super) fn decode_gbk(bytes: &[u8]) -> Option<String> {
    decode_by(GBK, bytes).filter(|it| it.chars().all(is_in_gbk))
}

pub(super) fn encode_gb18030(char: char) -> Option<Vec<u8>> {
    let counted = NOT_IN_GBK.iter().find(|(range, _)| range.contains(&char));
    match counted {
        None => encode_by(GB18030, char),
        Some((range, first)) => {
            let ahead = u32::from(char) - u32::from(*range.start());
            Some(bytes_of(number(*first) + ahead).to_vec())
        }
    }
}

pub(super) fn decode_gb18030(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let length = match (first, rest.get(1)) {
            (..=0x80, _) => 1,
            (_, Some(0x30..0x3a)) => 4,
            _ => 2,
        };
        let (sequence, after) = rest.split_at_checked(length)?;
        let counted = <[u8; 4]>::try_from(sequence).ok().and_then(counted);
        match counted {
            Some(char) => text.push(char),
            None if length == 4 => text.push_str(&decode_by(GB18030, sequence)?),
            None => text.push_str(&decode_gbk(sequence)?),
        }
        rest = after;
    }
    Some(text)
}

/// The character of a four-byte sequence that only Go's table counts in.
fn counted(sequence: [u8; 4]) -> Option<char> {
    NOT_IN_GBK.iter().find_map(|(range, first)| {
        let ahead = number(sequence).checked_sub(number(*first))?;
        char::from_u32(u32::from(*range.start()) + ahead).filter(|it| range.contains(it))
    })
}

/// Four-byte sequences in their order.
fn number([a, b, c, d]: [u8; 4]) -> u32 {
    let digit = |byte: u8, low: u8| u32::from(byte.wrapping_sub(low));
    ((digit(a, 0x81) * 10 + digit(b, 0x30)) * 126 + digit(c, 0x81)) * 10 + digit(d, 0x30)
}

fn bytes_of(number: u32) -> [u8; 4] {
    let digit = |number: u32, base: u32, low: u8| low + u8::try_from(number % base).unwrap_or(0);
    [
        digit(number / 12600, 126, 0x81),
        digit(number / 1260, 10, 0x30),
        digit(number / 10, 126, 0x81),
        digit(number, 10, 0x30),
    ]
}

/// The last sequence of each character, as decoding has it.
fn inverse(
    encoding: &'static encoding_rs::Encoding,
    sequences: impl Iterator<Item = Vec<u8>>,
) -> HashMap<char, Vec<u8>> {
    let mut inverse = HashMap::new();
    for sequence in sequences {
        let text = decode_by(encoding, &sequence).unwrap_or_default();
        let mut chars = text.chars();
        if let (Some(char), None) = (chars.next(), chars.next()) {
            inverse.insert(char, sequence);
        }
    }
    inverse
}

fn pairs(first: RangeInclusive<u8>, second: RangeInclusive<u8>) -> impl Iterator<Item = Vec<u8>> {
    first.flat_map(move |lead| second.clone().map(move |trail| vec![lead, trail]))
}

/// With Hong Kong's extension, and of equal characters the last.
pub(super) fn encode_big5(char: char) -> Option<Vec<u8>> {
    static INVERSE: LazyLock<HashMap<char, Vec<u8>>> =
        LazyLock::new(|| inverse(BIG5, pairs(0x81..=0xfe, 0x40..=0xfe)));
    INVERSE.get(&char).cloned()
}

/// With JIS X 0212, three bytes.
pub(super) fn encode_euc_jp(char: char) -> Option<Vec<u8>> {
    static INVERSE: LazyLock<HashMap<char, Vec<u8>>> = LazyLock::new(|| {
        let sequences = pairs(0xa1..=0xfe, 0xa1..=0xfe);
        inverse(EUC_JP, sequences.map(|pair| [&[0x8f], &*pair].concat()))
    });
    if is_look_alike(char) {
        return None;
    }
    encode_by(EUC_JP, char).or_else(|| INVERSE.get(&char).cloned())
}

/// IBM's extensions are where NEC put them.
pub(super) fn encode_shift_jis(char: char) -> Option<Vec<u8>> {
    static INVERSE: LazyLock<HashMap<char, Vec<u8>>> =
        LazyLock::new(|| inverse(SHIFT_JIS, pairs(0xed..=0xee, 0x40..=0xfc)));
    let bytes = encode_by(SHIFT_JIS, char).filter(|_| !is_look_alike(char))?;
    let is_extension = bytes.len() == 2 && bytes.first() >= Some(&0xfa);
    Some(INVERSE.get(&char).filter(|_| is_extension).cloned().unwrap_or(bytes))
}

/// Without the characters for private use, and the one control character.
pub(super) fn decode_shift_jis(bytes: &[u8]) -> Option<String> {
    let is_private = |char| ('\u{e000}'..='\u{e757}').contains(&char);
    decode_by(SHIFT_JIS, bytes).filter(|it| !it.contains(is_private))
}
