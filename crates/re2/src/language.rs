//! Patterns as languages, to be rewritten and printed in ECMA-262 syntax.

use super::{
    Dialect,
    ecma::{Surrounding, bound, character},
    parser::parse,
    regex,
};
use regex_syntax::hir::{
    Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};
use stack::guarded;

/// The set of texts that a pattern matches. For example: `a|b+` is the language of "a", "b", "bb" and so
/// on.
#[derive(Clone, Debug)]
pub struct Language(pub(super) Hir);

/// One alternative of a pattern without anchors around it.
pub struct LanguagePart {
    /// Whether it begins at the text's beginning, and whether it ends at the text's end.
    pub start: bool,
    pub end: bool,
    /// The part between the anchors; it has no assertions.
    pub body: Language,
}

/// Decimal numbers without an exponent.
pub enum Numerals {
    One(String),
    /// Every text of this many digits; without `zero` the first digit is not 0.
    Run {
        zero: bool,
        least: u32,
        most: Option<u32>,
    },
}

/// The limit for the ranges that a class is written as.
const RANGES: usize = 60;

impl Language {
    /// Reads RE2 syntax, which most of our ECMA-262 patterns also have.
    pub fn parse(pattern: &str) -> Option<Language> {
        let ecma_only = ["(?<=", "(?=", r"\u"].iter().any(|it| pattern.contains(it));
        if ecma_only {
            return None;
        }
        Some(Language(regex::hir(&parse(pattern, Dialect::default()).ok()?.root)))
    }

    /// The language with each set of code points replaced. Where a set becomes empty, nothing matches.
    pub fn rewritten(&self, each: &dyn Fn(&ClassUnicode) -> ClassUnicode) -> Language {
        Language(rewritten(&self.0, each))
    }

    /// Whether any set of code points passes the test.
    pub fn any(&self, test: &dyn Fn(&ClassUnicode) -> bool) -> bool {
        any(&self.0, test)
    }

    /// Whether nothing matches.
    pub fn is_empty(&self) -> bool {
        is_nothing(&self.0)
    }

    /// Whether something matches. Of a language with assertions: whether something would without them.
    pub fn has_text(&self) -> bool {
        self.0.properties().minimum_len().is_some()
    }

    /// The alternatives, unless there are assertions in the middle of one.
    pub fn parts(&self) -> Option<Vec<LanguagePart>> {
        let mut out = Vec::new();
        parts(&self.0, &mut out).then_some(out)
    }

    /// Whether every text in it has something that no decimal number has.
    pub fn excludes_numerals(&self) -> bool {
        excludes_numerals(&self.0)
    }

    /// The texts in it that are decimal numbers, perhaps with others that are not; `None` if they cannot
    /// be listed.
    pub fn numerals(&self) -> Option<Vec<Numerals>> {
        let mut out = Vec::new();
        numerals(&self.0, &mut out)?;
        Some(out)
    }

    /// The pattern in ECMA-262 syntax, in parentheses if something precedes or follows it; `None` for a
    /// class of too many ranges, and for assertions that only RE2 has.
    pub fn to_ecma(&self) -> Option<String> {
        printed(&self.0, Rank::Sequence)
    }
}

/// Whether the pattern matches nothing, in the form that `rewritten` leaves.
fn is_nothing(hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Class(it) if it.is_empty())
}

fn rewritten(hir: &Hir, each: &dyn Fn(&ClassUnicode) -> ClassUnicode) -> Hir {
    let again = |it: &Hir| rewritten(it, each);
    let class = |it: &ClassUnicode| Hir::class(Class::Unicode(each(it)));
    let joined = |them: Vec<Hir>| {
        if them.iter().any(is_nothing) { Hir::fail() } else { Hir::concat(them) }
    };
    guarded(|| match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
        HirKind::Literal(it) => {
            let text = String::from_utf8_lossy(&it.0);
            joined(text.chars().map(|it| class(&single(it))).collect())
        }
        HirKind::Class(Class::Unicode(it)) => class(it),
        HirKind::Repetition(it) => match again(&it.sub) {
            sub if !is_nothing(&sub) => {
                Hir::repetition(Repetition { sub: Box::new(sub), ..it.clone() })
            }
            _ if it.min == 0 => Hir::empty(),
            nothing => nothing,
        },
        HirKind::Capture(it) => match again(&it.sub) {
            sub if !is_nothing(&sub) => Hir::capture(Capture { sub: Box::new(sub), ..it.clone() }),
            nothing => nothing,
        },
        HirKind::Concat(parts) => joined(parts.iter().map(again).collect()),
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.iter().map(again).filter(|it| !is_nothing(it)).collect())
        }
    })
}

