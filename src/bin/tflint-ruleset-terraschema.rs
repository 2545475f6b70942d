//! The tflint ruleset: tflint starts it and speaks to it over a socket.

use std::process::ExitCode;

fn main() -> ExitCode {
    tflint_ruleset::main()
}
