//! The last resort: ends a process that takes too long or too much memory, and says so.
//!
//! Verdicts depend on counted work alone (`eval::Meter`), which ends every run long before this.

use std::{
    io::{self, Write},
    path::Path,
    process, thread,
    time::{Duration, Instant},
};

use super::{Exit, progress};
use crate::system::{self, OsSystem, System};

const MAX_TIME: Duration = Duration::from_mins(30);
/// Bytes of resident memory.
const MAX_MEMORY: u64 = 4 << 30;
/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(50);
/// Bytes of a page, at least: where pages are larger, the bound is.
const PAGE: u64 = 4096;

/// Watches the process from now on, on a thread of its own; without one where none starts.
pub(super) fn start() {
    _ = thread::Builder::new().stack_size(256 << 10).spawn(watch);
}

fn watch() {
    let begin = Instant::now();
    loop {
        thread::sleep(INTERVAL);
        if begin.elapsed() > MAX_TIME {
            end("the run takes more than 30 minutes");
        }
        if resident().is_some_and(|it| it > MAX_MEMORY) {
            end("the run takes more than 4 GiB of memory");
        }
    }
}

/// Bytes of memory that the process occupies; `None` where the system does not tell.
fn resident() -> Option<u64> {
    let text = OsSystem.read(Path::new("/proc/self/statm")).ok()?;
    let text = String::from_utf8(text).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * PAGE)
}

fn end(why: &str) {
    system::finish_writing();
    progress::clear();
    // The console belongs to the thread that does not end.
    _ = writeln!(io::stderr(), "error: {why}; it is given up");
    process::exit(i32::from(Exit::Failure.code()));
}
