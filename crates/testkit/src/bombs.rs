//! Small files that ask for much work, and a run of one under a guard.

pub mod cases;
mod files;
pub mod run;

pub use files::Files;
