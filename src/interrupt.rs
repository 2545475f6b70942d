//! Signals: Ctrl-C and its like end the process only when no file is half-written.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use system::survive_file_limits;

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
