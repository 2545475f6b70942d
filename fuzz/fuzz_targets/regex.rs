//! `cargo +nightly fuzz run regex`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("regex")(data));
