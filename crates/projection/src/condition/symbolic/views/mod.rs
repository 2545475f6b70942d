//! Inverse images under functions of strings and numbers: `lower(x)` is in `["a"]` for x in `["a", "A"]`.
//!
//! Input is a set of results; output is the set of arguments with such results ([`Preimage`]), and whether
//! it is exact. A set is taken apart once for all of them ([`preimage::by_parts`]), so that they see atoms alone.

mod cut;
mod preimage;

use std::{ops::RangeInclusive, sync::LazyLock};

use crate::{
    condition::patterns,
    sets::{Length, Limit, Measure, NumberRange, Reason, ValueSet},
};
use cut::Cut;
use preimage::{Preimage, by_parts, strings, whole};
use re2::{Language, LanguagePart, Numerals};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use smol_str::SmolStr;
use tf_eval::functions;
use tf_value::{Number, Type, Value};

pub use cut::{Affix, Count, Slice, quantified};

/// A function of a string or number that gives a string or a number.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    Lower,
    Upper,
    /// `trimspace`, or `trim` with these characters.
    Trim(Option<SmolStr>),
    /// `trimprefix` or `trimsuffix`, or a template around the string.
    Affix(Affix),
    /// `title`
    Title,
    /// An element of `split(separator, …)`; it may be absent.
    Split {
        separator: char,
        index: usize,
    },
    /// `substr`
    Slice(Slice),
    /// An element of `split("", …)`; it may be absent.
    Character(usize),
    /// `strrev`
    Reverse,
    /// `tonumber`; it may fail, and gives null for null.
    Number,
    /// `parseint` in base ten; it may fail.
    Integer,
    /// `tostring` of a number; it gives null for null.
    Text,
}

impl View {
    /// The type of the result.
    pub fn ty(&self) -> Type {
        if matches!(self, View::Number | View::Integer) { Type::Number } else { Type::String }
    }

    /// Why an inverse image is larger than it should be.
    pub fn loss(&self) -> Reason {
        match self {
            View::Number => Reason::NumberWithExponent,
            View::Integer => Reason::NumberSpelled,
            View::Lower | View::Upper | View::Title => Reason::LettersInEitherCase,
            View::Trim(None) => Reason::WithoutWhiteSpace,
            View::Trim(Some(_)) => Reason::WithoutCharacters,
            View::Affix(Affix::Around { .. }) => Reason::Template,
            View::Affix(_) => Reason::WithoutEnd,
            View::Split { .. } | View::Slice(_) | View::Character(_) => Reason::PartOfString,
            View::Reverse => Reason::Reversed,
            View::Text => Reason::NumberText,
        }
    }

    /// The strings for which the function has a result.
    pub fn domain(&self) -> ValueSet {
        match self {
            View::Split { separator, index } if *index > 0 => {
                let other = patterns::not_in_class(*separator);
                let separator = patterns::escape(&separator.to_string());
                ValueSet::Matches(match index {
                    1 => separator,
                    n => format!("^(?:{other}*{separator}){{{n}}}"),
                })
            }
            View::Character(index) => {
                let length = Length { min: Some(*index as u64 + 1), max: None };
                ValueSet::Length(Measure::Characters, length)
            }
            View::Number => ValueSet::Matches(patterns::NUMERIC.to_owned()),
            View::Integer => ValueSet::Matches(patterns::INTEGER.to_owned()),
            _ => ValueSet::Anything,
        }
    }

    /// The strings whose result is in the constraint; `None` if that set cannot be written.
    pub fn preimage(&self, constraint: &ValueSet) -> Option<Preimage> {
        by_parts(constraint, &|| self.domain(), &|atom| match self {
            View::Lower => cased(atom, &LOWER),
            View::Upper => cased(atom, &UPPER),
            View::Trim(characters) => trimmed(characters.as_deref(), atom),
            View::Affix(it) => it.preimage(atom),
            View::Title => titled(atom),
            View::Split { separator, index } => cut::one(*separator, *index, atom),
            View::Slice(it) => it.preimage(atom),
            View::Character(index) => character(*index, atom),
            View::Reverse => reversed(atom),
            View::Number => patterns::spelled(atom).map(|values| Preimage { values, exact: false }),
            View::Integer => Preimage::exact(patterns::integers(atom)?),
            View::Text => Preimage::exact(numbers(atom)?),
        })
    }
}

