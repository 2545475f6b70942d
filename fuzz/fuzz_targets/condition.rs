//! `cargo +nightly fuzz run condition`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("condition")(data));
