//! `cargo +nightly fuzz run values_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("values_text")(data));
