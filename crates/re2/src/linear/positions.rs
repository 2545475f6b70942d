//! A pattern as positions and the ways between them (Glushkov's automaton), each way counted.
//!
//! `(?:a+)+` has one position, and two ways from it to itself: round the inner and the outer
//! repetition.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    ast::{Assertion, Node, Repeat},
    sets,
};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use stack::guarded;

/// The most positions, repetitions with a count written out.
const MOST: usize = 1500;
/// The most steps from one position to another.
const STEPS: usize = 20_000;

/// Positions that can be reached, with the number of ways to each.
pub(super) type Ends = Vec<(usize, u32)>;

/// What a position reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reads {
    Set(ClassUnicode),
    /// The end of the text.
    End,
}

pub(super) struct Positions {
    pub reads: Vec<Reads>,
    /// The ways from each position to others.
    pub follow: Vec<Ends>,
    pub whole: Fragment,
    /// Whether some assertion was taken to hold that need not.
    pub assumes: bool,
    steps: usize,
}

#[derive(Clone)]
pub(super) struct Fragment {
    pub empty: u32,
    pub first: Ends,
    pub last: Ends,
}

impl Positions {
    /// Of one node after another; `None` where there are too many. Assertions other than `$` are
    /// taken to hold, which leaves more ways than there are.
    pub fn of<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> Option<Positions> {
        let mut out = Positions {
            reads: Vec::new(),
            follow: Vec::new(),
            whole: Fragment::nothing(),
            assumes: false,
            steps: 0,
        };
        out.whole = out.sequence(nodes)?;
        (out.steps <= STEPS).then_some(out)
    }

    fn sequence<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>) -> Option<Fragment> {
        nodes.into_iter().try_fold(Fragment::nothing(), |all, node| {
            let next = self.fragment(node)?;
            Some(self.then(all, next))
        })
    }

    fn fragment(&mut self, node: &Node) -> Option<Fragment> {
        guarded(|| match node {
            Node::Empty => Some(Fragment::nothing()),
            Node::Literal(it) => {
                let own = || sets::range(it.atom.code, it.atom.code);
                self.position(Reads::Set(it.folded.clone().unwrap_or_else(own)))
            }
            Node::Class(it) => self.position(Reads::Set(it.set())),
            Node::Any { newline } => self.position(Reads::Set(any(*newline))),
            Node::Assertion { kind: Assertion::EndText, .. } => self.position(Reads::End),
            Node::Assertion { .. } => {
                self.assumes = true;
                Some(Fragment::nothing())
            }
            Node::Group(it) => self.fragment(&it.body),
            Node::Concat(parts) => self.sequence(parts),
            Node::Alternate(parts) => {
                let mut out = Fragment { empty: 0, ..Fragment::nothing() };
                for part in parts {
                    let part = self.fragment(part)?;
                    out.empty = out.empty.saturating_add(part.empty);
                    add(&mut out.first, part.first);
                    add(&mut out.last, part.last);
                }
                Some(out)
            }
            Node::Repeat(it) => self.repetition(it),
        })
    }

    fn position(&mut self, reads: Reads) -> Option<Fragment> {
        let position = self.reads.len();
        self.reads.push(reads);
        self.follow.push(Vec::new());
        let here = vec![(position, 1)];
        (position < MOST && self.steps < STEPS).then(|| Fragment {
            empty: 0,
            first: here.clone(),
            last: here,
        })
    }

    fn then(&mut self, left: Fragment, right: Fragment) -> Fragment {
        self.connect(&left.last, &right.first);
        let mut first = left.first;
        add(&mut first, times(&right.first, left.empty));
        let mut last = right.last;
        add(&mut last, times(&left.last, right.empty));
        Fragment { empty: left.empty.saturating_mul(right.empty), first, last }
    }

    fn connect(&mut self, from: &Ends, to: &Ends) {
        for (position, ways) in from {
            self.steps += to.len();
            if self.steps > STEPS {
                return;
            }
            add(&mut self.follow[*position], times(to, *ways));
        }
    }

    /// Once there are enough of them, ECMA-262 takes no repetition that reads nothing.
    fn repetition(&mut self, it: &Repeat) -> Option<Fragment> {
        let mut out = Fragment::nothing();
        for _ in 0..it.min {
            let next = self.fragment(&it.body)?;
            out = self.then(out, next);
        }
        let Some(max) = it.max else {
            let mut inner = self.fragment(&it.body)?;
            self.connect(&inner.last.clone(), &inner.first);
            inner.empty = 1;
            return Some(self.then(out, inner));
        };
        // `x{0,3}` is `(x(x(x)?)?)?`.
        let mut copies = Vec::new();
        for _ in it.min..max {
            let copy = self.fragment(&it.body)?;
            copies.push(Fragment { empty: 0, ..copy });
        }
        let mut rest = Fragment::nothing();
        for copy in copies.into_iter().rev() {
            rest = self.then(copy, rest);
            rest.empty = 1;
        }
        Some(self.then(out, rest))
    }
}

