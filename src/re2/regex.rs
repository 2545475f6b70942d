//! A compiled pattern, and searching with it as Go's `regexp` does.

use std::{cell::OnceCell, ops::Range};

use regex_automata::{Input, meta, util::captures};
use regex_syntax::hir::Hir;

use super::{
    Error,
    compile::{self, compile},
    expand::expand,
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
    fast: OnceCell<Option<meta::Regex>>,
    /// Index 0 is the whole match.
    names: Vec<Option<String>>,
}

/// The byte ranges of a match: the whole at index 0, then each group's, `None` where a group took
/// no part.
pub type Groups = Vec<Option<Range<usize>>>;

impl Regex {
    /// Compiles a pattern. Errors: those of Go's `regexp.Compile`, and a pattern that would need
    /// too much memory.
    pub fn new(pattern: &str) -> Result<Regex, Error> {
        let ast = parse(pattern)?;
        let hir = compile::hir(&ast.root);
        let simple = compile(&hir, false).map_err(|kind| Error::new(kind, pattern))?;
        Ok(Regex { hir, simple, fast: OnceCell::new(), names: ast.names })
    }

    /// What searches this text soonest.
    fn matcher(&self, text: &str) -> &meta::Regex {
        if text.len() < LONG {
            return &self.simple;
        }
        let fast = self.fast.get_or_init(|| compile(&self.hir, true).ok());
        fast.as_ref().unwrap_or(&self.simple)
    }

    /// The names of the groups in order of their parentheses, `None` for a nameless one.
    pub fn group_names(&self) -> &[Option<String>] {
        &self.names[1..]
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
        let mut found = Vec::new();
        let matcher = self.matcher(text);
        let mut slots = matcher.create_captures();
        let mut position = 0;
        let mut previous_end = None;
        while let Some((groups, whole)) = self.search_whole(matcher, text, position, &mut slots) {
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
        found
    }

    /// The text with every match replaced by the template, in which `$1`, `$name`, `${1}` and
    /// `${name}` stand for groups and `$$` for a dollar sign.
    pub fn replace_all(&self, text: &str, template: &str) -> String {
        let unbounded = |_| Ok::<(), std::convert::Infallible>(());
        let Ok(result) = self.try_replace_all(text, template, unbounded);
        result
    }

    /// [`Regex::replace_all`] that tells `grow` how many bytes each replacement added, and stops
    /// at its error.
    pub fn try_replace_all<E>(
        &self,
        text: &str,
        template: &str,
        mut grow: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<String, E> {
        let mut result = String::new();
        let matcher = self.matcher(text);
        let mut slots = matcher.create_captures();
        let mut position = 0;
        let mut last_end = 0;
        while let Some((groups, whole)) = self.search_whole(matcher, text, position, &mut slots) {
            result.push_str(&text[last_end..whole.start]);
            // Not for an empty match right behind another match.
            if whole.end > last_end || whole.start == 0 {
                let before = result.len();
                expand(template, text, &groups, &self.names, &mut result);
                grow(result.len() - before)?;
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

    fn search_whole(
        &self,
        matcher: &meta::Regex,
        text: &str,
        position: usize,
        slots: &mut captures::Captures,
    ) -> Option<(Groups, Range<usize>)> {
        let groups = self.search(matcher, text, position, slots)?;
        let whole = groups.first()?.clone()?;
        Some((groups, whole))
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

/// The length of the character at a position; `None` at the end.
fn width(text: &str, position: usize) -> Option<usize> {
    text[position..].chars().next().map(char::len_utf8)
}
