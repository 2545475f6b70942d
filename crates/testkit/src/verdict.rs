//! Verdicts on modules and trees of modules, and the machine that a run of Terraform sees.

pub mod answer;
pub mod system;
pub mod trees;
