//! "For every element", "for some element".
//!
//! In goes the answer for one element of a collection, or for one part of a string; out come the joined answers
//! of all ([`Elements`]), as sets of assignments to the collection's own root. How an expression gives its
//! elements is not known here.

mod binder;
mod elements;
mod parts;

pub use binder::Binder;
pub use elements::Elements;
pub use parts::over_parts;

use crate::condition::symbolic::{Cases, Truth};

/// Answers a question for an element, given the element and its key or index.
pub type Visitor<'a, 'm> = &'a dyn Fn(&Cases<'m>, &Cases<'m>) -> Elements;

/// Whether all elements are true, for `alltrue`, `anytrue` and `contains`.
pub fn all(it: Elements) -> Truth {
    Truth {
        when_true: it.all_true,
        when_false: it.clean.and(it.some_false),
        error: it.error,
        ..Truth::never()
    }
}

/// Whether some element is true and none fails.
pub fn any(it: Elements) -> Truth {
    Truth {
        when_true: it.some_true.and(it.clean.clone()),
        when_false: it.clean.and(it.all_false),
        error: it.error,
        ..Truth::never()
    }
}
