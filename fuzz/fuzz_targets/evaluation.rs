//! `cargo +nightly fuzz run evaluation`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("evaluation")(data));
