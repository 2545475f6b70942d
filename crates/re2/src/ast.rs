//! The syntax tree of a pattern, with the source of each part.

use std::ops::Range;

use regex_syntax::hir::ClassUnicode;

/// A byte range of the pattern.
pub(super) type Source = Range<usize>;

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Ast {
    pub root: Node,
    /// The names of the capture groups; index 0 is the whole match.
    pub names: Vec<Option<String>>,
    /// In Go's instructions.
    pub size: u64,
}

#[derive(Debug)]
pub(super) enum Node {
    Empty,
    Literal(Literal),
    Class(Class),
    /// `.`; with `newline` (flag `s`) it matches `\n` too.
    Any {
        newline: bool,
    },
    Assertion {
        kind: Assertion,
        source: Source,
    },
    Group(Group),
    Repeat(Repeat),
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
}

/// One code point outside a class.
#[derive(Debug)]
pub(super) struct Literal {
    pub atom: Atom,
    /// What it matches where flag `i` makes it more than itself.
    pub folded: Option<ClassUnicode>,
}

/// A code point as written: plain or as an escape. It may be a surrogate, which matches nothing.
#[derive(Debug)]
pub(super) struct Atom {
    pub code: u32,
    pub source: Source,
}

/// A bracketed class, or a class escape outside brackets.
#[derive(Debug)]
pub(super) struct Class {
    pub items: Vec<Item>,
    pub negated: bool,
    pub bracketed: bool,
    pub source: Source,
}

/// One member of a class.
#[derive(Debug)]
pub(super) struct Item {
    pub kind: ItemKind,
    /// What it matches without regard to flag `i`.
    pub plain: ClassUnicode,
    /// What it matches under flag `i`, where that differs.
    pub folded: Option<ClassUnicode>,
    pub source: Source,
}

#[derive(Debug)]
pub(super) enum ItemKind {
    Single(Atom),
    Range(Atom, Atom),
    /// `\d`, `\D`, `\s`, `\S`, `\w`, `\W`: the letter.
    Perl(char),
    /// `[:alpha:]`.
    Posix,
    /// `\pL`, `\p{Greek}`, `\P{^Lu}`.
    Unicode {
        name: String,
        negated: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    StartText,
    EndText,
    StartLine,
    EndLine,
    WordBoundary,
    NotWordBoundary,
}

#[derive(Debug)]
pub(super) struct Group {
    /// The index of a capture group, from 1; none for `(?:…)`.
    pub capture: Option<u32>,
    /// The opening: `(`, `(?:`, `(?i:`, `(?P<n>`.
    pub open: Source,
    pub body: Box<Node>,
}

#[derive(Debug)]
pub(super) struct Repeat {
    pub min: u32,
    pub max: Option<u32>,
    pub greedy: bool,
    /// Whether it is written with braces.
    pub counted: bool,
    /// `*`, `{2,3}?`.
    pub operator: Source,
    pub body: Box<Node>,
}

impl Item {
    /// What it matches.
    pub(super) fn set(&self) -> &ClassUnicode {
        self.folded.as_ref().unwrap_or(&self.plain)
    }
}

impl Class {
    /// What the class matches.
    pub(super) fn set(&self) -> ClassUnicode {
        let mut set = ClassUnicode::empty();
        for item in &self.items {
            set.union(item.set());
        }
        if self.negated {
            set.negate();
        }
        set
    }
}
