//! The limits that Go puts on a pattern: nesting, size, nested repetition.

use super::{
    ast::{Group, Node, Repeat},
    error::ErrorKind,
};
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
