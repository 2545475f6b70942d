//! Code points that a pattern does not distinguish.

use std::collections::HashMap;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::positions::Reads;

/// The fewest sets of code points that every set of a pattern is made of: of `[a-z]` and `[a-f0-9]`
/// these are `[a-f]`, `[g-z]` and `[0-9]`. The end of the text is a symbol of its own.
pub(super) struct Symbols {
    pub all: Vec<Reads>,
    /// For each position of the pattern, the symbols that it reads.
    pub read: Vec<Vec<usize>>,
}

impl Symbols {
    pub fn of(reads: &[Reads]) -> Symbols {
        let mut distinct: Vec<&ClassUnicode> = Vec::new();
        let mut of_position = Vec::new();
        for it in reads {
            let Reads::Set(set) = it else {
                of_position.push(None);
                continue;
            };
            let index = distinct.iter().position(|it| *it == set).unwrap_or_else(|| {
                distinct.push(set);
                distinct.len() - 1
            });
            of_position.push(Some(index));
        }
        let mut cuts: Vec<u32> = Vec::new();
        for range in distinct.iter().flat_map(|it| it.ranges()) {
            cuts.extend([range.start() as u32, range.end() as u32 + 1]);
        }
        cuts.sort_unstable();
        cuts.dedup();
        // Ranges with the sets that have them.
        let mut symbols: HashMap<Vec<usize>, Vec<ClassUnicodeRange>> = HashMap::new();
        for pair in cuts.windows(2) {
            let Some(range) = range(pair[0], pair[1] - 1) else { continue };
            let has = |set: &&ClassUnicode| {
                let found = set.ranges().partition_point(|it| it.end() < range.start());
                set.ranges().get(found).is_some_and(|it| it.start() <= range.start())
            };
            let having: Vec<usize> = (0..distinct.len()).filter(|it| has(&distinct[*it])).collect();
            if !having.is_empty() {
                symbols.entry(having).or_default().push(range);
            }
        }
        let mut symbols: Vec<_> = symbols.into_iter().collect();
        symbols.sort();
        let read = |set: usize| {
            let each = symbols.iter().enumerate();
            each.filter(|(_, (having, _))| having.contains(&set)).map(|it| it.0).collect()
        };
        let sets: Vec<Vec<usize>> = (0..distinct.len()).map(read).collect();
        let end = symbols.len();
        let each = symbols.into_iter().map(|(_, ranges)| Reads::Set(ClassUnicode::new(ranges)));
        Symbols {
            all: each.chain([Reads::End]).collect(),
            read: of_position
                .into_iter()
                .map(|it| it.map_or_else(|| vec![end], |set| sets[set].clone()))
                .collect(),
        }
    }
}

/// The code points from `low` to `high`, both included, without surrogates.
fn range(low: u32, high: u32) -> Option<ClassUnicodeRange> {
    let low = char::from_u32(low).or_else(|| char::from_u32(0xE000).filter(|_| high >= 0xE000))?;
    let high = char::from_u32(high).or_else(|| char::from_u32(0xD7FF).filter(|it| *it >= low))?;
    Some(ClassUnicodeRange::new(low, high))
}