impl Fragment {
    fn nothing() -> Fragment {
        Fragment { empty: 1, first: Vec::new(), last: Vec::new() }
    }
}

fn times(ends: &Ends, ways: u32) -> Ends {
    let each = ends.iter().map(|(position, it)| (*position, it.saturating_mul(ways)));
    each.filter(|it| it.1 > 0).collect()
}

fn add(ends: &mut Ends, more: Ends) {
    for (position, ways) in more {
        match ends.iter_mut().find(|it| it.0 == position) {
            Some(it) => it.1 = it.1.saturating_add(ways),
            None => ends.push((position, ways)),
        }
    }
}

/// What `.` reads.
fn any(newline: bool) -> ClassUnicode {
    let mut set = ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]);
    if newline {
        set = ClassUnicode::empty();
    }
    set.negate();
    set
}

// Code points that a pattern does not distinguish.

/// The fewest sets of code points that every set of a pattern is made of: of `[a-z]` and `[a-f0-9]`
/// these are `[a-f]`, `[g-z]` and `[0-9]`. The end of the text is a symbol of its own.
pub(super) struct Symbols {
    pub all: Vec<Reads>,
    /// For each position of the pattern, the symbols that it reads.
    pub read: Vec<Vec<usize>>,
}

impl Symbols {
    pub fn of(reads: &[Reads]) -> Symbols {
        let mut distinct: Vec<&ClassUnicode> = Vec::new();
        let mut of_position = Vec::new();
        for it in reads {
            let Reads::Set(set) = it else {
                of_position.push(None);
                continue;
            };
            let index = distinct.iter().position(|it| *it == set).unwrap_or_else(|| {
                distinct.push(set);
                distinct.len() - 1
            });
            of_position.push(Some(index));
        }
        let mut cuts: Vec<u32> = Vec::new();
        for range in distinct.iter().flat_map(|it| it.ranges()) {
            cuts.extend([range.start() as u32, range.end() as u32 + 1]);
        }
        cuts.sort_unstable();
        cuts.dedup();
        // Ranges with the sets that have them.
        let mut symbols: HashMap<Vec<usize>, Vec<ClassUnicodeRange>> = HashMap::new();
        for pair in cuts.windows(2) {
            let Some(range) = range(pair[0], pair[1] - 1) else { continue };
            let has = |set: &&ClassUnicode| {
                let found = set.ranges().partition_point(|it| it.end() < range.start());
                set.ranges().get(found).is_some_and(|it| it.start() <= range.start())
            };
            let having: Vec<usize> = (0..distinct.len()).filter(|it| has(&distinct[*it])).collect();
            if !having.is_empty() {
                symbols.entry(having).or_default().push(range);
            }
        }
        let mut symbols: Vec<_> = symbols.into_iter().collect();
        symbols.sort();
        let read = |set: usize| {
            let each = symbols.iter().enumerate();
            each.filter(|(_, (having, _))| having.contains(&set)).map(|it| it.0).collect()
        };
        let sets: Vec<Vec<usize>> = (0..distinct.len()).map(read).collect();
        let end = symbols.len();
        let each = symbols.into_iter().map(|(_, ranges)| Reads::Set(ClassUnicode::new(ranges)));
        Symbols {
            all: each.chain([Reads::End]).collect(),
            read: of_position
                .into_iter()
                .map(|it| it.map_or_else(|| vec![end], |set| sets[set].clone()))
                .collect(),
        }
    }
}