fn single(char: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(char, char)])
}

fn any(hir: &Hir, test: &dyn Fn(&ClassUnicode) -> bool) -> bool {
    guarded(|| match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Literal(it) => String::from_utf8_lossy(&it.0).chars().any(|it| test(&single(it))),
        HirKind::Class(Class::Unicode(it)) => test(it),
        HirKind::Repetition(it) => any(&it.sub, test),
        HirKind::Capture(it) => any(&it.sub, test),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|it| any(it, test))
        }
    })
}

/// Collects the alternatives; `false` if that is impossible.
fn parts(hir: &Hir, out: &mut Vec<LanguagePart>) -> bool {
    let mut pieces: &[Hir] = match hir.kind() {
        HirKind::Alternation(alternatives) => return alternatives.iter().all(|it| parts(it, out)),
        HirKind::Capture(it) => return parts(&it.sub, out),
        HirKind::Concat(pieces) => pieces,
        _ => std::slice::from_ref(hir),
    };
    let is = |it: &Hir, look| matches!(it.kind(), HirKind::Look(found) if *found == look);
    let mut part = LanguagePart { start: false, end: false, body: Language(Hir::empty()) };
    while let [first, rest @ ..] = pieces
        && is(first, Look::Start)
    {
        (part.start, pieces) = (true, rest);
    }
    while let [rest @ .., last] = pieces
        && is(last, Look::End)
    {
        (part.end, pieces) = (true, rest);
    }
    part.body = Language(Hir::concat(pieces.to_vec()));
    if part.body.0.properties().look_set().is_empty() {
        out.push(part);
        return true;
    }
    // `^a$|^b` is parsed as `^(?:a$|b)`.
    let [one] = pieces else { return false };
    let around = |it: &Hir| {
        let start = part.start.then(|| Hir::look(Look::Start));
        let end = part.end.then(|| Hir::look(Look::End));
        Hir::concat(start.into_iter().chain([it.clone()]).chain(end).collect())
    };
    match one.kind() {
        HirKind::Alternation(them) => them.iter().all(|it| parts(&around(it), out)),
        HirKind::Capture(it) => parts(&around(&it.sub), out),
        _ => false,
    }
}

/// The contexts in which a pattern needs no parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Rank {
    Sequence,
    /// Under a repetition.
    Atom,
}

fn printed(hir: &Hir, rank: Rank) -> Option<String> {
    let group = |text: String, needed: bool| if needed { format!("(?:{text})") } else { text };
    let under = rank == Rank::Atom;
    guarded(|| match hir.kind() {
        HirKind::Empty => Some(group(String::new(), under)),
        HirKind::Literal(it) => {
            let text = std::str::from_utf8(&it.0).ok()?;
            let plain = text.chars().map(|it| character(it, Surrounding::Outside)).collect();
            Some(group(plain, under && text.chars().count() > 1))
        }
        HirKind::Class(Class::Unicode(it)) => spelled(it),
        HirKind::Class(Class::Bytes(_)) => None,
        HirKind::Look(it) => assertion(*it).map(|it| group(it.to_owned(), under)),
        HirKind::Repetition(it) => {
            let text = printed(&it.sub, Rank::Atom)? + &operator(it.min, it.max);
            Some(group(text, under))
        }
        HirKind::Capture(it) => printed(&it.sub, rank),
        HirKind::Concat(pieces) => {
            let pieces: Option<String> =
                pieces.iter().map(|it| printed(it, Rank::Sequence)).collect();
            Some(group(pieces?, under))
        }
        HirKind::Alternation(alternatives) => {
            let each: Option<Vec<_>> =
                alternatives.iter().map(|it| printed(it, Rank::Sequence)).collect();
            Some(group(each?.join("|"), true))
        }
    })
}

fn assertion(look: Look) -> Option<&'static str> {
    match look {
        Look::Start => Some("^"),
        Look::End => Some("$"),
        Look::WordAscii => Some(r"\b"),
        Look::WordAsciiNegate => Some(r"\B"),
        _ => None,
    }
}

