//! Translation of a pattern to ECMA-262 with the `u` flag, as JSON Schema's `pattern` has it.
//!
//! Both are searched for, not matched against the whole. Each part keeps the author's own text
//! where that means the same, so most patterns stay as they are.

use std::collections::HashSet;

use super::{Dialect, Error, Language, regex, sets};
use crate::{
    ast::{Assertion, Atom, Class, Group, Item, ItemKind, Literal, Node, Repeat},
    parser::{CATEGORIES, parse},
};
use regex_syntax::hir::ClassUnicode;
use stack::guarded;

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
    let read = |dialect: Dialect| parse(pattern, dialect).map(|it| regex::hir(&it.root));
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

// Single code points in ECMA-262 syntax.

/// Where a code point is.
#[derive(Clone, Copy)]
pub enum Surrounding {
    Outside,
    /// In a class. With `dash`, a plain `-` means itself there.
    InClass {
        dash: bool,
    },
}

/// A code point in ECMA-262 syntax: as the author wrote it where that is the same there.
fn atom(source: &str, it: &Atom, place: Surrounding) -> String {
    let text = &source[it.source.clone()];
    let Some(char) = char::from_u32(it.code) else {
        // A surrogate matches nothing, here and in any text that JSON can carry.
        return escaped(it.code);
    };
    // In a quotation (`\Q…\E`) a backslash means itself.
    match text.strip_prefix('\\').filter(|it| !it.is_empty()) {
        None => plain(char, place),
        Some(escape) => escape_text(text, escape, char, place),
    }
}

/// A code point that must not be written as it is. It is escaped where an escape means the same
/// everywhere: Go and Python do not know `\u{…}`, and Go does not even know `\u…`.
fn escaped(code: u32) -> String {
    match char::from_u32(code) {
        Some('\0'..='\u{ff}') => format!(r"\x{code:02x}"),
        Some(char) => char.to_string(),
        // With braces two surrogates do not become one character.
        None => format!(r"\u{{{code:x}}}"),
    }
}

/// A code point for a range that nobody wrote: itself when it is printable ASCII.
pub fn bound(char: char) -> String {
    match char {
        '\t' => r"\t".to_owned(),
        '\n' => r"\n".to_owned(),
        '\r' => r"\r".to_owned(),
        '^' => r"\^".to_owned(),
        ' '..='~' => plain(char, Surrounding::InClass { dash: false }),
        _ => escaped(char as u32),
    }
}

/// A code point that nobody wrote.
pub fn character(char: char, place: Surrounding) -> String {
    if char.is_ascii_control() { escaped(char as u32) } else { plain(char, place) }
}

fn plain(char: char, place: Surrounding) -> String {
    let special = match place {
        Surrounding::Outside => is_syntax(char),
        Surrounding::InClass { dash } => matches!(char, '\\' | ']') || (char == '-' && !dash),
    };
    if special { format!("\\{char}") } else { char.to_string() }
}

fn escape_text(text: &str, escape: &str, char: char, place: Surrounding) -> String {
    let kept = match escape.as_bytes() {
        [b'x', b'{', ..] => return escaped(char as u32),
        [b'f' | b'n' | b'r' | b't' | b'v'] | [b'x', _, _] => true,
        [b'-'] if matches!(place, Surrounding::InClass { .. }) => true,
        [it] if it.is_ascii_alphanumeric() => false,
        [it] if is_syntax(*it as char) || *it == b'/' => true,
        [it] if !it.is_ascii_control() => return plain(char, place),
        _ => false,
    };
    if kept { text.to_owned() } else { escaped(char as u32) }
}

fn is_syntax(char: char) -> bool {
    "^$\\.*+?()[]{}|".contains(char)
}

// Classes in ECMA-262 syntax.

/// The most ranges that a class is spelled out in.
const RANGES: usize = 200;

/// What `\s` matches in RE2; ECMA-262's matches more.
const SPACE: &str = r"\t\n\f\r ";

/// A class in ECMA-262 syntax.
fn class(source: &str, it: &Class) -> Result<String, Untranslatable> {
    if let ([item], false) = (it.items.as_slice(), it.bracketed) {
        return lone(source, item);
    }
    let mut out = String::from(if it.negated { "[^" } else { "[" });
    let mut after_range = true;
    for (index, item) in it.items.iter().enumerate() {
        let last = index + 1 == it.items.len();
        // A dash elsewhere would make a range of its neighbours.
        let dash = after_range || (last && matches!(item.kind, ItemKind::Single(_)));
        out.push_str(&member(source, item, dash)?);
        after_range = matches!(item.kind, ItemKind::Range(..)) && item.folded.is_none();
    }
    out.push(']');
    Ok(out)
}

