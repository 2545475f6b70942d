//! `substr`: the strings with a part that is in a constraint.

use super::{
    cut::Cut,
    preimage::{self, Preimage},
};
use crate::sets::{Length, Measure, ValueSet};
use re2::Language;

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
