//! `cargo +nightly fuzz run git_paths`
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::target("git_paths")(data));
