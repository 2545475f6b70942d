//! `x == trimspace(x)`: strings that a function leaves as they are.

use crate::{
    condition::{
        patterns::text,
        symbolic::{Leaf, Place, Truth, views::View},
    },
    sets::{Reason, Region, ValueSet},
};
use diagnostics::Span;

/// `x == trimspace(x)`, `x == lower(x)`: strings that a function leaves as they are.
pub fn truth(place: &Place, seen: &Place, span: Span) -> Option<Truth> {
    let is = |view| *seen == place.seen(view);
    let without = |pattern: &str| ValueSet::Matches(pattern.to_owned()).negated();
    let changed = match () {
        () if is(View::Trim(None)) => {
            let pattern = format!("^{space}|{space}$", space = text::SPACE);
            return Some(place.truth(Leaf::exactly(without(&pattern))));
        }
        () if is(View::Lower) => "[A-Z]",
        () if is(View::Upper) => "[a-z]",
        () => return None,
    };
    let when_true = Region::new(false, without(changed)).losing(Reason::LettersBeyondAscii, span);
    Some(place.truth(Leaf::of_values(when_true, Region::unknown(Reason::LettersBeyondAscii, span))))
}