/// `lower` and `upper`: a code point for a code point.
fn cased(constraint: &ValueSet, mapping: &Mapping) -> Option<Preimage> {
    let before = |set: &ClassUnicode| sources(set, mapping);
    match constraint {
        ValueSet::Length(..) => Preimage::exact(constraint.clone()),
        ValueSet::OneOf(values) => {
            let body = |text: &&str| {
                Language::parse(&patterns::escape(text))?.rewritten(&before).to_ecma()
            };
            // A text with a character that the function changes is not one of its results.
            let bodies: Vec<String> = strings(values)?
                .iter()
                .filter(|text| text.chars().all(|it| (mapping.map)(it) == it))
                .map(body)
                .collect::<Option<_>>()?;
            Preimage::exact(whole(&bodies))
        }
        ValueSet::Matches(pattern) => {
            let language = Language::parse(pattern)?.rewritten(&before);
            if language.is_empty() {
                return Preimage::exact(ValueSet::Nothing);
            }
            let pattern = language.to_ecma()?;
            let bare = pattern.strip_prefix("(?:").and_then(|it| it.strip_suffix(')'));
            let bare = bare.filter(|it| !it.contains(['(', ')']));
            Preimage::exact(ValueSet::Matches(bare.map_or(pattern.clone(), str::to_owned)))
        }
        _ => None,
    }
}

/// A function of code points: those that it changes, each with its result.
struct Mapping {
    map: fn(char) -> char,
    /// The code point, and its result; in order.
    changed: Vec<(char, char)>,
    /// The result, and the code point; in order.
    results: Vec<(char, char)>,
}

static LOWER: LazyLock<Mapping> = LazyLock::new(|| Mapping::new(functions::lower));
static UPPER: LazyLock<Mapping> = LazyLock::new(|| Mapping::new(functions::upper));

/// All letters that `upper` or `lower` changes are in these blocks of Unicode. Going through them takes a twentieth of the
/// time that all code points take, and every process does it whose module has such a rule.
const CASED: [RangeInclusive<char>; 22] = [
    'A'..='z',
    '\u{b5}'..='\u{587}',
    '\u{10a0}'..='\u{10ff}',
    '\u{13a0}'..='\u{13fd}',
    '\u{1c80}'..='\u{1cbf}',
    '\u{1d79}'..='\u{1d8e}',
    '\u{1e00}'..='\u{1fff}',
    '\u{2126}'..='\u{2188}',
    '\u{24b6}'..='\u{24e9}',
    '\u{2c00}'..='\u{2d2d}',
    '\u{a640}'..='\u{a7ff}',
    '\u{ab53}'..='\u{abbf}',
    '\u{fb00}'..='\u{fb17}',
    '\u{ff21}'..='\u{ff5a}',
    '\u{10400}'..='\u{104ff}',
    '\u{10570}'..='\u{105bc}',
    '\u{10c80}'..='\u{10cf2}',
    '\u{10d50}'..='\u{10d85}',
    '\u{118a0}'..='\u{118df}',
    '\u{16e40}'..='\u{16e7f}',
    '\u{16ea0}'..='\u{16ed3}',
    '\u{1e900}'..='\u{1e943}',
];

impl Mapping {
    /// The signs for ohm, kelvin and angstrom are in no canonical string.
    fn new(map: fn(char) -> char) -> Mapping {
        let letters = CASED.into_iter().flatten();
        let canonical = letters.filter(|it| !matches!(it, '\u{2126}' | '\u{212a}' | '\u{212b}'));
        let pairs = canonical.map(|it| (it, map(it)));
        let changed: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
        let mut results: Vec<_> = changed.iter().map(|(from, to)| (*to, *from)).collect();
        results.sort_unstable();
        Mapping { map, changed, results }
    }
}

/// The code points that the mapping takes into the set.
fn sources(set: &ClassUnicode, mapping: &Mapping) -> ClassUnicode {
    let holds = |char: char| set.ranges().iter().any(|it| it.start() <= char && char <= it.end());
    // The others of the pairs whose first one is in the set, unless they are in it, too.
    let beside = |pairs: &[(char, char)], one: fn(&(char, char)) -> char| {
        let mut out = Vec::new();
        for range in set.ranges() {
            let start = pairs.partition_point(|(first, _)| *first < range.start());
            let inside = pairs[start..].iter().take_while(|(first, _)| *first <= range.end());
            let others = inside.filter(|(_, other)| !holds(*other)).map(one);
            out.extend(others.map(|it| ClassUnicodeRange::new(it, it)));
        }
        ClassUnicode::new(out)
    };
    let mut out = set.clone();
    out.union(&beside(&mapping.results, |(_, from)| *from));
    out.difference(&beside(&mapping.changed, |(from, _)| *from));
    out
}

