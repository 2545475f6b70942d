//! The `terraschema` command.

use std::process::ExitCode;

/// Checking is allocation-heavy; the system's allocators take up to twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    terraschema::main()
}
