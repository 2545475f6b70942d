//! The first or the last characters of a string, or a string without them.

use super::preimage::{Preimage, strings};
use crate::sets::{Length, Measure, ValueSet};
use re2::{Language, LanguagePart, Widths};

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
