//! The threads of the process, as many as there can be: where none can be started, one does it all.

use std::{
    env,
    sync::{Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::system::{OsSystem, System};

/// Values may nest thousands of levels deep; the parsers' bounds are chosen for the first of these.
/// Where there is less memory, what nests deeper takes its stack from the heap.
const STACK_SIZES: [usize; 3] = [256 << 20, 32 << 20, 4 << 20];

/// Starts a thread for the work of the process; where none starts, the work is done here.
pub(super) fn worker(work: fn()) -> Option<JoinHandle<()>> {
    let start = |size: &usize| {
        // As much again is for the work itself.
        has_room(2 * size).then(|| thread::Builder::new().stack_size(*size).spawn(work).ok())?
    };
    let started = STACK_SIZES.iter().find_map(start);
    if started.is_none() {
        work();
    }
    started
}

/// Makes the threads that check modules together with this one. One that does not start is done
/// without. (The library's own way ends the process there, or waits for ever.)
pub(super) fn prepare() {
    // Commands that check one module need none.
    if !env::args_os().skip(1).any(|it| it == "check" || it == "init") {
        return;
    }
    let asked = OsSystem.env("RAYON_NUM_THREADS").and_then(|it| it.parse().ok());
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let wanted = asked.filter(|it| *it > 0).unwrap_or_else(available);
    let started: Vec<_> = (1..wanted).map_while(|_| start()).collect();
    let pool = ThreadPoolBuilder::new().num_threads(1 + started.len()).use_current_thread();
    let waiting = Mutex::new(started);
    let hand_over = |it: ThreadBuilder| {
        if let Some(thread) = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            _ = thread.send(it);
        }
        Ok(())
    };
    // It is the first to make one.
    _ = pool.spawn_handler(hand_over).build_global();
}

/// Address space that a thread takes with what it allocates.
const ROOM: usize = 96 << 20;

/// Whether so much memory can be had: a limit on it would else be met where nothing can be said.
fn has_room(bytes: usize) -> bool {
    thread::Builder::new().stack_size(bytes).spawn(|| ()).is_ok_and(|it| it.join().is_ok())
}

/// A thread that waits for what it is to run.
fn start() -> Option<mpsc::Sender<ThreadBuilder>> {
    let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
    let run = move || {
        if let Ok(it) = receiver.recv() {
            it.run();
        }
    };
    if !has_room(ROOM) {
        return None;
    }
    thread::Builder::new().spawn(run).ok().map(|_| sender)
}
