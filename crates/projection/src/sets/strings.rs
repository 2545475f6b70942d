//! Sets of strings as automata: one for each pattern. All of them are read in parallel, together with the
//! length and the enumerated strings.
//!
//! A state is the position of each automaton after a text. No pattern distinguishes the characters of a
//! [`Letter`], so one of them represents all, and the search through the states is complete: if it ends without
//! a state in which the set has the text, the set is empty.

use std::collections::{BTreeMap, HashMap};

use super::{Kind, Length, Measure, ValueSet};
use crate::sets::witness::Finder;
use re2::{Letter, MatchState, Walker, alphabet};
use stack::guarded;

/// The most patterns, and the most texts that are enumerated.
const PATTERNS: usize = 12;
const TEXTS: usize = 2000;

/// The most states, and the most steps from one to another.
const STATES: usize = 6000;
const STEPS: usize = 120_000;

/// The strings that are considered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Universe {
    /// Canonical ones: each character is one code point.
    Canonical,
    /// All strings. A code point may belong to the character before it, and patterns that replace functions
    /// which count characters are decided for printable ASCII alone.
    Every,
}

/// A set of strings as a formula.
enum Formula {
    Known(bool),
    /// Not known.
    Unknown,
    Pattern(usize),
    Length(Length),
    /// One of the enumerated texts, by their index.
    Text(Vec<usize>),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Either(Vec<Formula>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    positions: Vec<MatchState>,
    /// How many characters the text has, up to the cap.
    count: u64,
    /// Whether the last character is printable ASCII, and (`is_odd`) whether any character is not.
    is_plain: bool,
    is_odd: bool,
    /// The node of the enumerated texts; `None` if the text begins none of them.
    node: Option<usize>,
}

/// The states that were found.
pub struct Graph {
    /// For each state, the state to which each letter leads.
    pub next: Vec<Vec<(usize, usize)>>,
    /// Whether the set has the texts that lead to the state; `None` if that is not known.
    pub has: Vec<Option<bool>>,
    /// The state before, and the letter from it, on the shortest way.
    pub before: Vec<Option<(usize, usize)>>,
    pub letters: Vec<Letter>,
    /// Whether all states were looked at.
    pub is_complete: bool,
}

/// The error that a pattern has more states than are kept.
struct TooLarge;

struct Explorer {
    walkers: Vec<Walker>,
    /// The enumerated texts as a tree: for each node, the characters that lead to others.
    trie: Vec<BTreeMap<char, usize>>,
    /// The text that ends at a node.
    ends: HashMap<usize, usize>,
    /// Texts of at least this length have the same length for the search.
    cap: u64,
    universe: Universe,
    texts: usize,
}

/// Builds the states of a set of strings, breadth first. With `first_only` it stops at the first state whose
/// texts may be in the set. `None` if the set cannot be read; `steps` grows by the work of the search.
pub fn graph(
    set: &ValueSet,
    universe: Universe,
    first_only: bool,
    steps: &mut u64,
) -> Option<Graph> {
    let mut reader = Explorer {
        walkers: Vec::new(),
        trie: vec![BTreeMap::new()],
        ends: HashMap::new(),
        cap: 0,
        universe,
        texts: 0,
    };
    let mut patterns = Vec::new();
    let formula = reader.formula(set, &mut patterns)?;
    let single: Vec<char> = reader.trie.iter().flat_map(|it| it.keys().copied()).collect();
    let letters = alphabet(&reader.walkers, single.into_iter())?;
    reader.search(&formula, letters, first_only, steps)
}

impl Explorer {
    fn formula<'s>(&mut self, set: &'s ValueSet, patterns: &mut Vec<&'s str>) -> Option<Formula> {
        guarded(|| match set {
            ValueSet::Nothing => Some(Formula::Known(false)),
            ValueSet::Kind(kind) => Some(Formula::Known(*kind == Kind::String)),
            ValueSet::OneOf(values) => {
                let texts = values.iter().filter_map(|it| it.as_str());
                let texts = texts.map(|it| self.text(it)).collect::<Option<Vec<_>>>()?;
                Some(Formula::Text(texts))
            }
            ValueSet::Matches(pattern) => self.pattern(pattern, patterns),
            ValueSet::Length(Measure::Characters, length) => {
                let most = length.min.max(length.max).unwrap_or(0);
                self.cap = self.cap.max(most.saturating_add(1));
                Some(Formula::Length(*length))
            }
            ValueSet::Not(inner) => {
                let inner = self.formula(inner, patterns)?;
                Some(Formula::Not(Box::new(inner)))
            }
            ValueSet::All(parts) => Some(Formula::All(self.each(parts, patterns)?)),
            ValueSet::Either(parts) => Some(Formula::Either(self.each(parts, patterns)?)),
            // A constraint on other kinds of values holds for every string.
            _ => Some(Formula::Known(true)),
        })
    }

