//! Sets of code points: Perl's, POSIX's and Unicode's classes, and case folding, as of Go.

use std::sync::OnceLock;

use super::parser::{CATEGORIES, LONG_CATEGORIES, SCRIPTS};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, HirKind};

/// The Unicode version of the Go that Terraform 1.3 to 1.12 are built with.
const ASSIGNED: &str = r"\p{age=15.0}";

/// The code points from `low` to `high`, surrogates left out: no valid text has them.
pub(super) fn range(low: u32, high: u32) -> ClassUnicode {
    let below = (low, high.min(0xD7FF));
    let above = (low.max(0xE000), high);
    let ranges = [below, above].into_iter().filter_map(|(low, high)| {
        let (low, high) = (char::from_u32(low)?, char::from_u32(high)?);
        (low <= high).then(|| ClassUnicodeRange::new(low, high))
    });
    ClassUnicode::new(ranges)
}

/// `\d`, `\s`, `\w` and their complements, by letter: ASCII only.
pub(super) fn perl(letter: char, fold_case: bool) -> Option<ClassUnicode> {
    let mut set = match letter.to_ascii_lowercase() {
        'd' => of(&[('0', '9')]),
        's' => of(&[('\t', '\n'), ('\x0c', '\r'), (' ', ' ')]),
        'w' => of(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        _ => return None,
    };
    if fold_case {
        set = fold(&set);
    }
    if letter.is_ascii_uppercase() {
        set.negate();
    }
    Some(set)
}

/// `[:alpha:]` or `[:^alpha:]`, by the text between the colons.
pub(super) fn posix(name: &str, fold_case: bool) -> Option<ClassUnicode> {
    let (negated, name) = match name.strip_prefix('^') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let mut set = match name {
        "alnum" => of(&[('0', '9'), ('A', 'Z'), ('a', 'z')]),
        "alpha" => of(&[('A', 'Z'), ('a', 'z')]),
        "ascii" => of(&[('\0', '\x7f')]),
        "blank" => of(&[('\t', '\t'), (' ', ' ')]),
        "cntrl" => of(&[('\0', '\x1f'), ('\x7f', '\x7f')]),
        "digit" => of(&[('0', '9')]),
        "graph" => of(&[('!', '~')]),
        "lower" => of(&[('a', 'z')]),
        "print" => of(&[(' ', '~')]),
        "punct" => of(&[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
        "space" => of(&[('\t', '\r'), (' ', ' ')]),
        "upper" => of(&[('A', 'Z')]),
        "word" => of(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        "xdigit" => of(&[('0', '9'), ('A', 'F'), ('a', 'f')]),
        _ => return None,
    };
    if fold_case {
        set = fold(&set);
    }
    if negated {
        set.negate();
    }
    Some(set)
}

/// A general category or script by the exact name that Go knows it by.
pub(super) fn unicode(name: &str) -> Option<ClassUnicode> {
    match name {
        "Any" => Some(range(0, 0x0010_FFFF)),
        // Go's C has no unassigned code points; surrogates cannot occur.
        "C" => query(&format!(r"[[\p{{Cc}}\p{{Cf}}\p{{Co}}]&&{ASSIGNED}]")),
        "Cs" => Some(ClassUnicode::empty()),
        // Unicode 16 made a spacing mark of it.
        "Mc" => query(&format!(r"[[\p{{Mc}}--\u{{1171E}}]&&{ASSIGNED}]")),
        "Mn" => query(&format!(r"[[\p{{Mn}}\u{{1171E}}]&&{ASSIGNED}]")),
        _ if CATEGORIES.contains(&name) => query(&format!(r"[\p{{gc={name}}}&&{ASSIGNED}]")),
        _ if SCRIPTS.contains(&name) => query(&format!(r"[\p{{sc={name}}}&&{ASSIGNED}]")),
        _ => None,
    }
}

/// A general category or script as Go knows it since 1.25: see [`Dialect`](super::Dialect).
pub(super) fn unicode_loosely(name: &str) -> Option<ClassUnicode> {
    let mut canonical: String = name.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).collect();
    canonical.make_ascii_lowercase();
    if let Some(first) = canonical.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let alias = LONG_CATEGORIES.iter().find(|(long, _)| *long == canonical);
    match alias.map_or(&*canonical, |(_, short)| *short) {
        "Ascii" => Some(range(0, 0x7f)),
        "Assigned" => assigned(),
        "Cn" => unassigned(),
        "Lc" => query(&format!(r"[[\p{{Lu}}\p{{Ll}}\p{{Lt}}]&&{ASSIGNED}]")),
        "C" => {
            let mut set = unicode("C")?;
            set.union(&unassigned()?);
            Some(set)
        }
        name => unicode(name),
    }
}

fn assigned() -> Option<ClassUnicode> {
    query(&format!(r"[\P{{gc=Cn}}&&{ASSIGNED}]"))
}

fn unassigned() -> Option<ClassUnicode> {
    let mut set = assigned()?;
    set.negate();
    Some(set)
}

/// The set and everything that simple case folding makes equal to a member.
pub(super) fn fold(set: &ClassUnicode) -> ClassUnicode {
    let ascii = |it: &ClassUnicodeRange| it.end().is_ascii();
    if set.ranges().iter().all(ascii) {
        // The common case, without the big table: k and s have a third form.
        let mut folded = set.clone();
        folded.case_fold_simple();
        return folded;
    }
    let mut folded = set.clone();
    folded.intersect(foldable());
    folded.case_fold_simple();
    folded.intersect(foldable());
    folded.union(set);
    folded
}

/// How many code points a set has.
pub(super) fn count(set: &ClassUnicode) -> usize {
    set.ranges().iter().map(ClassUnicodeRange::len).sum()
}

/// Go's `unicode.IsLetter` and `unicode.IsDigit` in one.
pub(super) fn is_letter_or_digit(it: char) -> bool {
    static SET: OnceLock<ClassUnicode> = OnceLock::new();
    if it.is_ascii() {
        return it.is_ascii_alphanumeric();
    }
    let set = SET.get_or_init(|| {
        let mut set = unicode("L").unwrap_or_else(ClassUnicode::empty);
        set.union(&unicode("Nd").unwrap_or_else(ClassUnicode::empty));
        set
    });
    set.ranges().iter().any(|range| range.start() <= it && it <= range.end())
}

fn of(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)))
}

/// The code points that Go's Unicode version assigns, without three pairs that only later versions
/// fold into one another.
fn foldable() -> &'static ClassUnicode {
    static SET: OnceLock<ClassUnicode> = OnceLock::new();
    const LATER: &str = r"\x{390}\x{1FD3}\x{3B0}\x{1FE3}\x{FB05}\x{FB06}";
    let class = || query(&format!("[{ASSIGNED}--[{LATER}]]"));
    SET.get_or_init(|| class().unwrap_or_else(ClassUnicode::empty))
}

/// The set of a class in `regex-syntax`'s own syntax.
fn query(class: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(class).ok()?.into_kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(set)) => Some(set),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            let char = text.chars().next()?;
            Some(of(&[(char, char)]))
        }
        _ => None,
    }
}
