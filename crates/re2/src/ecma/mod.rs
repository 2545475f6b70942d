//! Translation of a pattern to ECMA-262 with the `u` flag, as JSON Schema's `pattern` has it.
//!
//! Both are searched for, not matched against the whole. Each part keeps the author's own text
//! where that means the same, so most patterns stay as they are.

mod atoms;
mod classes;

use stack::guarded;
use std::collections::HashSet;

pub(super) use self::atoms::{Surrounding, bound, character};
use self::{
    atoms::atom,
    classes::{class, literal_set},
};
use super::{
    Dialect, Error, Language,
    ast::{Assertion, Group, Literal, Node, Repeat},
    compile,
    parser::parse,
};

/// A pattern that accepts under ECMA-262 (flag `u`) the strings that the original accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EcmaPattern {
    pub pattern: String,
    /// Whether it is the author's own text.
    pub kept: bool,
}

/// Why there is no translation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// Go refuses the pattern.
    #[error(transparent)]
    Invalid(#[from] Error),
    /// Releases that count read it differently, or only some of them can.
    #[error("releases of Terraform read it differently")]
    ByRelease,
    /// A class would have to be spelled out in too many ranges.
    #[error("the class `{0}` has too many ranges to spell out")]
    LongClass(String),
}

/// As [`translate`], for the Go of several releases, which have to agree on the pattern.
pub fn translate_for(pattern: &str, dialects: &[Dialect]) -> Result<EcmaPattern, Untranslatable> {
    if !Dialect::matter_to(pattern) {
        return translate(pattern);
    }
    let read = |dialect: Dialect| parse(pattern, dialect).map(|it| compile::hir(&it.root));
    let usual = read(Dialect::default());
    let mut all = dialects.iter().map(|it| read(*it));
    let first = all.next().unwrap_or_else(|| usual.clone());
    if !all.all(|it| it.as_ref().ok() == first.as_ref().ok()) {
        return Err(Untranslatable::ByRelease);
    }
    match first {
        Ok(hir) if usual.as_ref() != Ok(&hir) => {
            let written = Language(hir).to_ecma();
            let long = || Untranslatable::LongClass(pattern.to_owned());
            written.map(|pattern| EcmaPattern { pattern, kept: false }).ok_or_else(long)
        }
        Ok(_) => translate(pattern),
        Err(error) => Err(error.into()),
    }
}

/// Translates a pattern of Go 1.22 to 1.24. A match's extent and the groups may differ; whether there
/// is one does not.
pub fn translate(pattern: &str) -> Result<EcmaPattern, Untranslatable> {
    let ast = parse(pattern, Dialect::default())?;
    let mut writer = Writer { source: pattern, out: String::new(), names: HashSet::new() };
    writer.node(&ast.root, Edge::BOTH)?;
    let kept = writer.out == pattern;
    Ok(EcmaPattern { pattern: writer.out, kept })
}

/// Whether a part is the first or the last of the pattern. There, a part that may repeat zero times
/// does not affect whether there is a match.
#[derive(Clone, Copy)]
struct Edge {
    first: bool,
    last: bool,
}

impl Edge {
    const BOTH: Edge = Edge { first: true, last: true };
    const NONE: Edge = Edge { first: false, last: false };

    fn any(self) -> bool {
        self.first || self.last
    }
}

struct Writer<'p> {
    source: &'p str,
    out: String,
    /// Group names in use; ECMA-262 takes each only once.
    names: HashSet<&'p str>,
}

impl Writer<'_> {
    fn node(&mut self, node: &Node, edge: Edge) -> Result<(), Untranslatable> {
        guarded(|| match node {
            Node::Empty => Ok(()),
            Node::Literal(it) => self.literal(it),
            Node::Class(it) => {
                self.out.push_str(&class(self.source, it)?);
                Ok(())
            }
            Node::Any { newline } => {
                self.out.push_str(if *newline { r"[\s\S]" } else { r"[^\n]" });
                Ok(())
            }
            Node::Assertion { kind, source } => {
                self.out.push_str(assertion(*kind, &self.source[source.clone()], edge));
                Ok(())
            }
            Node::Group(it) => self.group(it, edge),
            Node::Repeat(it) => self.repeat(it, edge),
            Node::Concat(parts) => self.concat(parts, edge),
            Node::Alternate(parts) => self.alternate(parts, edge),
        })
    }

    fn literal(&mut self, it: &Literal) -> Result<(), Untranslatable> {
        let text = match &it.folded {
            Some(set) => literal_set(self.source, &it.atom, set)?,
            None => atom(self.source, &it.atom, Surrounding::Outside),
        };
        self.out.push_str(&text);
        Ok(())
    }

    fn group(&mut self, it: &Group, edge: Edge) -> Result<(), Untranslatable> {
        let opening = self.opening(it);
        self.out.push_str(&opening);
        self.node(&it.body, edge)?;
        self.out.push(')');
        Ok(())
    }

    fn opening(&mut self, it: &Group) -> String {
        if it.capture.is_none() {
            return "(?:".to_owned();
        }
        let text = &self.source[it.open.clone()];
        let Some(name) = text.split('<').nth(1).and_then(|it| it.strip_suffix('>')) else {
            return "(".to_owned();
        };
        let identifier = !name.starts_with(|it: char| it.is_ascii_digit());
        if identifier && self.names.insert(name) { format!("(?<{name}>") } else { "(".to_owned() }
    }

    fn repeat(&mut self, it: &Repeat, edge: Edge) -> Result<(), Untranslatable> {
        let operator = &self.source[it.operator.clone()];
        if it.min == 0 && edge.any() && matches!(*it.body, Node::Any { .. }) {
            self.out.push('.');
        } else if quantifiable(&it.body) {
            self.node(&it.body, Edge::NONE)?;
        } else {
            self.out.push_str("(?:");
            self.node(&it.body, Edge::NONE)?;
            self.out.push(')');
        }
        self.out.push_str(operator);
        Ok(())
    }

    fn concat(&mut self, parts: &[Node], edge: Edge) -> Result<(), Untranslatable> {
        for (index, part) in parts.iter().enumerate() {
            let first = edge.first && index == 0;
            let last = edge.last && index + 1 == parts.len();
            self.node(part, Edge { first, last })?;
        }
        Ok(())
    }

    fn alternate(&mut self, parts: &[Node], edge: Edge) -> Result<(), Untranslatable> {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out.push('|');
            }
            self.node(part, edge)?;
        }
        Ok(())
    }
}

/// Where nothing follows it, the end of a line may take the line break into the match. So dialects without lookaround
/// can read it.
fn assertion(kind: Assertion, text: &str, edge: Edge) -> &str {
    match kind {
        Assertion::StartText => "^",
        Assertion::EndText => "$",
        Assertion::StartLine if edge.first => r"(?:^|\n)",
        Assertion::StartLine => r"(?:^|(?<=\n))",
        Assertion::EndLine if edge.last => r"(?:\n|$)",
        Assertion::EndLine => r"(?=\n|$)",
        Assertion::WordBoundary | Assertion::NotWordBoundary => text,
    }
}

/// Whether the node's translation can take an operator as it is: under `u`, assertions and
/// repetitions cannot.
fn quantifiable(node: &Node) -> bool {
    matches!(node, Node::Literal(_) | Node::Class(_) | Node::Any { .. } | Node::Group(_))
}
