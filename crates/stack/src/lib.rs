//! Recursion over nested input: enough stack for it, and a bound on its depth.
//!
//! One step of a recursion goes in; its result comes out, on more stack where the rest is short. The
//! nesting of a text is its author's choice: 10,000 arrays in one another must not crash us, and must not be
//! refused where Terraform reads them. This is the lowest layer because every recursive one needs it.
//!
//! [`Interrupt`] ends long work from another thread, at the next [`checkpoint`].

mod interrupt;

pub use interrupt::{Interrupt, Interrupted, checkpoint};

/// Runs one step of a recursion with enough stack for the next, since input decides the depth.
pub fn guarded<T>(step: impl FnOnce() -> T) -> T {
    grown(64 * 1024, 1024 * 1024, step)
}

/// Runs a library that recurses as deep as its input nests, and asks for no stack itself. `least`: the
/// bytes that must be left, else `size` new ones are taken.
#[expect(clippy::disallowed_methods, reason = "the one place that asks for stack")]
pub fn grown<T>(least: usize, size: usize, call: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(least, size, call)
}

/// The number of levels that a recursion may still descend: arrays in arrays, locals that refer to
/// locals.
///
/// A walk passes [`Depth::inner`] on, and gives up where there is none. Each use gives its number and
/// says whose bound it is: Go's, Terraform's, or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth(u32);

impl Depth {
    pub const fn of(levels: u32) -> Depth {
        Depth(levels)
    }

    /// One level deeper; `None` where that is too deep.
    pub fn inner(self) -> Option<Depth> {
        self.0.checked_sub(1).map(Depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_has_as_many_levels_as_it_says() {
        let levels = std::iter::successors(Depth::of(3).inner(), |it| it.inner()).count();
        assert_eq!(levels, 3);
        assert!(Depth::of(0).inner().is_none());
    }

    #[test]
    fn a_guarded_recursion_goes_deeper_than_any_stack() {
        fn count(left: u32) -> u32 {
            guarded(|| if left == 0 { 0 } else { 1 + count(left - 1) })
        }
        assert_eq!(count(1_000_000), 1_000_000);
    }
}
