//! What ends a process before its work is done: a signal, or the last resort against too much time or
//! memory, which says why.
//!
//! Verdicts depend on counted work alone (`eval::Meter`), which ends every run long before the last
//! resort does.

use std::{
    env,
    io::{self, Write},
    path::Path,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{Exit, progress};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use system::{OsSystem, System, survive_file_limits};

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
    // A server runs as long as its editor; each of its verdicts has a budget.
    let is_server = env::args_os().nth(1).is_some_and(|it| it == "lsp");
    let pause = || {
        thread::sleep(INTERVAL);
        if is_server { Duration::ZERO } else { begin.elapsed() }
    };
    if let Some((why, code)) = overseen(|| worker.is_finished(), pause, resident, signal) {
        end(why, code);
    }
}

/// Why a run has to end before its work is done, if not for a signal, and the exit code. `pause` is the clock: it
/// waits, and gives the time since the run began.
fn overseen(
    is_finished: impl Fn() -> bool,
    mut pause: impl FnMut() -> Duration,
    memory: impl Fn() -> Option<u64>,
    signal: impl Fn() -> Option<i32>,
) -> Option<(Option<&'static str>, i32)> {
    while !is_finished() {
        let time = pause();
        if let Some(signal) = signal() {
            return Some((None, 128 + signal));
        }
        if let Some(why) = overrun(time, memory()) {
            return Some((Some(why), i32::from(Exit::Failure.code())));
        }
    }
    None
}

/// Why a run of this time, with this much memory in bytes, has to end.
fn overrun(time: Duration, memory: Option<u64>) -> Option<&'static str> {
    if time > MAX_TIME {
        Some("the run takes more than 30 minutes")
    } else if memory.is_some_and(|it| it > MAX_MEMORY) {
        Some("the run takes more than 4 GiB of memory")
    } else {
        None
    }
}

/// The memory that the process occupies, in bytes; `None` where the system does not report it.
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

// Signals: Ctrl-C and its like end the process only when no file is half-written.

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// The signal that asked the process to end, if any: 2 for Ctrl-C, 15 for a termination.
pub(super) struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Catches the signals that end a process. From here on the first one has no effect by itself; a
    /// second one ends the process at once. A signal that cannot be caught ends it as ever.
    pub(super) fn catch() -> Interrupt {
        survive_file_limits();
        let is_ending = Arc::new(AtomicBool::new(false));
        let caught = Arc::new(AtomicUsize::new(0));
        for signal in SIGNALS {
            // The order matters: the first signal sets the flag that the second one finds.
            _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_ending));
            _ = flag::register(signal, Arc::clone(&is_ending));
            _ = flag::register_usize(signal, Arc::clone(&caught), signal.unsigned_abs() as usize);
        }
        Interrupt(caught)
    }

    pub(super) fn signal(&self) -> Option<i32> {
        i32::try_from(self.0.load(Ordering::Relaxed)).ok().filter(|it| *it > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_after_half_an_hour_or_beyond_four_gibibytes() {
        let (short, long) = (Duration::from_mins(30), Duration::from_secs(1801));
        assert_eq!(overrun(short, Some(4 << 30)), None);
        assert_eq!(overrun(short, None), None);
        assert_eq!(overrun(long, None), Some("the run takes more than 30 minutes"));
        assert_eq!(
            overrun(short, Some((4 << 30) + 1)),
            Some("the run takes more than 4 GiB of memory")
        );
    }

    #[test]
    fn a_run_is_watched_until_its_work_is_done() {
        // After so many pauses of ten minutes the work is done, and a signal comes.
        let run = |done: u32, signal: u32| {
            let pauses = std::cell::Cell::new(0);
            let pause = || {
                pauses.set(pauses.get() + 1);
                Duration::from_mins(10) * pauses.get()
            };
            let signal = || (pauses.get() >= signal).then_some(15);
            overseen(|| pauses.get() >= done, pause, || None, signal)
        };
        assert_eq!(run(3, 9), None);
        assert_eq!(run(0, 0), None, "what is done is done");
        assert_eq!(run(9, 2), Some((None, 143)));
        assert_eq!(run(9, 9), Some((Some("the run takes more than 30 minutes"), 2)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_this_process_is_told() {
        let reported = resident().unwrap();
        assert!((1 << 20..MAX_MEMORY).contains(&reported), "{reported}");
    }
}
