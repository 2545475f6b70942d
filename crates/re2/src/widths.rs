//! The widths in characters of a pattern's matches, and the matches of given widths.

use regex_syntax::hir::{Capture, Hir, HirKind, Look, Repetition};
use stack::guarded;

use super::Language;

/// A range of numbers of code points; both ends included. For example: `a{2,3}` has the widths 2 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    pub least: usize,
    /// The upper end; `None` if there is no limit.
    pub most: Option<usize>,
}

/// The limit for the ways to divide a width among the pieces of a pattern.
const DIVISIONS: usize = 16;

impl Widths {
    pub fn exactly(width: usize) -> Widths {
        Widths { least: width, most: Some(width) }
    }

    pub fn up_to(most: usize) -> Widths {
        Widths { least: 0, most: Some(most) }
    }

    fn one(self) -> Option<usize> {
        self.most.filter(|it| *it == self.least)
    }

    fn within(self, other: Widths) -> bool {
        let below = other.most.is_none_or(|limit| self.most.is_some_and(|it| it <= limit));
        other.least <= self.least && below
    }

    fn beside(self, other: Widths) -> bool {
        let below = |a: Widths, b: Widths| a.most.is_some_and(|it| it < b.least);
        below(self, other) || below(other, self)
    }

    fn then(self, other: Widths) -> Widths {
        let most = self.most.zip(other.most);
        Widths {
            least: self.least.saturating_add(other.least),
            most: most.map(|(a, b)| a.saturating_add(b)),
        }
    }

    fn or(self, other: Widths) -> Widths {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Widths { least: self.least.min(other.least), most }
    }

    /// The widths that remain when a part of fixed width is removed.
    fn less(self, width: usize) -> Option<Widths> {
        let most = match self.most {
            Some(it) => Some(it.checked_sub(width)?),
            None => None,
        };
        Some(Widths { least: self.least.saturating_sub(width), most })
    }
}

impl Language {
    /// The language of exactly these texts.
    pub fn of_texts(texts: &[&str]) -> Language {
        let each = texts.iter().map(|it| Hir::literal(it.as_bytes()));
        Language(Hir::alternation(each.collect()))
    }

    /// The smallest and the largest width of its texts.
    pub fn widths(&self) -> Widths {
        widths(&self.0)
    }

    /// The part of the language with these widths, which may be empty (`is_empty`); `None` if it cannot
    /// be expressed.
    pub fn of_widths(&self, among: Widths) -> Option<Language> {
        // Rewriting removes parts without texts.
        restricted(&self.0, among).map(|it| Language(it).rewritten(&Clone::clone))
    }

    /// The language of its texts, reversed.
    pub fn reversed(&self) -> Language {
        Language(reversed(&self.0))
    }
}

fn reversed(hir: &Hir) -> Hir {
    guarded(|| match hir.kind() {
        HirKind::Look(Look::Start) => Hir::look(Look::End),
        HirKind::Look(Look::End) => Hir::look(Look::Start),
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Literal(it) => {
            let text: String = String::from_utf8_lossy(&it.0).chars().rev().collect();
            Hir::literal(text.into_bytes())
        }
        HirKind::Repetition(it) => {
            let sub = Box::new(reversed(&it.sub));
            Hir::repetition(Repetition { sub, ..it.clone() })
        }
        HirKind::Capture(it) => {
            Hir::capture(Capture { sub: Box::new(reversed(&it.sub)), ..it.clone() })
        }
        HirKind::Concat(parts) => Hir::concat(parts.iter().rev().map(reversed).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(reversed).collect()),
    })
}

fn widths(hir: &Hir) -> Widths {
    guarded(|| match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Widths::exactly(0),
        HirKind::Literal(it) => Widths::exactly(String::from_utf8_lossy(&it.0).chars().count()),
        HirKind::Class(_) => Widths::exactly(1),
        HirKind::Repetition(it) => {
            let sub = widths(&it.sub);
            let most = match (sub.most, it.max) {
                (Some(0), _) => Some(0),
                (Some(most), Some(max)) => Some(most.saturating_mul(max as usize)),
                _ => None,
            };
            Widths { least: sub.least.saturating_mul(it.min as usize), most }
        }
        HirKind::Capture(it) => widths(&it.sub),
        HirKind::Concat(parts) => parts.iter().map(widths).fold(Widths::exactly(0), Widths::then),
        HirKind::Alternation(parts) => {
            parts.iter().map(widths).reduce(Widths::or).unwrap_or(Widths::exactly(0))
        }
    })
}

fn restricted(hir: &Hir, among: Widths) -> Option<Hir> {
    let all = widths(hir);
    if all.within(among) {
        return Some(hir.clone());
    }
    if all.beside(among) {
        return Some(Hir::fail());
    }
    guarded(|| match hir.kind() {
        HirKind::Capture(it) => {
            let sub = Box::new(restricted(&it.sub, among)?);
            Some(Hir::capture(Capture { sub, ..it.clone() }))
        }
        HirKind::Alternation(parts) => {
            let each = parts.iter().map(|it| restricted(it, among)).collect::<Option<Vec<_>>>()?;
            Some(Hir::alternation(each))
        }
        HirKind::Repetition(it) => repeated(it, among),
        HirKind::Concat(parts) => joined(parts, among),
        _ => None,
    })
}

/// Restricts a repetition of a part with a fixed width.
fn repeated(it: &Repetition, among: Widths) -> Option<Hir> {
    let width = widths(&it.sub).one().filter(|it| *it > 0)?;
    let count = |it: usize| u32::try_from(it).ok();
    let min = it.min.max(count(among.least.div_ceil(width))?);
    let max = match (it.max, among.most) {
        (Some(max), Some(most)) => Some(max.min(count(most / width)?)),
        (None, Some(most)) => Some(count(most / width)?),
        (max, None) => max,
    };
    if max.is_some_and(|it| it < min) {
        return Some(Hir::fail());
    }
    Some(Hir::repetition(Repetition { min, max, ..it.clone() }))
}

/// Restricts a sequence: if several pieces have several widths, by each way to divide them.
fn joined(parts: &[Hir], among: Widths) -> Option<Hir> {
    let fixed: usize = parts.iter().filter_map(|it| widths(it).one()).sum();
    let Some(left) = among.less(fixed) else { return Some(Hir::fail()) };
    let mut at = parts.iter().enumerate().filter(|(_, it)| widths(it).one().is_none());
    let Some((first, piece)) = at.next() else { return Some(Hir::concat(parts.to_vec())) };
    let with = |it: Hir, rest: Hir| {
        let mut pieces = parts[..first].to_vec();
        pieces.extend([it, rest]);
        Hir::concat(pieces)
    };
    let rest = Hir::concat(parts[first + 1..].to_vec());
    if at.next().is_none() {
        return Some(with(restricted(piece, left)?, rest));
    }
    let most = left.most.filter(|it| *it < DIVISIONS)?;
    let behind: usize = parts[first + 1..].iter().filter_map(|it| widths(it).one()).sum();
    let division = |width: usize| {
        let left = left.less(width)?.then(Widths::exactly(behind));
        Some(with(restricted(piece, Widths::exactly(width))?, restricted(&rest, left)?))
    };
    let divisions = (0..=most).map(division).collect::<Option<Vec<_>>>()?;
    Some(Hir::alternation(divisions))
}