    fn each<'s>(
        &mut self,
        parts: &'s [ValueSet],
        patterns: &mut Vec<&'s str>,
    ) -> Option<Vec<Formula>> {
        parts.iter().map(|it| self.formula(it, patterns)).collect()
    }

    fn pattern<'s>(&mut self, pattern: &'s str, known: &mut Vec<&'s str>) -> Option<Formula> {
        if let Some(at) = known.iter().position(|it| *it == pattern) {
            return Some(Formula::Pattern(at));
        }
        if known.len() >= PATTERNS {
            return Some(Formula::Unknown);
        }
        let Some(walker) = Walker::of(pattern) else { return Some(Formula::Unknown) };
        self.walkers.push(walker);
        known.push(pattern);
        Some(Formula::Pattern(known.len() - 1))
    }

    /// The index of an enumerated text.
    fn text(&mut self, text: &str) -> Option<usize> {
        let mut node = 0;
        for character in text.chars() {
            let fresh = self.trie.len();
            node = *self.trie[node].entry(character).or_insert(fresh);
            if node == fresh {
                self.trie.push(BTreeMap::new());
            }
        }
        let fresh = self.texts;
        let index = *self.ends.entry(node).or_insert(fresh);
        self.texts += usize::from(index == fresh);
        (self.texts <= TEXTS && self.trie.len() <= 10 * TEXTS).then_some(index)
    }

    fn search(
        &mut self,
        formula: &Formula,
        letters: Vec<Letter>,
        first_only: bool,
        steps: &mut u64,
    ) -> Option<Graph> {
        let start = State {
            positions: self.walkers.iter_mut().map(Walker::start).collect::<Option<_>>()?,
            count: 0,
            is_plain: true,
            is_odd: false,
            node: Some(0),
        };
        let mut graph = Graph {
            next: Vec::new(),
            has: vec![self.has(formula, &start).ok()?],
            before: vec![None],
            letters,
            is_complete: false,
        };
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut taken = 0;
        while graph.next.len() < states.len() {
            let from = graph.next.len();
            if first_only && graph.has[from] != Some(false) {
                return Some(graph);
            }
            taken += graph.letters.len() * (1 + self.walkers.len());
            *steps += (graph.letters.len() * (1 + self.walkers.len())) as u64;
            if taken > STEPS || states.len() > STATES {
                return Some(graph);
            }
            let mut next = Vec::with_capacity(graph.letters.len());
            for (letter, it) in graph.letters.iter().enumerate() {
                for state in self.read(&states[from], it.characters[0])? {
                    let fresh = states.len();
                    let to = *numbers.entry(state.clone()).or_insert(fresh);
                    if to == fresh {
                        graph.has.push(self.has(formula, &state).ok()?);
                        graph.before.push(Some((from, letter)));
                        states.push(state);
                    }
                    next.push((letter, to));
                }
            }
            graph.next.push(next);
        }
        graph.is_complete = true;
        Some(graph)
    }

    /// The states after one more code point.
    fn read(&mut self, from: &State, character: char) -> Option<Vec<State>> {
        let mut positions = Vec::with_capacity(from.positions.len());
        for (walker, position) in self.walkers.iter_mut().zip(&from.positions) {
            positions.push(walker.read(*position, character)?);
        }
        let is_every = self.universe == Universe::Every;
        let is_plain = !is_every || matches!(character, ' '..='~');
        // Only between two characters of printable ASCII is there certainly a boundary of grapheme clusters.
        let is_counted = from.count == 0 || is_plain && from.is_plain;
        let state = State {
            positions,
            count: (from.count + 1).min(self.cap),
            is_plain,
            is_odd: from.is_odd || !is_plain,
            node: from.node.and_then(|it| self.trie[it].get(&character).copied()),
        };
        let joined =
            (!is_counted && self.cap > 0).then(|| State { count: from.count, ..state.clone() });
        Some(joined.into_iter().chain([state]).collect())
    }

    /// Whether the set has the texts that lead to the state; an error if a pattern is too large.
    fn has(&mut self, formula: &Formula, state: &State) -> Result<Option<bool>, TooLarge> {
        guarded(|| match formula {
            Formula::Known(it) => Ok(Some(*it)),
            Formula::Unknown => Ok(None),
            Formula::Pattern(index) => {
                let walker = &mut self.walkers[*index];
                let found = walker.is_match(state.positions[*index]).ok_or(TooLarge)?;
                Ok(Some(found).filter(|_| !(state.is_odd && walker.has_any())))
            }
            Formula::Length(length) => Ok(Some(length.has(state.count))),
            Formula::Text(texts) => {
                let end = state.node.and_then(|it| self.ends.get(&it));
                Ok(Some(end.is_some_and(|it| texts.contains(it))))
            }
            Formula::Not(inner) => Ok(self.has(inner, state)?.map(|it| !it)),
            Formula::All(parts) => self.joined(parts, state, false),
            Formula::Either(parts) => self.joined(parts, state, true),
        })
    }

    /// `decisive` if one of the parts is; its opposite if all parts are that.
    fn joined(
        &mut self,
        parts: &[Formula],
        state: &State,
        decisive: bool,
    ) -> Result<Option<bool>, TooLarge> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.has(part, state)? {
                Some(it) if it == decisive => return Ok(Some(decisive)),
                Some(_) => (),
                None => all = None,
            }
        }
        Ok(all)
    }
}

