//! Work on many threads that ends at the same place whatever the timing of the threads.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The work done in order, up to the first piece that exceeds the budget.
pub(super) struct Done<T> {
    pub within: Vec<T>,
    /// Pieces done before the excess was known; their number depends on the threads.
    pub beyond: Vec<T>,
    /// The work of the pieces in `within`.
    pub work: u64,
}

/// Does `count` pieces of work, each of which returns its cost. Threads take the pieces in order. The
/// first piece with which the sum of all costs exceeds `budget` is beyond it, and so are all later ones:
/// the result depends on the costs alone. Once the excess is known, no further piece is begun.
///
/// For example: with the costs 3, 4, 5 and a budget of 8 the first two pieces are `within`.
pub(super) fn run<T: Send>(
    count: usize,
    budget: u64,
    piece: impl Fn(usize) -> (T, u64) + Sync,
) -> Done<T> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let sums = Mutex::new(Sums { pieces: (0..count).map(|_| None).collect(), end: 0, work: 0 });
    let pull = || {
        while !is_over.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let done = piece(index);
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            sums.pieces[index] = Some(done);
            if !sums.advance(budget) {
                is_over.store(true, Ordering::Relaxed);
            }
        }
    };
    let threads = rayon::current_num_threads().min(count);
    rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| pull())));
    let Sums { pieces, end, work } = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut pieces = pieces.into_iter();
    let within = pieces.by_ref().take(end).flatten().map(|it| it.0).collect();
    Done { within, beyond: pieces.flatten().map(|it| it.0).collect(), work }
}

struct Sums<T> {
    pieces: Vec<Option<(T, u64)>>,
    /// The number of leading pieces that are done and within the budget.
    end: usize,
    /// The cost of these.
    work: u64,
}

impl<T> Sums<T> {
    /// Advances over the finished pieces; returns whether the next one may still be within the budget.
    fn advance(&mut self, budget: u64) -> bool {
        while let Some(Some((_, work))) = self.pieces.get(self.end) {
            let sum = self.work.saturating_add(*work);
            if sum > budget {
                return false;
            }
            (self.work, self.end) = (sum, self.end + 1);
        }
        true
    }
}