/// The code points from `low` to `high`, both included, without surrogates.
fn range(low: u32, high: u32) -> Option<ClassUnicodeRange> {
    let low = char::from_u32(low).or_else(|| char::from_u32(0xE000).filter(|_| high >= 0xE000))?;
    let high = char::from_u32(high).or_else(|| char::from_u32(0xD7FF).filter(|it| *it >= low))?;
    Some(ClassUnicodeRange::new(low, high))
}

// The smallest deterministic automaton of a pattern.

/// The most states, before and after it is made smaller.
const MOST_STATES: usize = 400;
const SMALL: usize = 80;
/// The most positions that all states together may be made of.
const POSITIONS: usize = 50_000;

pub(super) struct Automaton {
    /// For each state, where each symbol leads; state 0 is the first.
    pub next: Vec<BTreeMap<usize, usize>>,
    pub accepts: Vec<bool>,
}

impl Automaton {
    /// `None` where it is too large. What follows a match does not matter.
    pub fn of(positions: &Positions, symbols: &Symbols, work: &mut u64) -> Option<Automaton> {
        let accepting: BTreeSet<usize> = positions.whole.last.iter().map(|it| it.0).collect();
        let mut positions_left = POSITIONS;
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut out =
            Automaton { next: vec![BTreeMap::new()], accepts: vec![positions.whole.empty > 0] };
        // The first state is not a set of positions. The state of the empty set is never made.
        let mut open: Vec<(usize, Vec<usize>)> =
            vec![(0, positions.whole.first.iter().map(|it| it.0).collect())];
        while let Some((state, reached)) = open.pop() {
            if out.accepts[state] {
                continue;
            }
            let mut by_symbol: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            positions_left = positions_left.checked_sub(reached.len())?;
            *work += reached.len() as u64;
            for position in reached {
                for symbol in &symbols.read[position] {
                    by_symbol.entry(*symbol).or_default().insert(position);
                }
            }
            for (symbol, at) in by_symbol {
                let at: Vec<usize> = at.into_iter().collect();
                let to = *numbers.entry(at.clone()).or_insert_with(|| {
                    let follow = at.iter().flat_map(|it| &positions.follow[*it]);
                    open.push((out.next.len(), follow.map(|it| it.0).collect()));
                    out.next.push(BTreeMap::new());
                    out.accepts.push(at.iter().any(|it| accepting.contains(it)));
                    out.next.len() - 1
                });
                out.next[state].insert(symbol, to);
            }
            if out.next.len() > MOST_STATES {
                return None;
            }
        }
        Some(out.smallest()).filter(|it| it.next.len() <= SMALL)
    }

    /// With states that accept the same made one (Moore's refinement), and none that accepts nothing.
    fn smallest(&self) -> Automaton {
        let mut class: Vec<usize> = self.accepts.iter().map(|it| usize::from(*it)).collect();
        let mut count = 0;
        loop {
            let mut classes: HashMap<(usize, Vec<(usize, usize)>), usize> = HashMap::new();
            let mut refined = Vec::with_capacity(class.len());
            for (state, next) in self.next.iter().enumerate() {
                let to = next.iter().map(|(symbol, to)| (*symbol, class[*to])).collect();
                let fresh = classes.len();
                refined.push(*classes.entry((class[state], to)).or_insert(fresh));
            }
            class = refined;
            if classes.len() == count {
                break;
            }
            count = classes.len();
        }
        let mut out = Automaton { next: vec![BTreeMap::new(); count], accepts: vec![false; count] };
        for (state, next) in self.next.iter().enumerate() {
            out.accepts[class[state]] = self.accepts[state];
            out.next[class[state]] =
                next.iter().map(|(symbol, to)| (*symbol, class[*to])).collect();
        }
        out
    }
}
