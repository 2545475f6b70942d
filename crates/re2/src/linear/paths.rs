//! How many ways through a text a backtracking engine may have to try.

use std::collections::{BinaryHeap, HashSet};

use super::{positions::Positions, symbols::Symbols};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    Few,
    Many,
}

/// With so many ways at one place of a text, ten thousand characters take some ten milliseconds.
const FEW: u32 = 200;

/// How many steps from one position to another are looked at. The states with the most ways come
/// first, so that a number that grows with the text is found soon.
const STEPS: u64 = 50_000;

/// The positions in which an engine may be after some text, with the number of ways to each.
type State = Vec<(usize, u32)>;

/// The ways that a text leaves open before the pattern has matched. `work` grows by the steps taken.
pub(super) fn ways(positions: &Positions, symbols: &Symbols, work: &mut u64) -> Ways {
    let whole = &positions.whole;
    let mut is_left = vec![true; positions.reads.len()];
    if !positions.assumes {
        // What comes last ends the search, unless an assertion may fail still.
        whole.last.iter().for_each(|it| is_left[it.0] = false);
    }
    let is_left = |position: usize| is_left[position];

    let mut steps = 0;
    let mut states = next(symbols, whole.first.iter().copied(), &is_left);
    for (position, _) in whole.last.iter().filter(|it| !is_left(it.0)) {
        // It does so only after all that the pattern would rather read has failed.
        let follow = &positions.follow[*position];
        steps += follow.len() as u64;
        if follow.iter().any(|it| is_left(it.0)) {
            steps += symbols.all.len() as u64;
            states.extend(next(symbols, follow.iter().copied(), &is_left));
        }
    }
    *work += steps;
    let mut seen: HashSet<State> = HashSet::new();
    let mut open: BinaryHeap<(u32, State)> = BinaryHeap::new();
    loop {
        for state in states {
            let total = state.iter().fold(0_u32, |all, it| all.saturating_add(it.1));
            if total > FEW {
                return Ways::Many;
            }
            if !state.is_empty() && seen.insert(state.clone()) {
                open.push((total, state));
            }
        }
        let Some((_, state)) = open.pop() else { return Ways::Few };
        let count = |it: &(usize, u32)| positions.follow[it.0].len() as u64;
        let taken = state.iter().map(count).sum::<u64>() + symbols.all.len() as u64;
        (steps, *work) = (steps + taken, *work + taken);
        if steps > STEPS {
            return Ways::Many;
        }
        let ends = state.iter().flat_map(|(position, ways)| {
            let follow = positions.follow[*position].iter();
            follow.map(move |(to, it)| (*to, ways.saturating_mul(*it)))
        });
        states = next(symbols, ends, &is_left);
    }
}

/// The states after each symbol.
fn next(
    symbols: &Symbols,
    ends: impl Iterator<Item = (usize, u32)>,
    is_left: &dyn Fn(usize) -> bool,
) -> Vec<State> {
    let mut out: Vec<State> = vec![Vec::new(); symbols.all.len()];
    let mut all: State = Vec::new();
    for (position, ways) in ends.filter(|it| is_left(it.0)) {
        all.push((position, ways));
    }
    all.sort_unstable_by_key(|it| it.0);
    all.dedup_by(|more, it| {
        let same = more.0 == it.0;
        if same {
            it.1 = it.1.saturating_add(more.1);
        }
        same
    });
    for (position, ways) in all {
        for symbol in &symbols.read[position] {
            out[*symbol].push((position, ways));
        }
    }
    out
}
