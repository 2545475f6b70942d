//! The `terraschema` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    terraschema::cli::main()
}
