//! Searches for many texts at once.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::Module;
use hcl::{Expr, ExprKind, TemplatePart};
use stack::guarded;

/// The number of characters from which on a text is searched for everywhere.
pub(super) const SUBSTANCE: usize = 4;
/// The number of characters by which a long text is found.
const MAX_CHARACTERS: usize = 64;
/// The limit for texts; beyond it everything counts as containing one.
const MAX_TEXTS: usize = 100_000;
/// The limit for finds inside of words; beyond it a text counts as containing one.
const MAX_FINDS: usize = 100_000;

/// Texts that are searched for at once.
#[derive(Debug, Default)]
pub(super) enum Texts {
    #[default]
    None,
    Some(Box<AhoCorasick>, Vec<bool>),
    /// There are too many, so everything counts as containing one.
    Any,
}

impl Texts {
    pub fn new(texts: &BTreeSet<String>) -> Texts {
        if texts.is_empty() {
            return Texts::None;
        }
        let texts: BTreeSet<String> = texts.iter().map(|it| normal(it)).collect();
        let texts: Vec<String> = texts.into_iter().filter(|it| !it.is_empty()).collect();
        let cut = |it: &String| it.chars().take(MAX_CHARACTERS).collect::<String>();
        let is_word = |it: &String| it.chars().count() < SUBSTANCE || is_number(it);
        let words = texts.iter().map(is_word).collect();
        let patterns: Vec<String> = texts.iter().map(cut).collect();
        let finder = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&patterns);
        match finder {
            Ok(finder) if patterns.len() <= MAX_TEXTS => Texts::Some(finder.into(), words),
            _ => Texts::Any,
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Texts::None)
    }

    pub fn are_in(&self, text: &str, as_words: bool) -> bool {
        let (finder, words) = match self {
            Texts::None => return false,
            Texts::Any => return true,
            Texts::Some(finder, words) => (finder, words),
        };
        let text = normal(text);
        let is_apart = |it: Option<char>| !it.is_some_and(char::is_alphanumeric);
        let found = finder.find_overlapping_iter(&text).enumerate();
        found.into_iter().any(|(count, it)| {
            let (before, after) = (&text[..it.start()], &text[it.end()..]);
            let is_word = is_apart(before.chars().next_back()) && is_apart(after.chars().next());
            let needs_word = as_words || words[it.pattern()];
            !needs_word || is_word || count > MAX_FINDS
        })
    }

    pub fn are_in_expression(&self, module: &Module, expr: &Expr) -> bool {
        !self.is_empty()
            && (self.are_in(&module.sources.snippet(expr.span), false) || self.are_in_strings(expr))
    }

    /// Searches the values of strings, since the source may hide a text behind escapes.
    fn are_in_strings(&self, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::String(text) => self.are_in(text, false),
            ExprKind::Template(parts) => parts.iter().any(
                |it| matches!(it, TemplatePart::Literal { text, .. } if self.are_in(text, false)),
            ),
            _ => false,
        };
        let mut found = own;
        expr.for_each_child(&mut |it| {
            found = found || guarded(|| self.are_in_strings(it));
        });
        found
    }
}

/// A text in the form for comparison: a quoted text and a pattern have backslashes that the value lacks,
/// and a pattern writes `[Aa]` for a letter of either case.
fn normal(text: &str) -> String {
    let text = text.replace('\\', "").to_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = memchr::memchr(b'[', rest.as_bytes()) {
        out += &rest[..at];
        rest = &rest[at..];
        let mut inside = rest[1..].chars();
        let first = inside.next().filter(|it| *it != ']');
        let same = inside.clone().take_while(|it| Some(*it) == first).count();
        let is_letter = inside.nth(same) == Some(']');
        if let Some(letter) = first.filter(|_| is_letter) {
            out.push(letter);
            rest = &rest[2 + letter.len_utf8() * (same + 1)..];
        } else {
            out.push('[');
            rest = &rest[1..];
        }
    }
    out + rest
}

/// Whether a text is a decimal with an optional sign, fraction and exponent, as JSON and HCL write them.
pub(super) fn is_number(text: &str) -> bool {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    has_digits && are_digits(whole) && are_digits(fraction) && exponent.parse::<i64>().is_ok()
}
