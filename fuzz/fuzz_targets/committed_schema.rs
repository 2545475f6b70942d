//! `cargo +nightly fuzz run committed_schema`
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::target("committed_schema")(data));
