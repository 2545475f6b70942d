//! Finds texts on the paths through the states of a set of strings.

use super::{strings::Graph, witness::Finder};

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
