//! Signals that every program of this workspace must survive.

use std::sync::{Arc, atomic::AtomicBool};

use signal_hook::{consts::SIGXFSZ, flag};

/// Makes a file beyond its size limit a failed write, as on a full disk, instead of the end of the
/// process: any handler replaces the system's own reaction.
pub fn survive_file_limits() {
    _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}
