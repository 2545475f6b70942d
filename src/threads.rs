//! The threads of the process, as many as can start: if none starts, one thread does all work.

use std::{
    env,
    sync::{Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use system::{OsSystem, System};

/// Stack sizes, largest first. Values may nest thousands of levels deep; the parsers' bounds fit the
/// first size. With a smaller one, deeper recursion takes its stack from the heap.
const STACK_SIZES: [usize; 3] = [256 << 20, 32 << 20, 4 << 20];

/// Starts a thread for the work of the process; if none starts, the work is done on this one.
pub(super) fn worker(work: fn()) -> Option<JoinHandle<()>> {
    let start = |size: &usize| {
        // The work itself may need as much memory again.
        has_room(2 * size).then(|| thread::Builder::new().stack_size(*size).spawn(work).ok())?
    };
    let started = STACK_SIZES.iter().find_map(start);
    if started.is_none() {
        work();
    }
    started
}

/// Starts the threads that check modules together with this one. The run goes on without a thread that
/// does not start. (The library's own way would end the process, or wait forever.)
pub(super) fn prepare() {
    // Commands for one module need no threads.
    if !env::args_os().skip(1).any(|it| it == "check" || it == "init") {
        return;
    }
    let asked = OsSystem.env("RAYON_NUM_THREADS").and_then(|it| it.parse().ok());
    let available = || thread::available_parallelism().map_or(1, usize::from);
    let wanted = asked.filter(|it| *it > 0).unwrap_or_else(available);
    let started: Vec<_> = (1..wanted).map_while(|_| start()).collect();
    let pool = ThreadPoolBuilder::new().num_threads(1 + started.len()).use_current_thread();
    let waiting = Mutex::new(started);
    let hand_over = |builder: ThreadBuilder| {
        if let Some(thread) = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            _ = thread.send(builder);
        }
        Ok(())
    };
    // No other code makes a pool before.
    _ = pool.spawn_handler(hand_over).build_global();
}

/// The address space that a thread takes with its allocations.
const ROOM: usize = 96 << 20;

/// Whether this much memory is available: otherwise a limit would be hit where no message is possible.
fn has_room(bytes: usize) -> bool {
    // To try takes a thread, and hardly anybody sets a limit.
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        if getrlimit(Resource::As).current.is_none() {
            return true;
        }
    }
    thread::Builder::new().stack_size(bytes).spawn(|| ()).is_ok_and(|it| it.join().is_ok())
}

/// Starts a thread that waits for its task.
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
