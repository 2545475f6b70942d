//! `cargo +nightly fuzz run git_paths`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testkit::fuzz::target("git_paths")(data));
