//! A set as a union of intersections of atoms, which are no union and no intersection, and their complements.

use super::{Length, ValueSet};
use stack::guarded;

/// A set, or (`false`) its complement.
pub type Literal<'s> = (bool, &'s ValueSet);

/// The cases of a set or of its complement; `None` if there are more than `most`.
pub fn cases<'s>(set: &'s ValueSet, is_in: bool, most: usize) -> Option<Vec<Vec<Literal<'s>>>> {
    guarded(|| match (set, is_in) {
        (ValueSet::Not(inner), _) => cases(inner, !is_in, most),
        (ValueSet::Anything, true) | (ValueSet::Nothing, false) => Some(vec![Vec::new()]),
        (ValueSet::Anything, false) | (ValueSet::Nothing, true) => Some(Vec::new()),
        (ValueSet::All(parts), true) | (ValueSet::Either(parts), false) => {
            parts.iter().try_fold(vec![Vec::new()], |all, part| {
                let choices = cases(part, is_in, most)?;
                let both = |it: &Vec<Literal<'s>>| {
                    let it = it.clone();
                    choices.iter().map(move |choice| [it.as_slice(), choice].concat())
                };
                if let [choice] = choices.as_slice() {
                    let mut all = all;
                    all.iter_mut().for_each(|it| it.extend_from_slice(choice));
                    return Some(all);
                }
                let few = all.len() * choices.len() <= most;
                few.then(|| all.iter().flat_map(|it| both(it).collect::<Vec<_>>()).collect())
            })
        }
        (ValueSet::Either(parts), true) | (ValueSet::All(parts), false) => {
            let each = parts.iter().map(|it| cases(it, is_in, most)).collect::<Option<Vec<_>>>()?;
            Some(each.concat()).filter(|it: &Vec<_>| it.len() <= most)
        }
        (one, _) => Some(vec![vec![(is_in, one)]]),
    })
}

/// One case: `choose` takes a part of each union; `None` if a union has no part.
pub fn case<'s>(
    set: &'s ValueSet,
    is_in: bool,
    choose: &mut dyn FnMut(usize) -> usize,
    out: &mut Vec<Literal<'s>>,
) -> Option<()> {
    guarded(|| match (set, is_in) {
        (ValueSet::Not(inner), _) => case(inner, !is_in, choose, out),
        (ValueSet::Anything, true) | (ValueSet::Nothing, false) => Some(()),
        (ValueSet::Anything, false) | (ValueSet::Nothing, true) => None,
        (ValueSet::All(parts), true) | (ValueSet::Either(parts), false) => {
            parts.iter().try_for_each(|it| case(it, is_in, choose, out))
        }
        (ValueSet::Either(parts), true) | (ValueSet::All(parts), false) => {
            case(parts.get(choose(parts.len()))?, is_in, choose, out)
        }
        (one, _) => {
            out.push((is_in, one));
            Some(())
        }
    })
}

impl ValueSet {
    /// The set, or (`false`) its complement.
    pub(super) fn signed(&self, is_in: bool) -> ValueSet {
        if is_in { self.clone() } else { self.clone().negated() }
    }
}

impl Length {
    /// The counts outside, if they lie on one side.
    pub(super) fn complement(self) -> Option<Length> {
        match (self.min, self.max) {
            (None | Some(0), None) => Some(Length { min: Some(1), max: Some(0) }),
            (Some(min), None) => Some(Length { min: None, max: Some(min - 1) }),
            (None | Some(0), Some(max)) => {
                Some(Length { min: Some(max.checked_add(1)?), max: None })
            }
            _ => None,
        }
    }

    /// The counts in both.
    pub(super) fn and(self, other: Length) -> Length {
        Length { min: self.min.max(other.min), max: self.max.into_iter().chain(other.max).min() }
    }

    pub(super) fn is_empty(self) -> bool {
        self.min.zip(self.max).is_some_and(|(min, max)| min > max)
    }

    pub(super) fn has(self, count: u64) -> bool {
        self.min.is_none_or(|min| min <= count) && self.max.is_none_or(|max| count <= max)
    }

    pub(super) fn at_least(count: u64) -> Length {
        Length { min: Some(count), max: None }
    }
}
