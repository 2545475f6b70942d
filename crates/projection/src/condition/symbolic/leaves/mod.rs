//! Questions about the value at one place, as the regions where the answer is yes, no, null, a failure.
//!
//! In goes an operator, a constant and the type at the place; out comes a [`Leaf`](super::Leaf).

pub mod converted;
pub mod equality;
pub mod length;
pub mod order;
