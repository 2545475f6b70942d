//! The first or the last characters of a string, or a string without them.

use super::preimage::{self, Preimage, strings};
use crate::{
    condition::patterns,
    sets::{Length, Measure, ValueSet},
};
use re2::{Language, LanguagePart, Widths};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use smol_str::SmolStr;
use tf_value::Value;

/// Cuts characters off one end of a string. Of a string with fewer characters, all are kept, or all are
/// dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    First(usize),
    Last(usize),
    WithoutFirst(usize),
    WithoutLast(usize),
}

/// The most widths of a part of the text that are looked at one by one.
const MOST_WIDTHS: usize = 16;

impl Cut {
    /// How many characters it keeps or drops.
    pub fn count(self) -> usize {
        let (Cut::First(it) | Cut::Last(it) | Cut::WithoutFirst(it) | Cut::WithoutLast(it)) = self;
        it
    }

    /// The strings whose remaining characters are in the constraint.
    pub fn preimage(self, constraint: &ValueSet) -> Option<Preimage> {
        Preimage::exact(match constraint {
            ValueSet::Length(Measure::Characters, it) => self.of_length(*it),
            ValueSet::OneOf(values) => {
                let body = Language::of_texts(&strings(values)?);
                self.of_parts(vec![LanguagePart { start: true, end: true, body }])?
            }
            ValueSet::Matches(pattern) => self.of_parts(Language::parse(pattern)?.parts()?)?,
            _ => return None,
        })
    }

    fn of_length(self, length: Length) -> ValueSet {
        let Length { min, max } = length;
        let min = min.filter(|it| *it > 0);
        let length = match self {
            Cut::First(kept) | Cut::Last(kept) => {
                if min.is_some_and(|it| it > kept as u64) {
                    return ValueSet::Nothing;
                }
                Length { min, max: max.filter(|it| *it < kept as u64) }
            }
            Cut::WithoutFirst(gone) | Cut::WithoutLast(gone) => {
                let more = |it: u64| it.saturating_add(gone as u64);
                Length { min: min.map(more), max: max.map(more) }
            }
        };
        match length {
            Length { min: None, max: None } => ValueSet::Anything,
            some => ValueSet::Length(Measure::Characters, some),
        }
    }

    fn of_parts(self, parts: Vec<LanguagePart>) -> Option<ValueSet> {
        let is_last = matches!(self, Cut::Last(_) | Cut::WithoutLast(_));
        let mut shapes = Vec::new();
        let mut empty = None;
        for LanguagePart { start, end, body } in parts {
            let (start, end) = if is_last { (end, start) } else { (start, end) };
            let widths = body.widths();
            let bounded = start && end;
            match self {
                // The empty text is found in every one.
                _ if widths.least == 0 && !bounded => return Some(ValueSet::Anything),
                Cut::First(0) | Cut::Last(0) if widths.least == 0 => {
                    return Some(ValueSet::Anything);
                }
                Cut::First(kept) | Cut::Last(kept) => {
                    if widths == Widths::exactly(0) {
                        empty = Some(0);
                    } else {
                        shapes.extend(kept_shapes(kept, start, end, &body)?);
                    }
                }
                Cut::WithoutFirst(gone) | Cut::WithoutLast(gone) => {
                    if widths.least == 0 {
                        empty = Some(gone as u64);
                    }
                    if widths != Widths::exactly(0) {
                        shapes.push(Shape { start, gap: (gone, gone), body, end });
                    }
                }
            }
        }
        let shapes = shapes.iter().filter(|it| !it.body.is_empty());
        let patterns: Option<Vec<_>> = shapes.map(|it| it.to_ecma(is_last)).collect();
        let patterns = patterns?;
        let found = match patterns.as_slice() {
            [] => ValueSet::Nothing,
            some => ValueSet::Matches(some.join("|")),
        };
        let empty = empty.map_or(ValueSet::Nothing, |max| {
            ValueSet::Length(Measure::Characters, Length { min: None, max: Some(max) })
        });
        Some(ValueSet::either([empty, found]))
    }
}

/// A text after a gap or, seen from the other end, before one.
struct Shape {
    /// Whether nothing precedes the gap.
    start: bool,
    /// How many characters at least and at most.
    gap: (usize, usize),
    body: Language,
    /// Whether nothing follows the text.
    end: bool,
}

