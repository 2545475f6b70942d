//! `cargo +nightly fuzz run hcl_json`
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::target("hcl_json")(data));
