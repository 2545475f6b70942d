//! `cargo +nightly fuzz run type_constraint`
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::target("type_constraint")(data));