/// The shapes of strings in whose first characters a text is found.
fn kept_shapes(kept: usize, start: bool, end: bool, body: &Language) -> Option<Vec<Shape>> {
    let widths = body.widths();
    let of = |it| body.of_widths(it);
    let at = |gap, body, end| Shape { start: true, gap, body, end };
    let mut out = Vec::new();
    match (start, end) {
        (true, true) => {
            out.push(at((0, 0), of(Widths::exactly(kept))?, false));
            if let Some(fewer) = kept.checked_sub(1) {
                out.push(at((0, 0), of(Widths::up_to(fewer))?, true));
            }
        }
        (true, false) => out.push(at((0, 0), of(Widths::up_to(kept))?, false)),
        (false, end) => {
            let most = widths.most.map_or(kept, |it| it.min(kept));
            if most.saturating_sub(widths.least) > MOST_WIDTHS {
                return None;
            }
            for width in widths.least..=most {
                let (body, before) = (of(Widths::exactly(width))?, kept - width);
                if !end {
                    out.push(at((0, before), body, false));
                    continue;
                }
                if let Some(fewer) = before.checked_sub(1) {
                    out.push(at((0, fewer), body.clone(), true));
                }
                out.push(at((before, before), body, false));
            }
        }
    }
    Some(out)
}

impl Shape {
    fn to_ecma(&self, mirrored: bool) -> Option<String> {
        let any = r"[\s\S]";
        let gap = match self.gap {
            (_, 0) => String::new(),
            (1, 1) => any.to_owned(),
            (0, 1) => format!("{any}?"),
            (min, max) if min == max => format!("{any}{{{min}}}"),
            (min, max) => format!("{any}{{{min},{max}}}"),
        };
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        let body = self.body.to_ecma()?;
        Some(if mirrored {
            format!("{}{body}{gap}{}", mark(self.end, "^"), mark(self.start, "$"))
        } else {
            format!("{}{gap}{body}{}", mark(self.start, "^"), mark(self.end, "$"))
        })
    }
}

// `substr`: the strings with a part that is in a constraint.

/// A number among the arguments of `substr`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    Constant(i64),
    /// The length of the string itself plus a constant.
    Length(i64),
}

/// A part of a string: one cut after another; strings of some short lengths have other cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    cuts: Vec<Cut>,
    /// Lengths in ascending order, without gaps.
    short: Vec<(usize, Vec<Cut>)>,
}

/// The most short lengths that are treated one by one.
const MOST_SHORT: usize = 32;

/// The largest count in a pattern that the engines of validators accept.
const MOST_CHARACTERS: usize = 1000;

impl Slice {
    /// `substr(…, offset, length)`; `None` if it is not translated. An offset below zero counts from the end,
    /// but not from before the beginning. A length below zero takes all that is left, and so does zero after an
    /// offset below zero.
    pub fn new(offset: Count, length: Count) -> Option<Slice> {
        let size = |it: i64| usize::try_from(it.unsigned_abs()).ok();
        let slice = match offset {
            Count::Constant(it @ 0..) => Slice::from_start(size(it)?, length),
            Count::Constant(it) => Slice::from_end(size(it)?, length),
            // Nothing lies after the end.
            Count::Length(0..) => Some(Slice::of(vec![Cut::First(0)])),
            Count::Length(it) => Slice::before_end(size(it)?, length),
        };
        slice.filter(|found| {
            let few = found.cuts.iter().all(|it| it.count() <= MOST_CHARACTERS);
            few && found.short.len() <= MOST_SHORT
        })
    }

    fn of(cuts: Vec<Cut>) -> Slice {
        Slice { cuts, short: Vec::new() }
    }

    fn from_start(offset: usize, length: Count) -> Option<Slice> {
        let start: Vec<Cut> =
            (offset > 0).then_some(Cut::WithoutFirst(offset)).into_iter().collect();
        let then = |it: Cut| start.iter().copied().chain([it]).collect();
        Some(match length {
            Count::Constant(it @ 0..) => Slice::of(then(Cut::First(usize::try_from(it).ok()?))),
            Count::Constant(_) | Count::Length(0..) => Slice::of(start),
            Count::Length(it) => {
                let less = usize::try_from(it.unsigned_abs()).ok()?;
                let Some(last @ 1..) = less.checked_sub(offset) else {
                    return Some(Slice::of(start));
                };
                // The length is below zero for a string that has fewer.
                let short = (offset + 1..less).take(MOST_SHORT + 1);
                let short = short.map(|it| (it, start.clone())).collect();
                Slice { cuts: then(Cut::WithoutLast(last)), short }
            }
        })
    }

    /// An offset that is a constant below zero.
    fn from_end(offset: usize, length: Count) -> Option<Slice> {
        match length {
            Count::Constant(it @ 1..) => {
                Some(Slice::of(last(offset, Some(usize::try_from(it).ok()?))))
            }
            Count::Constant(_) | Count::Length(0..) => Some(Slice::of(last(offset, None))),
            Count::Length(_) => None,
        }
    }

