//! Huffman codes of bounded length, by package-merge.

/// A code as it is written: from its last bit on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub bits: u32,
    pub length: u32,
}

impl Code {
    /// The code whose first bit is the highest of `length`.
    pub(super) fn new(code: u32, length: u32) -> Code {
        Code { bits: code.reverse_bits().checked_shr(32 - length).unwrap_or(0), length }
    }
}

/// The codes of symbols with these frequencies; none for those that do not occur.
pub(super) fn codes(frequencies: &[u32], longest: usize) -> Vec<Code> {
    let mut codes = vec![Code::default(); frequencies.len()];
    let mut used: Vec<usize> = (0..codes.len()).filter(|it| frequencies[*it] > 0).collect();
    if used.len() <= 2 {
        for (bits, symbol) in (0..).zip(used) {
            codes[symbol] = Code::new(bits, 1);
        }
        return codes;
    }
    used.sort_by_key(|it| (frequencies[*it], *it));
    let weights: Vec<u32> = used.iter().map(|it| frequencies[*it]).collect();
    let mut code = 0;
    for (length, count) in (1..).zip(lengths(&weights, longest)) {
        code <<= 1;
        let mut symbols = used.split_off(used.len() - count);
        symbols.sort_unstable();
        for symbol in symbols {
            codes[symbol] = Code::new(code, length);
            code += 1;
        }
    }
    codes
}

/// The bits that symbols with these frequencies take.
pub(super) fn total(codes: &[Code], frequencies: &[u32]) -> u64 {
    let each = codes.iter().zip(frequencies);
    each.map(|(code, count)| u64::from(code.length) * u64::from(*count)).sum()
}

/// How many codes have one bit, two bits and so on; `weights` are at least three, in order.
///
/// Each level pairs up the items of the level below and merges the pairs with the leaves, pairs
/// first among equals. The items that the last level needs show which leaves count at each level,
/// and a leaf's code is as long as there are levels at which it counts.
fn lengths(weights: &[u32], longest: usize) -> Vec<usize> {
    let longest = longest.min(weights.len() - 1);
    let mut levels: Vec<Vec<Item>> = Vec::with_capacity(longest);
    for _ in 0..longest {
        levels.push(merge(weights, levels.last().map_or(&[], Vec::as_slice)));
    }
    let mut needed = 2 * weights.len() - 2;
    let mut leaves: Vec<usize> = Vec::with_capacity(longest + 1);
    for items in levels.iter().rev() {
        let count = items.iter().take(needed).filter(|it| it.is_leaf).count();
        leaves.push(count);
        needed = 2 * (needed - count);
    }
    leaves.push(0);
    leaves.windows(2).map(|pair| pair[0] - pair[1]).collect()
}

#[derive(Clone, Copy, Debug)]
struct Item {
    weight: u32,
    is_leaf: bool,
}

fn merge(weights: &[u32], below: &[Item]) -> Vec<Item> {
    let mut leaves = weights.iter().peekable();
    let mut items = Vec::with_capacity(weights.len() + below.len() / 2);
    for pair in below.chunks_exact(2) {
        let weight = pair[0].weight + pair[1].weight;
        while let Some(leaf) = leaves.next_if(|it| **it < weight) {
            items.push(Item { weight: *leaf, is_leaf: true });
        }
        items.push(Item { weight, is_leaf: false });
    }
    items.extend(leaves.map(|it| Item { weight: *it, is_leaf: true }));
    items
}
