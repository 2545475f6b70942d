//! A bound on the work of joining sets: each part is compared with each, so that a condition of a few
//! kilobytes could otherwise keep a run busy for minutes.
//!
//! Sets are joined in hundreds of places, and none of them should have to count. So the code that reads a
//! condition keeps the bound, one for each thread ([`Effort`]). Without a bound, joins are free.

use std::cell::Cell;

thread_local! {
    /// The units that joins of this thread may still take; `None` where nobody counts.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    /// The units that they took since somebody asked.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// While it lives, joins on this thread are counted. Where nothing is left, a set is given up at once instead
/// of being joined: it is everything, with a loss.
#[derive(Debug)]
pub struct Effort {
    /// The state of the count that this one interrupts.
    before: (Option<u64>, u64),
}

impl Effort {
    /// Begins to count, with so many units.
    pub fn of(units: u64) -> Effort {
        Effort { before: (LEFT.replace(Some(units)), TAKEN.replace(0)) }
    }

    /// Gives joins so many units again.
    pub fn renew(&self, units: u64) {
        LEFT.set(Some(units));
    }

    /// Lets no further join take any work.
    pub fn end(&self) {
        LEFT.set(Some(0));
    }

    /// The units that joins took since this was last called.
    pub fn taken(&self) -> u64 {
        TAKEN.replace(0)
    }
}

impl Drop for Effort {
    fn drop(&mut self) {
        LEFT.set(self.before.0);
        TAKEN.set(self.before.1);
    }
}

/// Counts the work of a join; `false` where too little is left for it, which ends all others as well.
pub fn afford(units: usize) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let units = units as u64;
    TAKEN.set(TAKEN.get().saturating_add(units.min(left)));
    LEFT.set(Some(left.saturating_sub(units)));
    units <= left
}

/// The units for comparing each of so many parts with each.
pub(super) fn of_pairs(parts: usize) -> usize {
    parts + parts.saturating_mul(parts) / 16
}
