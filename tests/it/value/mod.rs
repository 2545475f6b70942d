//! The value layer.

mod number;
