//! Patterns that a backtracking engine reads in time that grows as the text does.
//!
//! RE2 reads every pattern in linear time. ECMA-262's engines try one way after another: of
//! `^(a+)+$` they take each of the 2^n ways through `aaa…!` before they say no. How many ways there
//! are is counted ([`paths`]); a pattern with too many of them is made from its deterministic
//! automaton again ([`automaton`], [`elimination`]), through which there is one way for each text:
//! `^a+$`.

mod expression;
mod positions;

use std::{cell::RefCell, collections::HashMap};

use self::positions::Positions;
use super::{
    Dialect, Language,
    ast::{Assertion, Node},
    parser::parse,
};
use expression::Ways;
use positions::{Automaton, Symbols};

/// The longest pattern that is written instead of another, in bytes.
const LONGEST: usize = 1000;

/// The behaviour of a backtracking engine with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backtracking {
    /// The time grows as the text does; where the pattern may begin anywhere or end before the text
    /// does, with its square.
    Linear,
    /// The time is linear for this pattern, which matches in the same texts.
    Rewritten(String),
    /// The time grows faster, and no pattern of up to 1,000 bytes was found for which it does not.
    Unbounded,
}

/// The longest pattern whose judgement is kept, in bytes.
const LONGEST_KEPT: usize = 16 * 1024;

/// When so many patterns are kept, all are dropped.
const KEPT: usize = 256;

/// Work below which a pattern is judged again rather than kept.
const QUICK: u64 = 1_000;

/// The judgement of a pattern, and the work that it took.
type Judged = (Backtracking, u64);

thread_local! {
    /// By pattern. The modules of a repository repeat each other's patterns.
    static JUDGED: RefCell<HashMap<String, Judged>> = RefCell::default();
}

/// Judges a pattern in ECMA-262 syntax, as [`ecma::translate`](super::ecma::translate) gives it.
/// `work` grows by what it takes, in units of about a tenth of a microsecond, whether or not this thread has judged the
/// pattern before: no count depends on what came earlier.
pub fn backtracking(pattern: &str, work: &mut u64) -> Backtracking {
    if let Some((verdict, took)) = JUDGED.with_borrow(|it| it.get(pattern).cloned()) {
        *work += took;
        return verdict;
    }
    let mut took = 0;
    let verdict = judged(pattern, &mut took);
    *work += took;
    if took >= QUICK && pattern.len() <= LONGEST_KEPT {
        JUDGED.with_borrow_mut(|kept| {
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(pattern.to_owned(), (verdict.clone(), took));
        });
    }
    verdict
}

fn judged(pattern: &str, work: &mut u64) -> Backtracking {
    *work += pattern.len() as u64;
    if is_plain(pattern) || is_linear(pattern, work) {
        return Backtracking::Linear;
    }
    match rewritten(pattern, work) {
        Some(it) if it.len() <= LONGEST && is_linear(&it, work) => Backtracking::Rewritten(it),
        _ => Backtracking::Unbounded,
    }
}

/// Whether the text alone shows that there are few ways: one repetition, of one character or class.
fn is_plain(pattern: &str) -> bool {
    let mut repetitions = 0;
    let mut optional = 0;
    let mut escaped = false;
    let mut before = ' ';
    for it in pattern.chars() {
        match it {
            _ if escaped => (),
            '*' | '+' | '{' if before == ')' => return false,
            '*' | '+' | '{' => repetitions += 1,
            '?' if before != '(' => optional += 1,
            _ => (),
        }
        escaped = it == '\\' && !escaped;
        before = it;
    }
    repetitions <= 1 && optional <= 3
}

/// Whether there are never many ways through a text.
fn is_linear(pattern: &str, work: &mut u64) -> bool {
    // The ends of a line; RE2 knows no lookaround.
    let readable = pattern.replace(r"(?<=\n)", "").replace(r"(?=\n|$)", "");
    let looks = readable != pattern;
    let Ok(tree) = parse(&readable, Dialect::default()) else { return false };
    alternatives(&tree.root).iter().all(|alternative| {
        let Some(mut positions) = Positions::of(alternative.nodes) else { return false };
        positions.assumes |= looks;
        *work += positions.reads.len() as u64 * 8;
        expression::ways(&positions, &Symbols::of(&positions.reads), work) == Ways::Few
    })
}

/// A pattern with one way through each text; `None` where there is none that can be written.
fn rewritten(pattern: &str, work: &mut u64) -> Option<String> {
    let tree = parse(pattern, Dialect::default()).ok()?;
    let each: Option<Vec<_>> = alternatives(&tree.root).iter().map(|it| it.written(work)).collect();
    Some(each?.join("|"))
}

/// One of several patterns. At least one of them must match.
struct Alternative<'n> {
    /// Whether it begins where the text does.
    start: bool,
    nodes: &'n [Node],
}

fn alternatives(node: &Node) -> Vec<Alternative<'_>> {
    let mut out = Vec::new();
    divide(node, &mut out);
    out
}

fn divide<'n>(node: &'n Node, out: &mut Vec<Alternative<'n>>) {
    match node {
        Node::Alternate(parts) => parts.iter().for_each(|it| divide(it, out)),
        Node::Group(it) => divide(&it.body, out),
        Node::Concat(nodes) => {
            let is_start =
                |it: &&Node| matches!(it, Node::Assertion { kind: Assertion::StartText, .. });
            let starts = nodes.iter().take_while(is_start).count();
            out.push(Alternative { start: starts > 0, nodes: &nodes[starts..] });
        }
        one => out.push(Alternative { start: false, nodes: std::slice::from_ref(one) }),
    }
}

impl Alternative<'_> {
    /// The alternative with one way through each text.
    fn written(&self, work: &mut u64) -> Option<String> {
        let positions = Positions::of(self.nodes).filter(|it| !it.assumes)?;
        let symbols = Symbols::of(&positions.reads);
        let automaton = Automaton::of(&positions, &symbols, work)?;
        // Removing a state looks at the ways between all others.
        *work += (automaton.next.len() as u64).pow(2) * 16;
        let body = Language(expression::expression(&automaton, &symbols)?.to_hir()).to_ecma()?;
        Some(format!("{}{body}", if self.start { "^" } else { "" }))
    }
}