    /// An offset that is the string's length minus a constant. For a shorter string it is below zero and counts
    /// from the end.
    fn before_end(offset: usize, length: Count) -> Option<Slice> {
        let length = match length {
            Count::Constant(0) | Count::Length(..0) => return None,
            Count::Constant(it @ 1..) => Some(usize::try_from(it).ok()?),
            Count::Constant(_) | Count::Length(_) => None,
        };
        let short = (offset / 2 + 1..offset).take(MOST_SHORT + 1);
        let short = short.map(|it| (it, last(offset - it, length))).collect();
        Some(Slice { cuts: last(offset, length), short })
    }

    /// The strings whose part is in the constraint.
    pub fn preimage(&self, constraint: &ValueSet) -> Option<Preimage> {
        let Preimage { mut values, mut exact } = before(&self.cuts, constraint)?;
        let (Some((first, _)), Some((last, _))) = (self.short.first(), self.short.last()) else {
            return Some(Preimage { values, exact });
        };
        let least = match &values {
            ValueSet::Matches(it) => least(it),
            _ => 0,
        };
        if least <= *last {
            let others = [(None, Some(first - 1)), (Some(last + 1), None)];
            let others = others.map(|(min, max)| of_length(min, max));
            values = ValueSet::all([ValueSet::either(others), values]);
        }
        let mut alternatives = vec![values];
        for (length, cuts) in &self.short {
            let one = before(cuts, constraint)?;
            exact &= one.exact;
            let length = of_length(Some(*length), Some(*length));
            alternatives.push(ValueSet::all([length, one.values]));
        }
        Some(Preimage { values: ValueSet::either(alternatives), exact })
    }
}

/// The last characters, and of those the first ones.
fn last(count: usize, length: Option<usize>) -> Vec<Cut> {
    let first = length.filter(|it| *it < count).map(Cut::First);
    [Cut::Last(count)].into_iter().chain(first).collect()
}

/// The strings whose rest after the cuts is in the constraint.
pub fn before(cuts: &[Cut], constraint: &ValueSet) -> Option<Preimage> {
    let start = Preimage { values: constraint.clone(), exact: true };
    cuts.iter().rev().try_fold(start, |after, cut| {
        let atom = |it: &ValueSet| cut.preimage(it);
        let Preimage { values, exact } =
            preimage::by_parts(&after.values, &|| ValueSet::Anything, &atom)?;
        Some(Preimage { values, exact: exact && after.exact })
    })
}

fn of_length(min: Option<usize>, max: Option<usize>) -> ValueSet {
    let [min, max] = [min, max].map(|found| found.map(|it| it as u64));
    ValueSet::Length(Measure::Characters, Length { min, max })
}

/// How many characters a string has at least in which the pattern is found.
pub fn least(pattern: &str) -> usize {
    Language::parse(pattern).map_or(0, |it| it.widths().least)
}

// `split`: a question about one part or all parts, as a question about the string.

/// Strings with every part, or some part, in the constraint.
pub fn quantified(separator: char, constraint: &ValueSet, every: bool) -> Option<Preimage> {
    let inner = |it: &ValueSet, every| quantified(separator, it, every);
    match constraint {
        ValueSet::Anything => Preimage::exact(ValueSet::Anything),
        ValueSet::Nothing => Preimage::exact(ValueSet::Nothing),
        ValueSet::Not(it) => {
            let other = inner(it, !every).filter(|it| it.exact)?;
            Preimage::exact(other.values.negated())
        }
        // A conjunct that cannot be written only makes the set larger.
        ValueSet::All(parts) => {
            let inner_parts: Vec<_> = parts.iter().filter_map(|it| inner(it, every)).collect();
            let exact =
                every && inner_parts.len() == parts.len() && inner_parts.iter().all(|it| it.exact);
            Some(Preimage {
                values: ValueSet::all(inner_parts.into_iter().map(|it| it.values)),
                exact,
            })
        }
        ValueSet::Either(parts) if !every => {
            let inner_parts =
                parts.iter().map(|it| inner(it, every)).collect::<Option<Vec<_>>>()?;
            let exact = inner_parts.iter().all(|it| it.exact);
            let values = ValueSet::either(inner_parts.into_iter().map(|it| it.values));
            Some(Preimage { values, exact })
        }
        atom => {
            let bodies = bodies(separator, atom)?;
            let between = patterns::escape(&separator.to_string());
            let Some(body) = joined(&bodies) else { return Preimage::exact(ValueSet::Nothing) };
            Preimage::exact(ValueSet::Matches(if every {
                format!("^{body}(?:{between}{body})*$")
            } else {
                format!("(?:^|{between}){body}(?:{between}|$)")
            }))
        }
    }
}

/// Strings whose part at an index is in the constraint.
pub fn one(separator: char, index: usize, constraint: &ValueSet) -> Option<Preimage> {
    let between = patterns::escape(&separator.to_string());
    let other = patterns::not_in_class(separator);
    let before = match index {
        0 => "^".to_owned(),
        1 => format!("^{other}*{between}"),
        n => format!("^(?:{other}*{between}){{{n}}}"),
    };
    Preimage::exact(match joined(&bodies(separator, constraint)?) {
        Some(body) => ValueSet::Matches(format!("{before}{body}(?:{between}|$)")),
        None => ValueSet::Nothing,
    })
}

