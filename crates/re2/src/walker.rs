//! Reads patterns one character at a time: the automata that decide questions about sets of strings.

use std::collections::BTreeMap;

use super::{Dialect, parser::parse, regex};
use regex_automata::{
    MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, Config, DFA},
    },
    nfa::thompson,
    util::start,
};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};
use stack::guarded;

/// The memory that one pattern's states may take, and its positions.
const MEMORY: usize = 4 << 20;
const POSITIONS: usize = 2 << 20;

/// The most sets of characters that an alphabet is made of, and the work of dividing them.
const SETS: usize = 400;
const WORK: usize = 100_000;

/// The limit for the characters that represent a letter.
const CHARACTERS: usize = 12;

/// A pattern that is searched for while a text is read.
pub struct Walker {
    dfa: DFA,
    cache: Cache,
    sets: Vec<ClassUnicode>,
    has_any: bool,
}

/// The state of a pattern in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchState {
    /// A match was found, whatever follows.
    Found,
    /// No match can be found any more.
    Lost,
    At(LazyStateID),
}

/// Characters that no pattern distinguishes: some of them, common ones first. For example: `[a-z]+` has
/// one letter for a to z, and one for all others.
pub struct Letter {
    pub characters: Vec<char>,
}

impl Walker {
    /// A pattern as our translation to ECMA-262 writes it. `None` where it is in that syntax alone,
    /// or too large.
    pub fn of(pattern: &str) -> Option<Walker> {
        let hir = regex::hir(&parse(&readable(pattern)?, Dialect::default()).ok()?.root);
        let nfa = thompson::Config::new().shrink(false).nfa_size_limit(Some(POSITIONS));
        let nfa = thompson::Compiler::new().configure(nfa).build_from_hir(&hir).ok()?;
        let config = Config::new()
            .match_kind(MatchKind::All)
            .cache_capacity(MEMORY)
            .minimum_cache_clear_count(Some(0));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let cache = dfa.create_cache();
        let mut sets = Vec::new();
        collect(&hir, &mut sets);
        let has_any = sets.contains(&range('\0', char::MAX));
        Some(Walker { dfa, cache, sets, has_any })
    }

    /// Whether it has `[\s\S]`, in which functions that count characters are written.
    pub fn has_any(&self) -> bool {
        self.has_any
    }

    pub fn start(&mut self) -> Option<MatchState> {
        let state = self.dfa.start_state(&mut self.cache, &start::Config::new()).ok()?;
        Some(MatchState::At(state))
    }

    /// The position behind one more character; `None` where the pattern is too large.
    pub fn read(&mut self, from: MatchState, character: char) -> Option<MatchState> {
        let MatchState::At(mut state) = from else { return Some(from) };
        for (index, byte) in character.encode_utf8(&mut [0; 4]).bytes().enumerate() {
            state = self.dfa.next_state(&mut self.cache, state, byte).ok()?;
            // A match is reported one byte late, and no match ends in the middle of a character.
            if index == 0 && state.is_match() {
                return Some(MatchState::Found);
            }
        }
        Some(if state.is_dead() { MatchState::Lost } else { MatchState::At(state) })
    }

    /// Whether there is a match in the text that ends here.
    pub fn is_match(&mut self, at: MatchState) -> Option<bool> {
        match at {
            MatchState::Found => Some(true),
            MatchState::Lost => Some(false),
            MatchState::At(it) => {
                Some(self.dfa.next_eoi_state(&mut self.cache, it).ok()?.is_match())
            }
        }
    }
}

/// The pattern in RE2 syntax; its lookaround is only for the ends of lines.
pub fn readable(pattern: &str) -> Option<String> {
    let pattern = pattern.replace(r"(?<=\n)", "(?m:^)").replace(r"(?=\n|$)", "(?m:$)");
    let is_foreign = ["(?<=", "(?=", "(?!", "(?<!", r"\u"].iter().any(|it| pattern.contains(it));
    (!is_foreign).then_some(pattern)
}

/// The smallest list of letters for some patterns and texts; `None` if there are too many.
pub fn alphabet(walkers: &[Walker], single: impl Iterator<Item = char>) -> Option<Vec<Letter>> {
    let mut sets = vec![range('\0', char::MAX), range(' ', '~'), range('\0', '\u{7f}')];
    for set in
        walkers.iter().flat_map(|it| it.sets.iter().cloned()).chain(single.map(|it| range(it, it)))
    {
        if !sets.contains(&set) {
            sets.push(set);
        }
        if sets.len() > SETS {
            return None;
        }
    }
    let mut cuts: Vec<u32> = Vec::new();
    for range in sets.iter().flat_map(ClassUnicode::ranges) {
        cuts.extend([range.start() as u32, range.end() as u32 + 1]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut owners: Vec<Vec<usize>> = vec![Vec::new(); cuts.len()];
    let mut work = 0;
    for (index, set) in sets.iter().enumerate() {
        for range in set.ranges() {
            let from = cuts.partition_point(|it| *it < range.start() as u32);
            let to = cuts.partition_point(|it| *it <= range.end() as u32);
            work += to - from;
            owners[from..to].iter_mut().for_each(|it| it.push(index));
        }
        if work > WORK {
            return None;
        }
    }
    let mut letters: BTreeMap<&[usize], Vec<(u32, u32)>> = BTreeMap::new();
    for (pair, owners) in cuts.windows(2).zip(&owners) {
        letters.entry(owners).or_default().push((pair[0], pair[1] - 1));
    }
    let letters = letters.values().map(|it| Letter { characters: characters(it) });
    Some(letters.filter(|it| !it.characters.is_empty()).collect())
}

/// Some of the characters in the ranges: letters and digits, what else a keyboard has, then the rest.
fn characters(ranges: &[(u32, u32)]) -> Vec<char> {
    let has = |it: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&(it as u32)));
    let mut out: Vec<char> = "a0zZAé9mß中😀-_./: ,b1x".chars().filter(|it| has(*it)).collect();
    let ends = ranges.iter().flat_map(|(low, high)| [*low, *high, low.midpoint(*high)]);
    for it in ends.take(3 * CHARACTERS).filter_map(char::from_u32) {
        if out.len() < CHARACTERS && !out.contains(&it) {
            out.push(it);
        }
    }
    // A range may begin or end among the surrogates.
    let above = [0xD7FF, 0xE000].into_iter().filter_map(char::from_u32);
    out.extend(above.filter(|it| has(*it)).take(usize::from(out.is_empty())));
    out
}

fn range(low: char, high: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(low, high)])
}

/// Collects the sets of characters that the pattern distinguishes, up to `SETS`.
fn collect(hir: &Hir, out: &mut Vec<ClassUnicode>) {
    guarded(|| match hir.kind() {
        HirKind::Look(Look::StartLF | Look::EndLF) => add(out, range('\n', '\n')),
        HirKind::Look(Look::WordAscii | Look::WordAsciiNegate) => {
            let ranges = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
            add(out, ClassUnicode::new(ranges.map(|it| ClassUnicodeRange::new(it.0, it.1))));
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => (),
        HirKind::Literal(it) => {
            String::from_utf8_lossy(&it.0).chars().for_each(|it| add(out, range(it, it)));
        }
        HirKind::Class(Class::Unicode(it)) => add(out, it.clone()),
        HirKind::Repetition(it) => collect(&it.sub, out),
        HirKind::Capture(it) => collect(&it.sub, out),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|it| collect(it, out));
        }
    });
}

fn add(sets: &mut Vec<ClassUnicode>, set: ClassUnicode) {
    if sets.len() <= SETS && !sets.contains(&set) {
        sets.push(set);
    }
}
