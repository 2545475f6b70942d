//! A pattern as positions and the ways between them (Glushkov's automaton), each way counted.
//!
//! `(?:a+)+` has one position, and two ways from it to itself: round the inner and the outer
//! repetition.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::{
    ast::{Assertion, Node, Repeat},
    sets,
};
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
