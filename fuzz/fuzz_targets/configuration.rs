//! `cargo +nightly fuzz run configuration`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("configuration")(data));
