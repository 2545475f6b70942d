//! `cargo +nightly fuzz run suppressions`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("suppressions")(data));
