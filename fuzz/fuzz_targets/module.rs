//! `cargo +nightly fuzz run module`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("module")(data));
