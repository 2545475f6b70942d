//! `cargo +nightly fuzz run module_json`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("module_json")(data));
