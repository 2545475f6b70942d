//! The tflint ruleset, driven by a host of our own (no Go needed) and by the real tflint.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test may look at the disk, and may panic"
)]

#[cfg(unix)]
mod calls;
#[cfg(unix)]
mod configuration;
#[cfg(unix)]
mod fake_host;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod langserver;
#[cfg(unix)]
mod life;
#[cfg(unix)]
mod lint;
#[cfg(unix)]
mod packaging;
#[cfg(unix)]
mod places;
#[cfg(unix)]
mod protocol;
#[cfg(unix)]
mod rules;
#[cfg(unix)]
use testkit::{missing, random, slips};

fn main() -> std::process::ExitCode {
    let of_files: Vec<Vec<libtest_mimic::Trial>> = Vec::from([
        #[cfg(unix)]
        calls::trials(),
        #[cfg(unix)]
        configuration::trials(),
        #[cfg(unix)]
        hostile::trials(),
        #[cfg(unix)]
        langserver::trials(),
        #[cfg(unix)]
        life::trials(),
        #[cfg(unix)]
        packaging::trials(),
        #[cfg(unix)]
        places::trials(),
        #[cfg(unix)]
        protocol::trials(),
        #[cfg(unix)]
        rules::trials(),
    ]);
    let trials = of_files.into_iter().flatten().collect();
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials).exit_code()
}
