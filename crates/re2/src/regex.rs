//! A compiled pattern, and searching with it as Go's `regexp` does.

use std::{
    cell::RefCell, collections::HashMap, ops::Range, rc::Rc, sync::OnceLock, thread::LocalKey,
};

use regex_automata::{Input, meta, util::captures};
use regex_syntax::hir::{
    Capture, Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition,
};
use stack::{grown, guarded};

use super::{Dialect, Error, Outline, limits, sets};
use crate::{
    ast::{Assertion, Literal, Node},
    error::ErrorKind,
    limits::Effort,
    parser::parse,
};

/// Bytes of a text that is worth the making of the faster matcher.
const LONG: usize = 4096;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Regex {
    hir: Hir,
    /// For short texts.
    simple: meta::Regex,
    /// For long texts, when there is one.
    fast: OnceLock<Option<meta::Regex>>,
    effort: Effort,
    /// Index 0 is the whole match.
    names: Vec<Option<String>>,
    size: u64,
}

/// The byte ranges of a match: the whole at index 0, then each group's, `None` where a group took
/// no part.
pub type Groups = Vec<Option<Range<usize>>>;

impl Regex {
    /// Compiles a pattern. Errors: those of Go's `regexp.Compile`, and a pattern that would need
    /// too much memory.
    pub fn new(pattern: &str) -> Result<Regex, Error> {
        Regex::of(pattern, Dialect::default())
    }

    /// As [`Regex::new`], as some Go takes it.
    pub fn of(pattern: &str, dialect: Dialect) -> Result<Regex, Error> {
        let ast = parse(pattern, dialect)?;
        let hir = hir(&ast.root);
        let simple = compile(&hir, false).map_err(|kind| Error::new(kind, pattern))?;
        Ok(Regex {
            hir,
            simple,
            fast: OnceLock::new(),
            effort: Effort::default(),
            names: ast.names,
            size: ast.size,
        })
    }

    /// What searches this text soonest.
    fn matcher(&self, text: &str) -> &meta::Regex {
        if text.len() < LONG { &self.simple } else { self.fast() }
    }

    fn fast(&self) -> &meta::Regex {
        let fast = self.fast.get_or_init(|| compile(&self.hir, true).ok());
        fast.as_ref().unwrap_or(&self.simple)
    }

    /// The names of the groups in order of their parentheses, `None` for a nameless one.
    pub fn group_names(&self) -> &[Option<String>] {
        &self.names[1..]
    }

    /// Units of work that a search takes for a byte of text at worst, where it has to follow all
    /// ways through the pattern at once.
    pub fn weight(&self) -> u64 {
        1 + self.size / 4
    }

    /// Bytes of memory that it takes, which the work of its making goes by.
    pub fn memory(&self) -> u64 {
        self.simple.memory_usage() as u64
    }

