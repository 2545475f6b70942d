//! Signals: Ctrl-C and its kin end the process only when no file is half-written.

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

/// A file that grows beyond its limit is a failed write, as on a full disk, and no end of the process:
/// any handler takes the place of what the system does by itself.
pub(crate) fn survive_file_limits() {
    _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// The signals that end a process. From here on the first one does nothing by itself (see
/// [`wait`]); a second one ends the process at once. None where they cannot be had.
pub(super) fn signals() -> Option<Signals> {
    survive_file_limits();
    let is_ending = Arc::new(AtomicBool::new(false));
    let signals = Signals::new(SIGNALS).ok()?;
    for signal in SIGNALS {
        // In this order: the first signal sets the flag that the second one finds.
        _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_ending));
        _ = flag::register(signal, Arc::clone(&is_ending));
    }
    Some(signals)
}

/// Waits for the first signal and for writes that are under way, and then ends the process as
/// shells know it: 130 for Ctrl-C, 143 for a termination.
pub(super) fn wait(signals: Option<Signals>) {
    let Some(mut signals) = signals else { return };
    if let Some(signal) = signals.forever().next() {
        system::finish_writing();
        progress::clear();
        process::exit(128 + signal);
    }
}
