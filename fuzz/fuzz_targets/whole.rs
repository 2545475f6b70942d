//! `cargo +nightly fuzz run whole`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("whole")(data));
