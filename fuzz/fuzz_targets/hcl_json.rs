//! `cargo +nightly fuzz run hcl_json`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("hcl_json")(data));
