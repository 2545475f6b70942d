//! `cargo +nightly fuzz run values`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("values")(data));
