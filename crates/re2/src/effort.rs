//! The part of a text that the searches for all matches read.
//!
//! A search may have to read far behind the match that it finds: `.*b|a` looks for a `b` up to the
//! end of the line before it takes an `a`, and the next search looks again. So the searches may
//! take the square of the text. An automaton of our own shows how far each search looked, because
//! it knows when no longer match is possible.

use std::sync::OnceLock;

use regex_automata::{
    Input,
    hybrid::dfa::{Cache, DFA},
    nfa::thompson,
};
use regex_syntax::hir::Hir;

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
