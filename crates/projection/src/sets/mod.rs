//! Sets of values, and of assignments of values to variables.
//!
//! A [`ValueSet`] is a set of JSON values other than null, written with what a schema can say:
//! `1 to 8 characters`, `matches ^a`. It has an exact complement; [`is_empty`] and [`witnesses`] ask what is in
//! it. A [`Region`] and an [`Extent`] hold *at least* what they represent, with the reasons why they may be too
//! large. They have no complement:
//!
//! ```compile_fail
//! crate::sets::Region::everything().negated();
//! ```
//!
//! ```compile_fail
//! crate::sets::Extent::everything().negated();
//! ```
//!
//! ```
//! use projection::sets::{Sample, ValueSet, in_words, is_empty, witnesses};
//! use tf_value::{Type, Value};
//!
//! let set = ValueSet::all(["^[ab]$", "^[bc]$"].map(|it| ValueSet::Matches(it.to_owned())));
//! let sample = Sample { count: 3, seed: 0, null: false };
//! assert_eq!(witnesses(&set, &Type::String, sample), [Value::string("b")]);
//! assert_eq!(in_words(&set, &Type::String, false, &|_| None), "a string that matches ^[ab]$ and that matches ^[bc]$");
//! let none = ValueSet::all([set, ValueSet::OneOf(vec![Value::string("b")]).negated()]);
//! assert!(is_empty(&none, &Type::String, &mut 0));
//! ```
//!
//! Sets of values or of assignments go in; other sets, answers and members come out. `condition` makes sets of
//! expressions, `schema` writes them down, and `compat` compares them. This module knows no expressions and no
//! modules, so each law of sets is tested by itself. A region has no complement because it may be too large:
//! its complement would then be too small, and a schema made from that would refuse valid values.

mod alternatives;
mod assignments;
mod cases;
mod compose;
mod display;
mod emptiness;
mod index;
mod joined;
#[cfg(test)]
mod laws;
mod numbers;
mod parts;
mod presence;
mod region;
mod simplify;
mod strings;
mod value_set;
mod witness;

pub use alternatives::{Alternative, Atom, Effort, afford};
pub use assignments::{Assignments, ConstraintRoot, Extent};
pub use display::in_words;
pub use emptiness::is_empty;
pub use region::{ExpressionKind, Loss, Reason, Region};
pub use simplify::without_null;
pub use value_set::{Kind, Length, Limit, Measure, NumberRange, ValueSet, contains};
pub use witness::{Sample, witnesses};
