//! Regular expressions as they come out of an automaton, kept short.

use regex_syntax::hir::{Class, ClassUnicode, Hir, Look, Repetition};
use stack::guarded;

use super::positions::Reads;

/// A regular expression. None of its operations gives two ways through a text where the parts had
/// one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Set(ClassUnicode),
    /// The end of the text.
    End,
    /// One after another; none is the empty text.
    Sequence(Vec<Expression>),
    /// At least two, none a choice.
    Choice(Vec<Expression>),
    Repeat(Box<Expression>, u32, Option<u32>),
}

impl Expression {
    pub fn of(reads: &Reads) -> Expression {
        match reads {
            Reads::Set(set) => Expression::Set(set.clone()),
            Reads::End => Expression::End,
        }
    }

    pub fn empty() -> Expression {
        Expression::Sequence(Vec::new())
    }

    fn is_empty(&self) -> bool {
        matches!(self, Expression::Sequence(parts) if parts.is_empty())
    }

    /// How much there is to read.
    pub fn size(&self) -> usize {
        match self {
            Expression::Set(set) => 1 + set.ranges().len() * 2,
            Expression::End => 1,
            Expression::Sequence(parts) => parts.iter().map(Expression::size).sum(),
            Expression::Choice(parts) => 3 + parts.iter().map(|it| it.size() + 1).sum::<usize>(),
            Expression::Repeat(inner, ..) => 4 + inner.size(),
        }
    }

    fn parts(self) -> Vec<Expression> {
        match self {
            Expression::Sequence(parts) => parts,
            one => vec![one],
        }
    }

    fn of_parts(mut parts: Vec<Expression>) -> Expression {
        if parts.len() == 1 { parts.swap_remove(0) } else { Expression::Sequence(parts) }
    }

    pub fn then(self, next: Expression) -> Expression {
        let mut out = self.parts();
        for part in next.parts() {
            append(&mut out, part);
        }
        Expression::of_parts(out)
    }

    pub fn or(self, other: Expression) -> Expression {
        if self == other {
            return self;
        }
        match (self, other) {
            (empty, it) | (it, empty) if empty.is_empty() => it.optional(),
            (Expression::Set(mut one), Expression::Set(other)) => {
                one.union(&other);
                Expression::Set(one)
            }
            (one, other) => factored(one, other),
        }
    }

    fn optional(self) -> Expression {
        match self {
            it if it.is_empty() => it,
            Expression::Repeat(inner, 0 | 1, max) => Expression::Repeat(inner, 0, max),
            other => Expression::Repeat(Box::new(other), 0, Some(1)),
        }
    }

    pub fn repeated(self) -> Expression {
        match self {
            it if it.is_empty() => it,
            Expression::Repeat(inner, 0 | 1, None | Some(1)) => Expression::Repeat(inner, 0, None),
            other => Expression::Repeat(Box::new(other), 0, None),
        }
    }

    pub fn to_hir(&self) -> Hir {
        guarded(|| match self {
            Expression::Set(set) => Hir::class(Class::Unicode(set.clone())),
            Expression::End => Hir::look(Look::End),
            Expression::Sequence(parts) => Hir::concat(runs(parts)),
            Expression::Choice(parts) => Hir::alternation(parts.iter().map(Self::to_hir).collect()),
            Expression::Repeat(inner, min, max) => Hir::repetition(Repetition {
                min: *min,
                max: *max,
                greedy: true,
                sub: Box::new(inner.to_hir()),
            }),
        })
    }
}

/// The parts, long runs of the same one written with a count.
fn runs(parts: &[Expression]) -> Vec<Hir> {
    let mut out = Vec::new();
    for run in parts.chunk_by(|a, b| a == b) {
        let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
        let size = run[0].size();
        if run.len() * size > size + 6 {
            out.push(Expression::Repeat(Box::new(run[0].clone()), count, Some(count)).to_hir());
        } else {
            out.extend(run.iter().map(Expression::to_hir));
        }
    }
    out
}

/// Adds a part: `x x*` is `x+`, `x x?` is `x{1,2}`, and `x y (x y)*` is `(x y)+`.
fn append(parts: &mut Vec<Expression>, next: Expression) {
    if let Some(last) = parts.last() {
        let (base, min, max) = unrepeated(last);
        let (other, more, most) = unrepeated(&next);
        let is_counted = (min, max) != (1, Some(1)) || (more, most) != (1, Some(1));
        if base == other && is_counted {
            let max = max.zip(most).and_then(|(it, most)| it.checked_add(most));
            let both = Expression::Repeat(Box::new(base.clone()), min + more, max);
            parts.pop();
            return parts.push(both);
        }
    }
    if let Expression::Repeat(inner, min, max) = &next
        && let Expression::Sequence(body) = &**inner
        && parts.ends_with(body)
    {
        let max = max.and_then(|it| it.checked_add(1));
        let again = Expression::Repeat(inner.clone(), min + 1, max);
        parts.truncate(parts.len() - body.len());
        return append(parts, again);
    }
    parts.push(next);
}

fn unrepeated(it: &Expression) -> (&Expression, u32, Option<u32>) {
    match it {
        Expression::Repeat(inner, min, max) => (inner, *min, *max),
        one => (one, 1, Some(1)),
    }
}

/// A choice, with what both begin or end with written once.
fn factored(one: Expression, other: Expression) -> Expression {
    let (mut one, mut other) = (alternatives(one), other);
    // An alternative that shares its beginning or end takes the other in.
    for index in 0..one.len() {
        let left = one[index].clone().parts();
        let right = other.clone().parts();
        let ahead = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
        let behind = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        if ahead == 0 && behind == 0 {
            continue;
        }
        let (ahead, behind) = if ahead >= behind { (ahead, 0) } else { (0, behind) };
        let middle =
            |it: &[Expression]| Expression::of_parts(it[ahead..it.len() - behind].to_vec());
        let (head, tail) = (left[..ahead].to_vec(), left[left.len() - behind..].to_vec());
        let inner = middle(&left).or(middle(&right));
        one.remove(index);
        other = Expression::of_parts(head).then(inner).then(Expression::of_parts(tail));
        return if one.is_empty() { other } else { joined(one, other) };
    }
    joined(one, other)
}

fn alternatives(it: Expression) -> Vec<Expression> {
    match it {
        Expression::Choice(parts) => parts,
        one => vec![one],
    }
}

fn joined(mut parts: Vec<Expression>, more: Expression) -> Expression {
    for next in alternatives(more) {
        let set = parts.iter_mut().find_map(|it| match (it, &next) {
            (Expression::Set(one), Expression::Set(other)) => Some((one, other)),
            _ => None,
        });
        match set {
            Some((one, other)) => one.union(other),
            None => parts.push(next),
        }
    }
    if parts.len() == 1 { parts.swap_remove(0) } else { Expression::Choice(parts) }
}
