//! Symbolic values of expressions and questions about them: data and their operations.
//!
//! A [`Term`] is a value, and [`Cases`] are terms with disjoint guards. A [`Sequence`] is the elements that a
//! `for` or `length` visits. A [`Place`] is a part of the input, or a function of it. A [`Truth`] and a
//! [`Leaf`] are the sets of a Boolean expression: of all inputs, or at one place. Types, constants and steps go
//! in; sets of values at a root come out ([`Place::lift`]).
//!
//! Nothing here reads an expression: a sequence keeps its `for` unread, with the names around it. Terms, cases
//! and sequences are made of one another, so their types are in one file, `term`.

pub mod leaves;
mod place;
pub mod term;
pub mod truth;
pub mod views;

pub use place::Place;
pub use term::{Cases, Known, Names, Nulls, Once, Sequence, Term};
pub use truth::{Leaf, Truth};
