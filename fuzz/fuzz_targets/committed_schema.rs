//! `cargo +nightly fuzz run committed_schema`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("committed_schema")(data));
