//! The rules, over everything below.
