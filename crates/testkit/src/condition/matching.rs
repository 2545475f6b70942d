//! Strings that a pattern matches, and strings that nearly do.

use regex_syntax::hir::{Class, Hir, HirKind, Look};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::values::Random;

/// Unusual characters: white space, other digits, letters that change under folding, code points
/// beyond the basic plane.
const ODD: [&str; 22] = [
    "\n", " ", "\t", "-", "_", ".", "/", ":", "A", "z", "0", "9", "é", "😀", "İ", "ſ", "\u{85}",
    "\u{2028}", "٣", "\u{feff}", "\r", "\u{b}",
];

/// The longest text that a repetition is spelled out to.
const LONGEST: usize = 300;

/// A pattern in ECMA-262 or RE2 syntax; `None` for what only one of them has.
pub fn parse(pattern: &str) -> Option<Hir> {
    regex_syntax::Parser::new().parse(pattern).ok()
}

/// A text in which the pattern finds a match, were it not for its assertions; mostly of what a
/// keyboard has.
pub fn matching(pattern: &Hir, random: &mut Random) -> String {
    let mut out = String::new();
    let plain = random.below(4) > 0;
    sample(pattern, plain, random, &mut out);
    out
}

/// Every string that the pattern matches as a whole (and maybe others), when it is anchored and they
/// are few.
pub fn language(pattern: &Hir, most: usize) -> Option<Vec<String>> {
    let properties = pattern.properties();
    let anchored = properties.look_set_prefix().contains(Look::Start)
        && properties.look_set_suffix().contains(Look::End);
    if anchored { words(pattern, most) } else { None }
}

fn words(pattern: &Hir, most: usize) -> Option<Vec<String>> {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(vec![String::new()]),
        HirKind::Literal(it) => Some(vec![String::from_utf8(it.0.to_vec()).ok()?]),
        HirKind::Class(Class::Unicode(it)) => {
            let count: usize =
                it.ranges().iter().map(regex_syntax::hir::ClassUnicodeRange::len).sum();
            let each = it.ranges().iter().flat_map(|it| it.start()..=it.end());
            (count <= most).then(|| each.map(String::from).collect())
        }
        HirKind::Capture(it) => words(&it.sub, most),
        HirKind::Concat(parts) => parts
            .iter()
            .try_fold(vec![String::new()], |texts, it| joined(&texts, &words(it, most)?, most)),
        HirKind::Alternation(parts) => {
            let each = parts.iter().map(|it| words(it, most)).collect::<Option<Vec<_>>>()?;
            let all = each.concat();
            (all.len() <= most).then_some(all)
        }
        HirKind::Repetition(it) => {
            let each = words(&it.sub, most)?;
            let mut power = vec![String::new()];
            let mut all = Vec::new();
            for count in 0..=it.max? {
                if count >= it.min {
                    all.extend(power.iter().cloned());
                }
                power = joined(&power, &each, most)?;
            }
            (all.len() <= most).then_some(all)
        }
        HirKind::Class(_) => None,
    }
}

fn joined(left: &[String], right: &[String], most: usize) -> Option<Vec<String>> {
    let each = left.iter().flat_map(|it| right.iter().map(move |other| format!("{it}{other}")));
    (left.len() * right.len() <= most).then(|| each.collect())
}

fn sample(pattern: &Hir, plain: bool, random: &mut Random, out: &mut String) {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => (),
        HirKind::Literal(it) => out.push_str(&String::from_utf8_lossy(&it.0)),
        HirKind::Class(it) => out.extend(member(it, plain, random)),
        HirKind::Repetition(it) => {
            let (min, max) = (it.min as usize, it.max.map(|it| it as usize));
            let count = match random.below(6) {
                0 => max.unwrap_or(min + 3),
                1 => max.map_or(min, |it| it.saturating_sub(1).max(min)),
                2 => min,
                _ => min + random.below(max.map_or(4, |it| it - min + 1).min(8)),
            };
            for _ in 0..count.min(LONGEST) {
                sample(&it.sub, plain, random, out);
            }
        }
        HirKind::Capture(it) => sample(&it.sub, plain, random, out),
        HirKind::Concat(parts) => parts.iter().for_each(|it| sample(it, plain, random, out)),
        HirKind::Alternation(parts) => sample(random.pick(parts), plain, random, out),
    }
}

fn member(class: &Class, plain: bool, random: &mut Random) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let ranges = class.ranges();
    if ranges.is_empty() {
        return None;
    }
    let ascii: Vec<char> = (' '..='~')
        .filter(|letter| ranges.iter().any(|it| it.start() <= *letter && *letter <= it.end()))
        .collect();
    if !ascii.is_empty() && (plain || random.below(6) > 0) {
        return Some(*random.pick(&ascii));
    }
    let range = random.pick(ranges);
    let span = range.end() as usize - range.start() as usize + 1;
    char::from_u32(range.start() as u32 + u32::try_from(random.below(span)).ok()?)
}

/// The text with one thing changed.
pub fn changed(text: &str, random: &mut Random) -> String {
    let chars: Vec<char> = text.chars().collect();
    let odd = *random.pick(&ODD);
    let at = random.below(chars.len() + 1);
    let (before, after) = chars.split_at(at);
    let text = |it: &[char]| it.iter().collect::<String>();
    match random.below(14) {
        0 => format!("{odd}{}", text(&chars)),
        1 => format!("{}{odd}", text(&chars)),
        2 => format!("{}{odd}{}", text(before), text(after)),
        3 => format!("{}{odd}{}", text(before), text(after.get(1..).unwrap_or_default())),
        4 => format!("{}{}", text(before), text(after.get(1..).unwrap_or_default())),
        5 => text(&chars).to_uppercase(),
        6 => text(&chars).to_lowercase(),
        7 => format!("{}{}", text(&chars), text(after)),
        8..=12 => {
            let alike = after.first().map(|it| alike(*it, random)).into_iter().collect::<String>();
            format!("{}{alike}{}", text(before), text(after.get(1..).unwrap_or_default()))
        }
        _ => text(before),
    }
}

/// A digit for a digit, a letter for a letter of the same case or for itself in the other.
fn alike(c: char, random: &mut Random) -> char {
    if random.below(3) == 0 {
        return if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        };
    }
    let of = |kind: std::ops::RangeInclusive<char>, random: &mut Random| {
        *random.pick(&kind.collect::<Vec<_>>())
    };
    match c {
        '0'..='9' => of('0'..='9', random),
        'a'..='f' => of('a'..='f', random),
        'a'..='z' => of('a'..='z', random),
        'A'..='Z' => of('A'..='Z', random),
        other => other,
    }
}

/// Whether the text is canonical: NFC, and one code point for each grapheme cluster.
pub fn is_canonical(text: &str) -> bool {
    text.is_ascii() && !text.contains("\r\n")
        || text.nfc().eq(text.chars()) && text.graphemes(true).all(|it| it.chars().count() == 1)
}
