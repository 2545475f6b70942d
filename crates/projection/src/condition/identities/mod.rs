//! Spellings whose meaning is more than that of their parts.
//!
//! `length(distinct(x)) == length(x)` says that no two elements are equal, though neither length is
//! known. Input is a comparison of terms; output is a [`Truth`](super::symbolic::Truth), or `None` for
//! another spelling. There is a file for each identity, named after what it says.

pub mod bounded_remainder;
pub mod distinct_length;
pub mod each_once;
mod filtered_length;
mod finite_sequence;
pub mod length_and_number;
pub mod number_of_true;
pub mod same_length;
pub mod set_equality;
pub mod sum_of_lengths;
pub mod tally;
pub mod unchanged_by;
