//! Ctrl-C and its kin end the process only when no file is half-written.

use std::{
    process,
    sync::{Arc, atomic::AtomicBool},
    thread,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
    iterator::Signals,
};

use super::progress;
use crate::system;

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Lets the first signal wait for writes that are under way, and then end the process as shells
/// know it: 130 for Ctrl-C, 143 for a termination. A second one ends it at once.
pub(super) fn install() {
    let is_ending = Arc::new(AtomicBool::new(false));
    let Ok(mut signals) = Signals::new(SIGNALS) else { return };
    for signal in SIGNALS {
        // In this order: the first signal sets the flag that the second one finds.
        _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_ending));
        _ = flag::register(signal, Arc::clone(&is_ending));
    }
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            system::finish_writing();
            progress::clear();
            process::exit(128 + signal);
        }
    });
}
