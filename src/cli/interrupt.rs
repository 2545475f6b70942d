//! Signals: Ctrl-C and its like end the process only when no file is half-written.

use std::{
    process,
    sync::{Arc, atomic::AtomicBool},
};

use signal_hook::{
    consts::{SIGINT, SIGTERM, SIGXFSZ},
    flag,
    iterator::Signals,
};

use super::progress;
use crate::system;

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Makes a file beyond its size limit a failed write, as on a full disk, instead of the end of the
/// process: any handler replaces the system's own reaction.
pub(crate) fn survive_file_limits() {
    _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Catches the signals that end a process. From here on the first one has no effect by itself (see
/// [`wait`]); a second one ends the process at once. `None` where signals cannot be caught.
pub(super) fn signals() -> Option<Signals> {
    survive_file_limits();
    let is_ending = Arc::new(AtomicBool::new(false));
    let signals = Signals::new(SIGNALS).ok()?;
    for signal in SIGNALS {
        // The order matters: the first signal sets the flag that the second one finds.
        _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_ending));
        _ = flag::register(signal, Arc::clone(&is_ending));
    }
    Some(signals)
}

/// Waits for the first signal and for unfinished writes, and then ends the process with the exit codes
/// of shells: 130 for Ctrl-C, 143 for a termination.
pub(super) fn wait(signals: Option<Signals>) {
    let Some(mut signals) = signals else { return };
    if let Some(signal) = signals.forever().next() {
        system::finish_writing();
        progress::clear();
        process::exit(128 + signal);
    }
}