impl Graph {
    /// Whether no text is in the set. `false` proves nothing.
    pub fn is_empty(&self) -> bool {
        self.is_complete && self.has.iter().all(|it| *it == Some(false))
    }
}

// Finds texts on the paths through the states of a set of strings.

/// The longest random text, before the way to its end.
const LONGEST: usize = 60;

/// The paths that lead to texts in the set.
pub(super) struct Words<'g> {
    graph: &'g Graph,
    /// For each state, how many letters lead to the nearest text in the set.
    left: Vec<Option<u32>>,
    /// The states whose texts are in the set, the shortest first.
    ends: Vec<usize>,
}

impl Words<'_> {
    /// `None` where no text was found.
    pub fn of(graph: &Graph) -> Option<Words<'_>> {
        let is_in = |it: &usize| graph.has[*it] == Some(true);
        let ends: Vec<usize> = (0..graph.has.len()).filter(is_in).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.has.len()];
        for (from, next) in graph.next.iter().enumerate() {
            next.iter().for_each(|(_, to)| before[*to].push(from));
        }
        let mut left = vec![None; graph.has.len()];
        ends.iter().for_each(|it| left[*it] = Some(0));
        let mut queue: std::collections::VecDeque<usize> = ends.iter().copied().collect();
        while let Some(state) = queue.pop_front() {
            let further = left[state].map(|it: u32| it + 1);
            for from in before[state].drain(..) {
                if left[from].is_none() {
                    left[from] = further;
                    queue.push_back(from);
                }
            }
        }
        (!ends.is_empty()).then_some(Words { graph, left, ends })
    }

    /// The shortest text, one that is next to it, and the longest of the shortest ways.
    pub fn borders(&self) -> Vec<String> {
        let ends =
            [Some(0), self.ends.len().checked_sub(1), Some(1), self.ends.len().checked_sub(2)];
        let ends = ends.into_iter().flatten().filter_map(|it| self.ends.get(it));
        ends.map(|it| self.shortest(*it)).collect()
    }

    /// The text of the shortest way to a state.
    fn shortest(&self, state: usize) -> String {
        let mut letters = Vec::new();
        let mut at = state;
        while let Some((from, letter)) = self.graph.before[at] {
            letters.push(self.graph.letters[letter].characters[0]);
            at = from;
        }
        letters.iter().rev().collect()
    }

    pub fn random(&self, finder: &mut Finder) -> String {
        let mut text = String::new();
        let mut at = 0;
        let is_plain = finder.below(4) > 0;
        let longest = [2, 8, LONGEST][finder.below(3)];
        for length in 0.. {
            let is_end = self.left[at] == Some(0);
            let is_long = length > longest;
            if is_end && (is_long || finder.below(6) == 0) {
                break;
            }
            let ways = self.graph.next.get(at).map(Vec::as_slice).unwrap_or_default();
            let nearer = |to: usize| self.left[to].zip(self.left[at]).is_some_and(|(a, b)| a < b);
            let is_open = |it: &&(usize, usize)| {
                if is_long { nearer(it.1) } else { self.left[it.1].is_some() }
            };
            let ways: Vec<_> = ways.iter().filter(is_open).collect();
            let is_common =
                |it: &&&(usize, usize)| matches!(self.graph.letters[it.0].characters[0], ' '..='~');
            let common: Vec<_> = ways.iter().filter(is_common).copied().collect();
            let ways = if is_plain && !common.is_empty() { common } else { ways };
            let Some((letter, to)) = finder.pick(&ways).copied().copied() else { break };
            let characters = &self.graph.letters[letter].characters;
            text.extend(finder.pick(characters));
            at = to;
        }
        text
    }
}
