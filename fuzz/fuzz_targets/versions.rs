//! `cargo +nightly fuzz run versions`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("versions")(data));