    /// Whether the pattern matches somewhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.matcher(text).is_match(text)
    }

    /// The leftmost match.
    pub fn captures(&self, text: &str) -> Option<Groups> {
        let matcher = self.matcher(text);
        self.search(matcher, text, 0, &mut matcher.create_captures())
    }

    /// All matches that do not overlap. An empty match right behind the match before it does not
    /// count.
    pub fn find_all(&self, text: &str) -> Vec<Groups> {
        let unbounded = |_| Ok::<(), std::convert::Infallible>(());
        let Ok(found) = self.try_find_all(text, unbounded);
        found
    }

    /// Like [`Regex::find_all`], but passes to `spend` the units of work of each search that takes
    /// more than one look at the text. Stops at its error.
    pub fn try_find_all<E>(
        &self,
        text: &str,
        mut spend: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Vec<Groups>, E> {
        let mut found = Vec::new();
        let mut searches = self.searches(text);
        let mut position = 0;
        let mut previous_end = None;
        while let Some((groups, whole)) = searches.next(position, &mut spend)? {
            let mut accepted = true;
            if whole.end == position {
                accepted = previous_end != Some(whole.start);
                position += width(text, position).unwrap_or(1);
            } else {
                position = whole.end;
            }
            previous_end = Some(whole.end);
            if accepted {
                found.push(groups);
            }
            if position > text.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The text with every match replaced by the template. In the template, `$1`, `$name`, `${1}`
    /// and `${name}` are replaced by groups, and `$$` by a dollar sign.
    pub fn replace_all(&self, text: &str, template: &str) -> String {
        let unbounded = |_| Ok::<(), std::convert::Infallible>(());
        let Ok(result) = self.try_replace_all(text, template, unbounded);
        result
    }

    /// Like [`Regex::replace_all`], but passes to `spend` the units of work of each search and
    /// replacement. Stops at its error.
    pub fn try_replace_all<E>(
        &self,
        text: &str,
        template: &str,
        mut spend: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<String, E> {
        let mut result = String::new();
        let mut searches = self.searches(text);
        let mut position = 0;
        let mut last_end = 0;
        while let Some((groups, whole)) = searches.next(position, &mut spend)? {
            result.push_str(&text[last_end..whole.start]);
            // Not for an empty match right behind another match.
            if whole.end > last_end || whole.start == 0 {
                let before = result.len();
                expand(template, text, &groups, &self.names, &mut result);
                spend(1 + (result.len() - before) as u64 / 16)?;
            }
            last_end = whole.end;
            position = (position + width(text, position).unwrap_or(1)).max(whole.end);
            if position > text.len() {
                break;
            }
        }
        result.push_str(&text[last_end..]);
        Ok(result)
    }

    fn searches<'r>(&'r self, text: &'r str) -> Searches<'r> {
        let matcher = self.matcher(text);
        let slots = matcher.create_captures();
        let effort = self.effort.searches(&self.hir);
        Searches { regex: self, text, matcher, slots, effort }
    }

    /// The leftmost match from a position on; what lies before it still counts for assertions.
    fn search(
        &self,
        matcher: &meta::Regex,
        text: &str,
        position: usize,
        slots: &mut captures::Captures,
    ) -> Option<Groups> {
        let input = Input::new(text).range(position..);
        matcher.search_captures(&input, slots);
        slots.get_match()?;
        let group = |index| slots.get_group(index).map(|it| it.start..it.end);
        Some((0..self.names.len()).map(group).collect())
    }
}

/// The searches for all matches in one text.
struct Searches<'r> {
    regex: &'r Regex,
    text: &'r str,
    matcher: &'r meta::Regex,
    slots: captures::Captures,
    effort: limits::Searches<'r>,
}

impl Searches<'_> {
    /// The leftmost match from a position on, its groups and the whole.
    fn next<E>(
        &mut self,
        position: usize,
        spend: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<(Groups, Range<usize>)>, E> {
        let were_many = self.effort.are_many();
        let work = self.effort.work(self.text, position, self.regex.weight());
        if work > 0 {
            spend(work)?;
        }
        if !were_many && self.effort.are_many() {
            self.matcher = self.regex.fast();
            self.slots = self.matcher.create_captures();
        }
        let found = self.regex.search(self.matcher, self.text, position, &mut self.slots);
        Ok(found.and_then(|groups| {
            let whole = groups.first()?.clone()?;
            Some((groups, whole))
        }))
    }
}

/// The length of the character at a position; `None` at the end.
fn width(text: &str, position: usize) -> Option<usize> {
    text[position..].chars().next().map(char::len_utf8)
}

// Patterns of this thread that were read before.

/// When so many are kept, all are dropped.
const MOST: usize = 256;

type Cache<T> = RefCell<HashMap<(Dialect, String), Rc<T>>>;

thread_local! {
    static COMPILED: Cache<Regex> = RefCell::default();
    static OUTLINES: Cache<Outline> = RefCell::default();
}

/// The compiled pattern, from this thread's cache where it is there. Errors: those of
/// [`Regex::new`].
pub fn cached(pattern: &str, dialect: Dialect) -> Result<Rc<Regex>, Error> {
    kept(&COMPILED, pattern, dialect, Regex::of)
}

/// What the pattern shows without a matcher, from this thread's cache if it is there. Errors: those of [`Outline::of`].
pub fn outline(pattern: &str, dialect: Dialect) -> Result<Rc<Outline>, Error> {
    kept(&OUTLINES, pattern, dialect, Outline::of)
}

fn kept<T>(
    cache: &'static LocalKey<Cache<T>>,
    pattern: &str,
    dialect: Dialect,
    read: fn(&str, Dialect) -> Result<T, Error>,
) -> Result<Rc<T>, Error> {
    let key = (dialect, pattern.to_owned());
    if let Some(known) = cache.with_borrow(|it| it.get(&key).cloned()) {
        return Ok(known);
    }
    let read = Rc::new(read(pattern, dialect)?);
    cache.with_borrow_mut(|cache| {
        if cache.len() >= MOST {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&read));
    });
    Ok(read)
}

// From the tree to a matcher.

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

/// Appends the template to `result` with its references replaced by what the groups matched.
/// A reference to a group that does not exist or took no part is replaced by nothing.
fn expand(
    template: &str,
    text: &str,
    groups: &Groups,
    names: &[Option<String>],
    result: &mut String,
) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        result.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            result.push('$');
            rest = after;
            continue;
        }
        let Some((name, after)) = reference(rest) else {
            result.push('$');
            continue;
        };
        rest = after;
        let group = match number(name) {
            Some(index) => groups.get(index).cloned().flatten(),
            None => named(name, groups, names),
        };
        result.push_str(group.and_then(|it| text.get(it)).unwrap_or_default());
    }
    result.push_str(rest);
}

/// The first group of that name that took part.
fn named(name: &str, groups: &Groups, names: &[Option<String>]) -> Option<std::ops::Range<usize>> {
    let same = |it: &Option<String>| it.as_deref() == Some(name);
    let mut candidates = names.iter().zip(groups).filter(|(it, _)| same(it));
    candidates.find_map(|(_, group)| group.clone())
}

/// The name after a dollar sign, as long as possible, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let inside = braced.unwrap_or(text);
    let length =
        inside.find(|it| it != '_' && !sets::is_letter_or_digit(it)).unwrap_or(inside.len());
    let (name, after) = inside.split_at(length);
    if name.is_empty() {
        return None;
    }
    let after = if braced.is_some() { after.strip_prefix('}')? } else { after };
    Some((name, after))
}

/// A group's number; with a leading zero or too many digits it is a name.
fn number(name: &str) -> Option<usize> {
    let leading_zero = name.len() > 1 && name.starts_with('0');
    if leading_zero || name.len() > 9 || !name.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    name.parse().ok()
}