fn operator(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

/// A class, or its complement where that is shorter.
fn spelled(set: &ClassUnicode) -> Option<String> {
    let mut complement = set.clone();
    complement.negate();
    if complement.ranges().is_empty() {
        return Some(r"[\s\S]".to_owned());
    }
    if let [one] = set.ranges()
        && one.start() == one.end()
    {
        return Some(character(one.start(), Surrounding::Outside));
    }
    let negated = complement.ranges().len() < set.ranges().len();
    let ranges = if negated { complement.ranges() } else { set.ranges() };
    if ranges.is_empty() || ranges.len() > RANGES {
        return None;
    }
    let mut out = String::from(if negated { "[^" } else { "[" });
    for range in ranges {
        out.push_str(&bound(range.start()));
        if range.len() > 2 {
            out.push('-');
        }
        if range.len() > 1 {
            out.push_str(&bound(range.end()));
        }
    }
    out.push(']');
    Some(out)
}

const NUMERAL: &str = "-.0123456789";

fn excludes_numerals(hir: &Hir) -> bool {
    guarded(|| match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Literal(it) => {
            String::from_utf8_lossy(&it.0).chars().any(|it| !NUMERAL.contains(it))
        }
        HirKind::Class(Class::Unicode(it)) => !NUMERAL.chars().any(|numeral| holds(it, numeral)),
        HirKind::Capture(it) => excludes_numerals(&it.sub),
        HirKind::Repetition(it) => it.min > 0 && excludes_numerals(&it.sub),
        HirKind::Concat(parts) => parts.iter().any(excludes_numerals),
        HirKind::Alternation(parts) => parts.iter().all(excludes_numerals),
    })
}

fn holds(set: &ClassUnicode, c: char) -> bool {
    set.ranges().iter().any(|it| it.start() <= c && c <= it.end())
}

fn numerals(hir: &Hir, out: &mut Vec<Numerals>) -> Option<()> {
    guarded(|| match hir.kind() {
        HirKind::Capture(it) => numerals(&it.sub, out),
        HirKind::Alternation(parts) => parts.iter().try_for_each(|it| numerals(it, out)),
        _ => {
            match run(hir) {
                Some(run) => out.push(run),
                None => out.extend(words(hir)?.into_iter().map(Numerals::One)),
            }
            Some(())
        }
    })
}

/// The run of digits that the pattern is, with nothing that makes it another number.
fn run(hir: &Hir) -> Option<Numerals> {
    let pieces =
        if let HirKind::Concat(pieces) = hir.kind() { pieces } else { std::slice::from_ref(hir) };
    let (mut zero, mut least, mut most) = (true, 0, Some(0_u32));
    for (index, piece) in pieces.iter().enumerate() {
        let (sub, min, max) = match piece.kind() {
            HirKind::Repetition(it) => (&*it.sub, it.min, it.max),
            _ => (piece, 1, Some(1)),
        };
        let HirKind::Class(Class::Unicode(set)) = sub.kind() else { return None };
        let has: String = NUMERAL.chars().filter(|it| holds(set, *it)).collect();
        match has.as_str() {
            "0123456789" => (),
            "123456789" if index == 0 && (min, max) == (1, Some(1)) => zero = false,
            _ => return None,
        }
        least += min;
        most = most.zip(max).map(|(it, max)| it.saturating_add(max));
    }
    (most != Some(0)).then_some(Numerals::Run { zero, least, most })
}

/// The texts, if they are few.
fn words(hir: &Hir) -> Option<Vec<String>> {
    const MOST: usize = 200;
    let joined = |left: Vec<String>, right: &[String]| {
        let few = left.len() * right.len() <= MOST;
        let each = left.iter().flat_map(|it| right.iter().map(move |other| format!("{it}{other}")));
        few.then(|| each.collect::<Vec<_>>())
    };
    guarded(|| match hir.kind() {
        HirKind::Empty => Some(vec![String::new()]),
        HirKind::Literal(it) => Some(vec![String::from_utf8(it.0.to_vec()).ok()?]),
        HirKind::Class(Class::Unicode(set)) => {
            let count: usize = set.ranges().iter().map(ClassUnicodeRange::len).sum();
            let each = set.ranges().iter().flat_map(|it| it.start()..=it.end());
            (count <= MOST).then(|| each.map(String::from).collect())
        }
        HirKind::Capture(it) => words(&it.sub),
        HirKind::Concat(parts) => {
            parts.iter().try_fold(vec![String::new()], |all, it| joined(all, &words(it)?))
        }
        HirKind::Alternation(parts) => {
            let each = parts.iter().map(words).collect::<Option<Vec<_>>>()?;
            Some(each.concat()).filter(|it| it.len() <= MOST)
        }
        HirKind::Repetition(it) => {
            let (each, most) = (words(&it.sub)?, it.max?);
            let mut power = vec![String::new()];
            let mut out = if it.min == 0 { power.clone() } else { Vec::new() };
            for count in 1..=most {
                power = joined(power, &each)?;
                if count >= it.min {
                    out.extend(power.iter().cloned());
                }
            }
            Some(out).filter(|it| it.len() <= MOST)
        }
        HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => None,
    })
}
