//! A part of the modules, so that several machines share one check.

use std::path::Path;

use sha2::{Digest, Sha256};

use report::ShardPart;
use system::paths;

/// Shard `index` of `count`; the index counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Reads `I/N`, 1 ≤ I ≤ N.
    pub fn parse(text: &str) -> Option<Shard> {
        let (index, count) = text.split_once('/')?;
        let (index, count) = (index.trim().parse().ok()?, count.trim().parse().ok()?);
        (1 <= index && index <= count).then_some(Shard { index, count })
    }

    /// The shard's part in a report, before the counts are known.
    pub fn part(self) -> ShardPart {
        ShardPart {
            index: self.index,
            count: self.count,
            unused: None,
            used: Vec::new(),
            baselines: Vec::new(),
        }
    }

    /// Whether a module belongs to the shard. It depends on nothing but the module's path as shown, so
    /// that every machine divides the modules alike.
    pub fn holds(self, dir: &Path) -> bool {
        let digest = Sha256::digest(paths::display(dir).as_bytes());
        let hash = digest.iter().take(8).fold(0, |hash, byte| (hash << 8) | u64::from(*byte));
        hash % self.count == self.index - 1
    }
}
