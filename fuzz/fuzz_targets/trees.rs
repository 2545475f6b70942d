//! `cargo +nightly fuzz run trees`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("trees")(data));