/// A literal that case folding makes a class.
fn literal_set(source: &str, it: &Atom, set: &ClassUnicode) -> Result<String, Untranslatable> {
    let mut others = set.clone();
    others.difference(&sets::range(it.code, it.code));
    let own = atom(source, it, Surrounding::InClass { dash: false });
    let others = spell(&others, || source[it.source.clone()].to_owned())?;
    Ok(format!("[{own}{others}]"))
}

/// A class escape outside brackets.
fn lone(source: &str, item: &Item) -> Result<String, Untranslatable> {
    if item.folded.is_none() {
        match &item.kind {
            ItemKind::Perl('s') => return Ok(format!("[{SPACE}]")),
            ItemKind::Perl('S') => return Ok(format!("[^{SPACE}]")),
            _ => (),
        }
        if let Some(text) = own_text(source, item, true) {
            let single = !text.starts_with(r"\p{Cc}");
            return Ok(if single { text } else { format!("[{text}]") });
        }
    }
    let mut complement = item.set().clone();
    complement.negate();
    if complement.ranges().len() < item.set().ranges().len() {
        return Ok(format!("[^{}]", spell_item(source, item, &complement)?));
    }
    Ok(format!("[{}]", member(source, item, true)?))
}

/// One member of a bracketed class, flag `i` spelled out. With `dash` a plain `-` may stay.
fn member(source: &str, item: &Item, dash: bool) -> Result<String, Untranslatable> {
    let own = own_text(source, item, dash);
    match (&item.folded, own) {
        (None, Some(text)) => Ok(text),
        (Some(folded), Some(text)) if contains(folded, &item.plain) => {
            let mut others = folded.clone();
            others.difference(&item.plain);
            Ok(text + &spell_item(source, item, &others)?)
        }
        _ => spell_item(source, item, item.set()),
    }
}

/// The item without regard to flag `i`, where ECMA-262 has a short form for it.
fn own_text(source: &str, item: &Item, dash: bool) -> Option<String> {
    match &item.kind {
        ItemKind::Single(it) => Some(atom(source, it, Surrounding::InClass { dash })),
        ItemKind::Range(low, high) => {
            let low = atom(source, low, Surrounding::InClass { dash });
            let high = atom(source, high, Surrounding::InClass { dash: true });
            Some(format!("{low}-{high}"))
        }
        ItemKind::Perl('s') => Some(SPACE.to_owned()),
        ItemKind::Perl('S') | ItemKind::Posix => None,
        ItemKind::Perl(_) => Some(source[item.source.clone()].to_owned()),
        ItemKind::Unicode { name, negated } => property(name, *negated),
    }
}

/// A Unicode class by the name that ECMA-262 has for it.
fn property(name: &str, negated: bool) -> Option<String> {
    let letter = if negated { 'P' } else { 'p' };
    match name {
        // Go's has no unassigned code points.
        "C" if negated => None,
        "C" => Some(r"\p{Cc}\p{Cf}\p{Co}".to_owned()),
        "Any" => Some(format!(r"\{letter}{{Any}}")),
        _ if CATEGORIES.contains(&name) => Some(format!(r"\{letter}{{{name}}}")),
        _ => Some(format!(r"\{letter}{{Script={name}}}")),
    }
}

fn spell_item(source: &str, item: &Item, set: &ClassUnicode) -> Result<String, Untranslatable> {
    spell(set, || source[item.source.clone()].to_owned())
}

/// A set, range by range.
fn spell(set: &ClassUnicode, name: impl FnOnce() -> String) -> Result<String, Untranslatable> {
    if set.ranges().len() > RANGES {
        return Err(Untranslatable::LongClass(name()));
    }
    let mut out = String::new();
    for range in set.ranges() {
        out.push_str(&bound(range.start()));
        if range.len() > 2 {
            out.push('-');
        }
        if range.len() > 1 {
            out.push_str(&bound(range.end()));
        }
    }
    Ok(out)
}

fn contains(set: &ClassUnicode, subset: &ClassUnicode) -> bool {
    let mut missing = subset.clone();
    missing.difference(set);
    missing.ranges().is_empty()
}
