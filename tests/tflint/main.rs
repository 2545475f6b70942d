//! The tflint ruleset, driven by a host of our own (no Go needed) and by the real tflint.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test may look at the disk, and may panic"
)]

mod calls;
mod configuration;
mod fake_host;
mod hostile;
mod langserver;
mod life;
mod lint;
mod packaging;
mod places;
mod protocol;
mod rules;
