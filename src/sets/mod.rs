//! Sets of values, and of assignments of values to variables.
//!
//! A [`ValueSet`] is a set of JSON values other than null, written with what a schema can say:
//! `1 to 8 characters`, `matches ^a`. It has an exact complement. A [`Region`] and an [`Extent`]
//! hold *at least* what they stand for, with the reasons why they may be too large; they have none.
//! No expression and no module is known here.

mod assignments;
mod cases;
mod children;
mod compose;
mod contains;
mod emptiness;
mod numbers;
mod parts;
mod region;
mod simplify;
mod strings;
mod value_set;
mod witness;
mod words;

pub use assignments::{Assignments, Extent, Root};
pub use contains::contains;
pub use emptiness::{Nulls, is_empty};
pub use region::{Loss, Region};
pub use value_set::{Kind, Length, Limit, Measure, Range, ValueSet};
pub use witness::{Sample, witnesses};
