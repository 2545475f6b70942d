//! Regular expressions as they come out of an automaton, kept short.

use std::collections::{BTreeMap, BinaryHeap, HashSet};

use crate::linear::positions::{Automaton, Positions, Reads, Symbols};
use regex_syntax::hir::{Class, ClassUnicode, Hir, Look, Repetition};
use stack::guarded;

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

// How many ways through a text a backtracking engine may have to try.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    Few,
    Many,
}

/// With so many ways at one place of a text, ten thousand characters take some ten milliseconds.
const FEW: u32 = 200;

/// How many steps from one position to another are looked at. The states with the most ways come
/// first, so that a number that grows with the text is found soon.
const STEPS: u64 = 50_000;

/// The positions in which an engine may be after some text, with the number of ways to each.
type State = Vec<(usize, u32)>;

/// The ways that a text leaves open before the pattern has matched. `work` grows by the steps taken.
pub(super) fn ways(positions: &Positions, symbols: &Symbols, work: &mut u64) -> Ways {
    let whole = &positions.whole;
    let mut is_left = vec![true; positions.reads.len()];
    if !positions.assumes {
        // What comes last ends the search, unless an assertion may fail still.
        whole.last.iter().for_each(|it| is_left[it.0] = false);
    }
    let is_left = |position: usize| is_left[position];

    let mut steps = 0;
    let mut states = next(symbols, whole.first.iter().copied(), &is_left);
    for (position, _) in whole.last.iter().filter(|it| !is_left(it.0)) {
        // It does so only after all that the pattern would rather read has failed.
        let follow = &positions.follow[*position];
        steps += follow.len() as u64;
        if follow.iter().any(|it| is_left(it.0)) {
            steps += symbols.all.len() as u64;
            states.extend(next(symbols, follow.iter().copied(), &is_left));
        }
    }
    *work += steps;
    let mut seen: HashSet<State> = HashSet::new();
    let mut open: BinaryHeap<(u32, State)> = BinaryHeap::new();
    loop {
        for state in states {
            let total = state.iter().fold(0_u32, |all, it| all.saturating_add(it.1));
            if total > FEW {
                return Ways::Many;
            }
            if !state.is_empty() && seen.insert(state.clone()) {
                open.push((total, state));
            }
        }
        let Some((_, state)) = open.pop() else { return Ways::Few };
        let count = |it: &(usize, u32)| positions.follow[it.0].len() as u64;
        let taken = state.iter().map(count).sum::<u64>() + symbols.all.len() as u64;
        (steps, *work) = (steps + taken, *work + taken);
        if steps > STEPS {
            return Ways::Many;
        }
        let ends = state.iter().flat_map(|(position, ways)| {
            let follow = positions.follow[*position].iter();
            follow.map(move |(to, it)| (*to, ways.saturating_mul(*it)))
        });
        states = next(symbols, ends, &is_left);
    }
}

/// The states after each symbol.
fn next(
    symbols: &Symbols,
    ends: impl Iterator<Item = (usize, u32)>,
    is_left: &dyn Fn(usize) -> bool,
) -> Vec<State> {
    let mut out: Vec<State> = vec![Vec::new(); symbols.all.len()];
    let mut all: State = Vec::new();
    for (position, ways) in ends.filter(|it| is_left(it.0)) {
        all.push((position, ways));
    }
    all.sort_unstable_by_key(|it| it.0);
    all.dedup_by(|more, it| {
        let same = more.0 == it.0;
        if same {
            it.1 = it.1.saturating_add(more.1);
        }
        same
    });
    for (position, ways) in all {
        for symbol in &symbols.read[position] {
            out[*symbol].push((position, ways));
        }
    }
    out
}

// From an automaton to an expression: states are taken out one after another, and what led through
// them becomes an expression between their neighbours (Brzozowski and McCluskey 1963). Since each
// text has one way through the automaton, it has one through the expression.

/// The limit for the size of a readable result.
const SIZE: usize = 4000;

type Edges = BTreeMap<(usize, usize), Expression>;

/// `None` where it becomes too long, or where nothing is accepted.
pub(super) fn expression(automaton: &Automaton, symbols: &Symbols) -> Option<Expression> {
    let states = automaton.next.len();
    let (start, end) = (states, states + 1);
    let mut edges = Edges::new();
    edges.insert((start, 0), Expression::empty());
    for (state, next) in automaton.next.iter().enumerate() {
        if automaton.accepts[state] {
            edges.insert((state, end), Expression::empty());
        }
        for (symbol, to) in next {
            add(&mut edges, (state, *to), Expression::of(&symbols.all[*symbol]));
        }
    }
    let mut left: Vec<usize> = (0..states).collect();
    while let Some(index) = (0..left.len()).min_by_key(|it| cost(&edges, left[*it])) {
        take_out(&mut edges, left.swap_remove(index));
        if edges.values().map(Expression::size).sum::<usize>() > SIZE {
            return None;
        }
    }
    edges.remove(&(start, end))
}

fn add(edges: &mut Edges, key: (usize, usize), expression: Expression) {
    let joined = match edges.remove(&key) {
        Some(it) => it.or(expression),
        None => expression,
    };
    edges.insert(key, joined);
}

/// What leads into the state, out of it, and round.
type Around<'e> =
    (Vec<(usize, &'e Expression)>, Vec<(usize, &'e Expression)>, Option<&'e Expression>);

fn around(edges: &Edges, state: usize) -> Around<'_> {
    let into = edges.iter().filter(|((from, to), _)| *to == state && *from != state);
    let out = edges.range((state, 0)..(state + 1, 0)).filter(|((_, to), _)| *to != state);
    (
        into.map(|((from, _), it)| (*from, it)).collect(),
        out.map(|((_, to), it)| (*to, it)).collect(),
        edges.get(&(state, state)),
    )
}

/// How much longer everything becomes without the state (Delgado and Morais 2004).
fn cost(edges: &Edges, state: usize) -> usize {
    let (into, out, round) = around(edges, state);
    let size = |them: &[(usize, &Expression)]| -> usize { them.iter().map(|it| it.1.size()).sum() };
    size(&into) * out.len()
        + size(&out) * into.len()
        + round.map_or(0, Expression::size) * into.len() * out.len()
}

fn take_out(edges: &mut Edges, state: usize) {
    let (into, out, round) = around(edges, state);
    let round = round.cloned().map_or_else(Expression::empty, Expression::repeated);
    let mut new = Vec::new();
    for (from, before) in &into {
        for (to, after) in &out {
            let through = (*before).clone().then(round.clone()).then((*after).clone());
            new.push(((*from, *to), through));
        }
    }
    edges.retain(|(from, to), _| *from != state && *to != state);
    for (key, expression) in new {
        add(edges, key, expression);
    }
}
