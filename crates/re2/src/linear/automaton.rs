//! The smallest deterministic automaton of a pattern.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{positions::Positions, symbols::Symbols};

/// The most states, before and after it is made smaller.
const MOST: usize = 400;
const SMALL: usize = 80;
/// The most positions that all states together may be made of.
const POSITIONS: usize = 50_000;

pub(super) struct Automaton {
    /// For each state, where each symbol leads; state 0 is the first.
    pub next: Vec<BTreeMap<usize, usize>>,
    pub accepts: Vec<bool>,
}

impl Automaton {
    /// `None` where it is too large. What follows a match does not matter.
    pub fn of(positions: &Positions, symbols: &Symbols, work: &mut u64) -> Option<Automaton> {
        let accepting: BTreeSet<usize> = positions.whole.last.iter().map(|it| it.0).collect();
        let mut positions_left = POSITIONS;
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut out =
            Automaton { next: vec![BTreeMap::new()], accepts: vec![positions.whole.empty > 0] };
        // The first state is not a set of positions. The state of the empty set is never made.
        let mut open: Vec<(usize, Vec<usize>)> =
            vec![(0, positions.whole.first.iter().map(|it| it.0).collect())];
        while let Some((state, reached)) = open.pop() {
            if out.accepts[state] {
                continue;
            }
            let mut by_symbol: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            positions_left = positions_left.checked_sub(reached.len())?;
            *work += reached.len() as u64;
            for position in reached {
                for symbol in &symbols.read[position] {
                    by_symbol.entry(*symbol).or_default().insert(position);
                }
            }
            for (symbol, at) in by_symbol {
                let at: Vec<usize> = at.into_iter().collect();
                let to = *numbers.entry(at.clone()).or_insert_with(|| {
                    let follow = at.iter().flat_map(|it| &positions.follow[*it]);
                    open.push((out.next.len(), follow.map(|it| it.0).collect()));
                    out.next.push(BTreeMap::new());
                    out.accepts.push(at.iter().any(|it| accepting.contains(it)));
                    out.next.len() - 1
                });
                out.next[state].insert(symbol, to);
            }
            if out.next.len() > MOST {
                return None;
            }
        }
        Some(out.smallest()).filter(|it| it.next.len() <= SMALL)
    }

    /// With states that accept the same made one (Moore's refinement), and none that accepts nothing.
    fn smallest(&self) -> Automaton {
        let mut class: Vec<usize> = self.accepts.iter().map(|it| usize::from(*it)).collect();
        let mut count = 0;
        loop {
            let mut classes: HashMap<(usize, Vec<(usize, usize)>), usize> = HashMap::new();
            let mut refined = Vec::with_capacity(class.len());
            for (state, next) in self.next.iter().enumerate() {
                let to = next.iter().map(|(symbol, to)| (*symbol, class[*to])).collect();
                let fresh = classes.len();
                refined.push(*classes.entry((class[state], to)).or_insert(fresh));
            }
            class = refined;
            if classes.len() == count {
                break;
            }
            count = classes.len();
        }
        let mut out = Automaton { next: vec![BTreeMap::new(); count], accepts: vec![false; count] };
        for (state, next) in self.next.iter().enumerate() {
            out.accepts[class[state]] = self.accepts[state];
            out.next[class[state]] =
                next.iter().map(|(symbol, to)| (*symbol, class[*to])).collect();
        }
        out
    }
}
