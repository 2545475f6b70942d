//! From the tree to a matcher.

use regex_automata::meta;
use regex_syntax::hir::{
    Capture, Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition,
};
use stack::{grown, guarded};

use super::{
    ast::{Assertion, Literal, Node},
    error::ErrorKind,
};

/// The most memory that one compiled pattern may take: about half a second of work. A class of all
/// letters takes some 50 KiB each time it is repeated.
const MEMORY: usize = 16 << 20;
/// Stack for the compiler of the automaton, which recurses as deep as the pattern nests.
const STACK: usize = 16 << 20;

/// Builds the matcher: leftmost-first, on UTF-8. `for_long`: with deterministic automata, which take
/// more to make than a search in a short text costs without them.
pub(super) fn compile(hir: &Hir, for_long: bool) -> Result<meta::Regex, ErrorKind> {
    let config = meta::Config::new().nfa_size_limit(Some(MEMORY)).utf8_empty(true);
    // One cache: hardly two threads ever ask the same pattern at once, and how many there are is asked of
    // the system by reading four files.
    let config = config.hybrid(for_long).dfa(for_long).pool_capacity(1);
    let build = || meta::Builder::new().configure(config).build_from_hir(hir).ok();
    grown(STACK / 16, STACK, build).ok_or(ErrorKind::Budget)
}

pub(super) fn hir(node: &Node) -> Hir {
    guarded(|| match node {
        Node::Empty => Hir::empty(),
        Node::Literal(it) => literal(it),
        Node::Class(it) => class(it.set()),
        Node::Any { newline } => any(*newline),
        Node::Assertion { kind, .. } => Hir::look(look(*kind)),
        Node::Group(it) => match it.capture {
            Some(index) => {
                Hir::capture(Capture { index, name: None, sub: Box::new(hir(&it.body)) })
            }
            None => hir(&it.body),
        },
        Node::Repeat(it) => Hir::repetition(Repetition {
            min: it.min,
            max: it.max,
            greedy: it.greedy,
            sub: Box::new(hir(&it.body)),
        }),
        Node::Concat(parts) => Hir::concat(parts.iter().map(hir).collect()),
        Node::Alternate(parts) => Hir::alternation(parts.iter().map(hir).collect()),
    })
}

fn literal(it: &Literal) -> Hir {
    if let Some(folded) = &it.folded {
        return class(folded.clone());
    }
    match char::from_u32(it.atom.code) {
        Some(char) => Hir::literal(char.encode_utf8(&mut [0; 4]).as_bytes()),
        None => Hir::fail(),
    }
}

fn class(set: ClassUnicode) -> Hir {
    Hir::class(HirClass::Unicode(set))
}

fn any(newline: bool) -> Hir {
    let mut set = ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]);
    if newline {
        set = ClassUnicode::empty();
    }
    set.negate();
    class(set)
}

fn look(kind: Assertion) -> Look {
    match kind {
        Assertion::StartText => Look::Start,
        Assertion::EndText => Look::End,
        Assertion::StartLine => Look::StartLF,
        Assertion::EndLine => Look::EndLF,
        Assertion::WordBoundary => Look::WordAscii,
        Assertion::NotWordBoundary => Look::WordAsciiNegate,
    }
}
