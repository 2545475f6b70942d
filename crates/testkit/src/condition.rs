//! Random conditions, values of their variables, and what these show of a condition's translation.

pub mod evidence;
mod finite;
mod formats;
pub mod matching;
pub mod random;
pub mod values;