/// `trim` and `trimspace`: these characters are removed at both ends.
fn trimmed(characters: Option<&str>, constraint: &ValueSet) -> Option<Preimage> {
    let space = &characters.map_or_else(|| patterns::SPACE.to_owned(), patterns::class);
    let solid = space.replacen('[', "[^", 1);
    let goes = |char: char| characters.map_or(char.is_whitespace(), |it| it.contains(char));
    match constraint {
        ValueSet::Length(Measure::Characters, length) => {
            let least = |count: u64| match count {
                0 => ValueSet::Anything,
                1 => ValueSet::Matches(solid.clone()),
                2 => ValueSet::Matches(format!(r"{solid}[\s\S]*{solid}")),
                n => ValueSet::Matches(format!(r"{solid}[\s\S]{{{},}}{solid}", n - 2)),
            };
            let Length { min, max } = *length;
            let most = max.map_or(ValueSet::Anything, |it| least(it + 1).negated());
            Preimage::exact(ValueSet::all([min.map_or(ValueSet::Anything, least), most]))
        }
        ValueSet::OneOf(values) => {
            let trimmed = strings(values)?.into_iter().filter(|it| it.trim_matches(goes) == *it);
            let bodies: Vec<_> = trimmed.map(patterns::escape).collect();
            if bodies.iter().any(String::is_empty) {
                let rest: Vec<_> = bodies.into_iter().filter(|it| !it.is_empty()).collect();
                return Preimage::exact(ValueSet::either([
                    ValueSet::Matches(solid).negated(),
                    around_space(space, &rest),
                ]));
            }
            Preimage::exact(around_space(space, &bodies))
        }
        ValueSet::Matches(pattern) => {
            let language = Language::parse(pattern)?;
            let spaces = Language::parse(&format!("^{space}$"))?;
            // A pattern that matches white space may match characters that are cut off.
            let exact = !language.any(&|set| {
                spaces.any(&|other| {
                    let mut both = set.clone();
                    both.intersect(other);
                    !both.ranges().is_empty()
                })
            });
            let mut bodies = Vec::new();
            for LanguagePart { start, end, body } in language.parts()? {
                let start = if start { format!("^{space}*") } else { String::new() };
                let end = if end { format!("{space}*$") } else { String::new() };
                bodies.push(format!("{start}{}{end}", body.to_ecma()?));
            }
            Some(Preimage { values: ValueSet::Matches(bodies.join("|")), exact })
        }
        _ => None,
    }
}

fn around_space(space: &str, bodies: &[String]) -> ValueSet {
    match bodies {
        [] => ValueSet::Nothing,
        [one] => ValueSet::Matches(format!("^{space}*{one}{space}*$")),
        many => ValueSet::Matches(format!("^{space}*(?:{}){space}*$", many.join("|"))),
    }
}

/// The character at an index. It does not exist in shorter strings, for which `substr` gives an empty string.
fn character(index: usize, constraint: &ValueSet) -> Option<Preimage> {
    let skipped = (index > 0).then_some(Cut::WithoutFirst(index));
    let cuts: Vec<Cut> = skipped.into_iter().chain([Cut::First(1)]).collect();
    let Preimage { values, exact } = cut::before(&cuts, constraint)?;
    let is_there = View::Character(index).domain();
    let values = match &values {
        ValueSet::Matches(it) if cut::least(it) > index => values,
        _ => ValueSet::all([is_there, values]),
    };
    Some(Preimage { values, exact })
}

/// `strrev`
fn reversed(constraint: &ValueSet) -> Option<Preimage> {
    match constraint {
        ValueSet::Length(..) => Preimage::exact(constraint.clone()),
        ValueSet::OneOf(values) => {
            let reversed = |it: &str| Value::string(it.chars().rev().collect::<String>());
            let values = strings(values)?.into_iter().map(reversed).collect();
            Preimage::exact(ValueSet::OneOf(values))
        }
        ValueSet::Matches(pattern) => {
            let pattern = Language::parse(pattern)?.reversed().to_ecma()?;
            Preimage::exact(ValueSet::Matches(pattern))
        }
        _ => None,
    }
}

#[test]
fn no_letter_outside_of_the_blocks_changes() {
    for it in '\0'..=char::MAX {
        let changes = functions::lower(it) != it || functions::upper(it) != it;
        let is_inside = CASED.iter().any(|block| block.contains(&it));
        assert!(is_inside || !changes, "{it:?}");
    }
}

