//! What ends a process before its work is done: a signal, or the last resort against too much time or
//! memory, which says why.
//!
//! Verdicts depend on counted work alone (`eval::Meter`), which ends every run long before the last
//! resort does.

use std::{
    io::{self, Write},
    path::Path,
    process,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{Exit, progress};
use crate::system::{self, OsSystem, System};

const MAX_TIME: Duration = Duration::from_mins(30);
/// The limit for resident memory, in bytes.
const MAX_MEMORY: u64 = 4 << 30;
/// The time between two checks: so long may Ctrl-C go unnoticed.
const INTERVAL: Duration = Duration::from_millis(50);
/// The smallest size of a page in bytes; with larger pages the limit is larger, too.
const PAGE: u64 = 4096;

/// Watches the process until its worker ends. A signal ends it with the exit codes of shells: 130 for
/// Ctrl-C, 143 for a termination.
pub(super) fn watch<T>(worker: &JoinHandle<T>, signal: impl Fn() -> Option<i32>) {
    let begin = Instant::now();
    while !worker.is_finished() {
        thread::sleep(INTERVAL);
        if let Some(signal) = signal() {
            end(None, 128 + signal);
        }
        let failure = i32::from(Exit::Failure.code());
        if begin.elapsed() > MAX_TIME {
            end(Some("the run takes more than 30 minutes"), failure);
        }
        if resident().is_some_and(|it| it > MAX_MEMORY) {
            end(Some("the run takes more than 4 GiB of memory"), failure);
        }
    }
}

/// The memory that the process occupies, in bytes; `None` where the system does not tell.
fn resident() -> Option<u64> {
    let text = OsSystem.read(Path::new("/proc/self/statm")).ok()?;
    let text = String::from_utf8(text).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * PAGE)
}

/// Ends the process, after unfinished writes.
fn end(why: Option<&str>, code: i32) -> ! {
    system::finish_writing();
    progress::clear();
    if let Some(why) = why {
        // The console belongs to the thread that hangs.
        _ = writeln!(io::stderr(), "error: {why}, and stops");
    }
    process::exit(code)
}
