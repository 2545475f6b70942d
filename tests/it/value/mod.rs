//! The value layer.

mod deep;
mod number;
mod recorded;
mod unknown;