#[test]
fn sources_are_what_the_function_takes_into_the_set() {
    let texts = [
        "a",
        "a-z",
        "A-Z",
        "k",
        "K",
        "0-9",
        "\u{b5}",
        "\u{3c3}",
        "\u{1c4}-\u{1cc}",
        "\0-\u{10ffff}",
    ];
    for (name, mapping) in [("lower", &*LOWER), ("upper", &*UPPER)] {
        for text in texts {
            let mut ends = text.split('-').filter_map(|it| it.chars().next());
            let start = ends.next().unwrap();
            let set =
                ClassUnicode::new([ClassUnicodeRange::new(start, ends.next().unwrap_or(start))]);
            let holds = |set: &ClassUnicode, char: char| {
                set.ranges().iter().any(|it| it.start() <= char && char <= it.end())
            };
            let found = sources(&set, mapping);
            for (from, to) in &mapping.changed {
                assert_eq!(holds(&found, *from), holds(&set, *to), "{name} {text} {from:?}");
            }
            assert!(set.ranges().iter().all(|it| {
                (mapping.map)(it.start()) != it.start() || holds(&found, it.start())
            }));
        }
    }
}

// `tostring` of a number: the numbers whose text is in a constraint.

/// The numbers whose text is in the constraint; `None` if that set cannot be written.
pub fn numbers(values: &ValueSet) -> Option<ValueSet> {
    let pattern = match values {
        ValueSet::Matches(pattern) => pattern,
        ValueSet::OneOf(texts) => {
            return Some(ValueSet::either(strings(texts)?.into_iter().map(spelled)));
        }
        _ => return None,
    };
    let mut out = Vec::new();
    for LanguagePart { start, end, body } in Language::parse(pattern)?.parts()? {
        if body.excludes_numerals() {
            continue;
        }
        if !(start && end) {
            return None;
        }
        for numerals in body.numerals()? {
            out.push(match numerals {
                Numerals::One(text) => spelled(&text),
                Numerals::Run { zero, least, most } => integers(zero, least, most)?,
            });
        }
    }
    Some(ValueSet::either(out))
}

/// The number that has this text, if any has.
fn spelled(text: &str) -> ValueSet {
    match Number::parse(text) {
        Some(it) if it.to_decimal() == text => ValueSet::OneOf(vec![Value::number(it)]),
        _ => ValueSet::Nothing,
    }
}

/// All whole numbers of so many digits that are not negative.
fn integers(zero: bool, least: u32, most: Option<u32>) -> Option<ValueSet> {
    /// Beyond, no double holds each power of ten.
    const DIGITS: u32 = 15;
    let power = |digits: u32| (digits <= DIGITS).then(|| 10_i64.pow(digits));
    let lower = match least {
        0 | 1 if zero => 0,
        least => power(least.saturating_sub(1))?,
    };
    let limit = |it: i64| Limit { value: Number::from_i64(it), inclusive: true };
    let upper = match most {
        Some(most) => Some(limit(power(most)? - 1)),
        None => None,
    };
    let range = NumberRange { lower: Some(limit(lower)), upper };
    Some(ValueSet::all([ValueSet::MultipleOf(1), ValueSet::Range(range)]))
}

// `title`: words with a capital.

/// `title`: the strings that it turns into these. Only for ASCII are the changed letters known.
pub fn titled(constraint: &ValueSet) -> Option<Preimage> {
    let values = match constraint {
        ValueSet::Length(..) => return Preimage::exact(constraint.clone()),
        ValueSet::OneOf(values) => strings(values)?,
        _ => return None,
    };
    if !values.iter().all(|it| it.is_ascii()) {
        return None;
    }
    let bodies: Vec<String> = values.into_iter().filter_map(untitled).collect();
    if bodies.is_empty() {
        return Preimage::exact(ValueSet::Nothing);
    }
    let pattern = format!("^(?:{})$", bodies.join("|"));
    // The pattern reader writes a shorter pattern.
    let pattern = Language::parse(&pattern).and_then(|it| it.to_ecma()).unwrap_or(pattern);
    Preimage::exact(ValueSet::Matches(pattern))
}

/// The texts that have this title, as a pattern.
fn untitled(title: &str) -> Option<String> {
    let mut previous = ' ';
    let mut out = String::new();
    for c in title.chars() {
        let before = std::mem::replace(&mut previous, c);
        let begins = !before.is_ascii_alphanumeric() && before != '_';
        match c {
            'a'..='z' if begins => return None,
            'A'..='Z' if begins => {
                let other = match c {
                    'I' => "ı",
                    'S' => "ſ",
                    _ => "",
                };
                out += &format!("[{c}{}{other}]", c.to_ascii_lowercase());
            }
            _ => out += &patterns::escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    Some(out)
}
