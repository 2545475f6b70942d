//! The limits that Go puts on a pattern: nesting, size, nested repetition.

use std::sync::OnceLock;

use crate::{
    ast::{Group, Node, Repeat},
    error::ErrorKind,
};
use regex_automata::{
    Input,
    hybrid::dfa::{Cache, DFA},
    nfa::thompson,
};
use regex_syntax::hir::Hir;
use stack::guarded;

/// The largest count in a repetition, and the largest product of nested ones.
pub(super) const REPEAT: u32 = 1000;
/// The deepest tree.
pub(super) const HEIGHT: usize = 1000;
/// The most instructions that a compiled pattern may have in Go.
const SIZE: u64 = (128 << 20) / 40;

/// A node with its height and its size in Go's instructions.
pub(super) struct Measured {
    pub node: Node,
    height: usize,
    size: u64,
    shape: Shape,
}

impl Measured {
    pub fn size(&self) -> u64 {
        self.size
    }
}

/// Go merges a sequence into the sequence around it, and likewise alternatives; a group that
/// captures nothing does not count as a level.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Concat,
    Alternate,
    Other,
}

/// A node without parts.
pub(super) fn leaf(node: Node) -> Measured {
    Measured { node, height: 1, size: 1, shape: Shape::Other }
}

/// A repetition of `body`.
pub(super) fn repeat(
    body: Measured,
    make: impl FnOnce(Box<Node>) -> Repeat,
) -> Result<Measured, ErrorKind> {
    let it = make(Box::new(body.node));
    let min = u64::from(it.min);
    let size = match it.max.map(u64::from) {
        None if min == 0 => 2 + body.size,
        None => 1 + min * body.size,
        Some(max) => max * body.size + (max - min),
    };
    let valid = !it.counted || (min < 2 && it.max.is_none_or(|max| max < 2));
    let node = Node::Repeat(it);
    if !valid && !repeats_fit(&node, REPEAT) {
        return Err(ErrorKind::InvalidRepeatSize);
    }
    check(Measured { node, height: body.height + 1, size: size.max(1), shape: Shape::Other })
}

/// A group around `body`.
pub(super) fn group(
    body: Measured,
    make: impl FnOnce(Box<Node>) -> Group,
) -> Result<Measured, ErrorKind> {
    let it = make(Box::new(body.node));
    let Measured { height, size, shape, .. } = body;
    let captures = it.capture.is_some();
    let node = Node::Group(it);
    if captures {
        check(Measured { node, height: height + 1, size: size + 2, shape: Shape::Other })
    } else {
        Ok(Measured { node, height, size, shape })
    }
}

/// A sequence.
pub(super) fn concat(parts: Vec<Measured>) -> Result<Measured, ErrorKind> {
    many(parts, Shape::Concat, Node::Concat)
}

/// Alternatives; there is always one at least.
pub(super) fn alternate(parts: Vec<Measured>) -> Result<Measured, ErrorKind> {
    many(parts, Shape::Alternate, Node::Alternate)
}

fn many(
    mut parts: Vec<Measured>,
    shape: Shape,
    make: fn(Vec<Node>) -> Node,
) -> Result<Measured, ErrorKind> {
    if parts.len() <= 1 {
        return Ok(parts.pop().unwrap_or_else(|| leaf(Node::Empty)));
    }
    let level = |it: &Measured| it.height - usize::from(it.shape == shape);
    let height = 1 + parts.iter().map(level).max().unwrap_or(0);
    let branches = if shape == Shape::Alternate { parts.len() as u64 - 1 } else { 0 };
    let size = branches + parts.iter().map(|it| it.size).sum::<u64>();
    let node = make(parts.into_iter().map(|it| it.node).collect());
    check(Measured { node, height, size, shape })
}

fn check(it: Measured) -> Result<Measured, ErrorKind> {
    if it.height > HEIGHT {
        return Err(ErrorKind::NestingDepth);
    }
    if it.size > SIZE {
        return Err(ErrorKind::Large);
    }
    Ok(it)
}

/// Whether nested counts multiply to no more than `budget`.
fn repeats_fit(node: &Node, budget: u32) -> bool {
    guarded(|| match node {
        Node::Repeat(it) if it.counted => {
            let count = it.max.unwrap_or(it.min);
            if it.max == Some(0) {
                return true;
            }
            count <= budget && repeats_fit(&it.body, budget / count.max(1))
        }
        Node::Repeat(it) => repeats_fit(&it.body, budget),
        Node::Group(it) => repeats_fit(&it.body, budget),
        Node::Concat(parts) | Node::Alternate(parts) => {
            parts.iter().all(|it| repeats_fit(it, budget))
        }
        _ => true,
    })
}

// The part of a text that the searches for all matches read.
//
// A search may have to read far behind the match that it finds: `.*b|a` looks for a `b` up to the
// end of the line before it takes an `a`, and the next search looks again. So the searches may
// take the square of the text. An automaton of our own shows how far each search looked, because
// it knows when no longer match is possible.

/// The bytes that searches may read before they are measured.
const UNMEASURED: u64 = 64 << 10;
/// Bytes that an automaton goes over in one unit of work.
const FAST: u64 = 8;
/// As `FAST`, where there is no automaton.
const SLOW: u64 = 4;
const CACHE: usize = 1 << 20;

/// The automaton of a pattern, made when it is needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Effort {
    automaton: OnceLock<Option<DFA>>,
}

/// The searches in one text.
pub(super) struct Searches<'r> {
    effort: &'r Effort,
    hir: &'r Hir,
    cache: Option<Cache>,
    /// The largest number of bytes that they can have read.
    most: u64,
}

impl Effort {
    pub(super) fn searches<'r>(&'r self, hir: &'r Hir) -> Searches<'r> {
        Searches { effort: self, hir, cache: None, most: 0 }
    }

    fn automaton(&self, hir: &Hir) -> Option<&DFA> {
        self.automaton.get_or_init(|| build(hir)).as_ref()
    }
}

fn build(hir: &Hir) -> Option<DFA> {
    let config = thompson::Config::new().which_captures(thompson::WhichCaptures::None);
    let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
    let config = DFA::config()
        .cache_capacity(CACHE)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(2));
    DFA::builder().configure(config).build_from_nfa(nfa).ok()
}

impl Searches<'_> {
    /// Whether there were so many searches that they must be measured.
    pub(super) fn are_many(&self) -> bool {
        self.most > UNMEASURED
    }

    /// The units of work of one more search from a position; `weight` is the work of a byte without an
    /// automaton.
    pub(super) fn work(&mut self, text: &str, from: usize, weight: u64) -> u64 {
        let rest = text.len().saturating_sub(from);
        self.most = self.most.saturating_add(rest as u64);
        if !self.are_many() {
            return 0;
        }
        match self.seen(text.as_bytes(), from) {
            Some(bytes) => bytes / FAST,
            None => (rest as u64).saturating_mul(weight) / SLOW,
        }
    }

    /// The bytes up to the point where no longer match is possible.
    fn seen(&mut self, text: &[u8], from: usize) -> Option<u64> {
        let automaton = self.effort.automaton(self.hir)?;
        let cache = self.cache.get_or_insert_with(|| automaton.create_cache());
        let input = Input::new(text).range(from..);
        let mut state = automaton.start_state_forward(cache, &input).ok()?;
        let rest = text.get(from..).unwrap_or_default();
        for (bytes, byte) in (1..).zip(rest) {
            state = automaton.next_state(cache, state, *byte).ok()?;
            if state.is_dead() {
                return Some(bytes);
            }
            if state.is_quit() {
                return None;
            }
        }
        Some(rest.len() as u64)
    }
}
