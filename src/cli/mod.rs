//! The command line: arguments as typed, then as meant; one file a subcommand; exit codes.

use std::process::ExitCode;

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
