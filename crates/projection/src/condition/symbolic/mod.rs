//! Symbolic values of expressions and questions about them: data and their operations.
//!
//! A [`Term`] stands for a value, [`Cases`] for terms with disjoint guards, a [`Sequence`] for the elements
//! that a `for` or `length` visits, a [`Place`] for a part of the input or a function of it, a [`Truth`] and a
//! [`Leaf`] for the sets of a Boolean expression: of all inputs, or at one place. In go types, constants and
//! steps; out come sets of values at a root ([`Place::lift`]).
//!
//! Nothing here reads an expression: a sequence keeps its `for` unread, with the names around it.
//! Terms, cases and sequences are made of one another, so that their types stand in one file, `term`.

pub mod as_condition;
mod cases;
mod leaf;
pub mod leaves;
pub mod members;
mod names;
pub mod operators;
mod place;
mod term;
mod truth;
pub mod views;

pub use leaf::Leaf;
pub use names::Names;
pub use place::Place;
pub use term::{Cases, Known, Nulls, Once, Sequence, Term};
pub use truth::Truth;
