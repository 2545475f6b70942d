//! `cargo +nightly fuzz run values_json`
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::target("values_json")(data));
