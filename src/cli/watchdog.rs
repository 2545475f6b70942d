//! The last resort: ends a process that takes too much time or memory, and says why.
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
/// The limit for resident memory, in bytes.
const MAX_MEMORY: u64 = 4 << 30;
/// The time between two checks.
const INTERVAL: Duration = Duration::from_millis(50);
/// The smallest size of a page in bytes; with larger pages the limit is larger, too.
const PAGE: u64 = 4096;

/// Watches the process from now on, on a separate thread. If none starts, nothing watches.
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

/// The memory that the process occupies, in bytes; `None` where the system does not tell.
fn resident() -> Option<u64> {
    let text = OsSystem.read(Path::new("/proc/self/statm")).ok()?;
    let text = String::from_utf8(text).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * PAGE)
}

fn end(why: &str) {
    system::finish_writing();
    progress::clear();
    // The console belongs to the thread that hangs.
    _ = writeln!(io::stderr(), "error: {why}, and stops");
    process::exit(i32::from(Exit::Failure.code()));
}