fn joined(bodies: &[String]) -> Option<String> {
    match bodies {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("(?:{})", many.join("|"))),
    }
}

/// Patterns of the parts that are in the constraint, each from a part's start to its end.
fn bodies(separator: char, constraint: &ValueSet) -> Option<Vec<String>> {
    let other = patterns::not_in_class(separator);
    match constraint {
        ValueSet::Length(Measure::Characters, Length { min, max }) => {
            let max = max.map_or(String::new(), |it| it.to_string());
            Some(vec![format!("{other}{{{},{max}}}", min.unwrap_or_default())])
        }
        ValueSet::OneOf(values) => {
            let texts = strings(values)?.into_iter().filter(|it| !it.contains(separator));
            Some(texts.map(patterns::escape).collect())
        }
        ValueSet::Matches(pattern) => {
            let without = |set: &ClassUnicode| {
                let mut set = set.clone();
                set.difference(&ClassUnicode::new([ClassUnicodeRange::new(separator, separator)]));
                set
            };
            let mut out = Vec::new();
            for LanguagePart { start, end, body } in Language::parse(pattern)?.parts()? {
                let body = body.rewritten(&without);
                if body.is_empty() {
                    continue;
                }
                let pad = |anchored| if anchored { String::new() } else { format!("{other}*") };
                out.push(format!("{}{}{}", pad(start), body.to_ecma()?, pad(end)));
            }
            Some(out)
        }
        ValueSet::Either(parts) => {
            let each = parts.iter().map(|it| bodies(separator, it)).collect::<Option<Vec<_>>>()?;
            Some(each.concat())
        }
        _ => None,
    }
}

// Strings with a text at one end or without it.

/// A text at one end of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Affix {
    WithoutPrefix(SmolStr),
    WithoutSuffix(SmolStr),
    /// A template around the string.
    Around {
        before: SmolStr,
        after: SmolStr,
    },
}

impl Affix {
    /// The strings whose result is in the constraint.
    pub fn preimage(&self, constraint: &ValueSet) -> Option<Preimage> {
        let (affix, function): (&str, _) = match self {
            Affix::WithoutPrefix(it) => (it, "startswith"),
            Affix::WithoutSuffix(it) => (it, "endswith"),
            Affix::Around { before, after } => return around(before, after, constraint),
        };
        let has = |it: &str| match function {
            "startswith" => it.starts_with(affix),
            _ => it.ends_with(affix),
        };
        let with = |it: &str| match function {
            "startswith" => format!("{affix}{it}"),
            _ => format!("{it}{affix}"),
        };
        match constraint {
            ValueSet::OneOf(values) => {
                // Only one of several affixes is removed.
                let each = |text: &str| {
                    let same = Some(text.to_owned()).filter(|it| !has(it));
                    same.into_iter().chain([with(text)])
                };
                let texts = strings(values)?.into_iter().flat_map(each).map(Value::string);
                Preimage::exact(ValueSet::OneOf(texts.collect()))
            }
            ValueSet::Length(Measure::Characters, Length { min, max }) => {
                let more = |it: u64| it.saturating_add(affix.chars().count() as u64);
                let longer = Length { min: min.map(more), max: max.map(more) };
                let has = patterns::part(function, affix);
                let length = |it| ValueSet::Length(Measure::Characters, it);
                Preimage::exact(ValueSet::either([
                    ValueSet::all([has.clone(), length(longer)]),
                    ValueSet::all([has.negated(), constraint.clone()]),
                ]))
            }
            _ => None,
        }
    }

    /// The number in `"${ip}/24"`: all that the template adds is a `/` and this number.
    pub fn prefix_length(&self) -> Option<u64> {
        let Affix::Around { before, after } = self else { return None };
        let digits = after.strip_prefix('/').filter(|_| before.is_empty())?;
        let is_number = !digits.is_empty() && digits.chars().all(|it| it.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    }
}

/// A template with one string in it. A text before the string may join with its first character.
fn around(before: &str, after: &str, constraint: &ValueSet) -> Option<Preimage> {
    let stands_apart = after.starts_with(|it: char| it.is_ascii_graphic());
    let ValueSet::OneOf(values) = constraint else { return None };
    if !before.is_empty() || !stands_apart {
        return None;
    }
    let texts = strings(values)?.into_iter().filter_map(|it| it.strip_suffix(after));
    let texts: Vec<Value> = texts.map(Value::string).collect();
    Preimage::exact(match texts.as_slice() {
        [] => ValueSet::Nothing,
        _ => ValueSet::OneOf(texts),
    })
}
