//! `cargo +nightly fuzz run type_constraint`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("type_constraint")(data));
