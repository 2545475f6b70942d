//! Threads for work on snapshots.

use std::{
    io,
    panic::{self, AssertUnwindSafe},
    thread,
};

use stack::Interrupt;

use crossbeam_channel::{Sender, unbounded};

/// The stack of a thread. Deeper recursion takes its stack from the heap.
const STACK_SIZE: usize = 16 << 20;

type Task = Box<dyn FnOnce() + Send>;

/// Threads that do tasks in order. They end when the pool is dropped, after the tasks that are waiting.
pub(crate) struct Pool(Sender<Task>);

impl Pool {
    /// Starts threads. Errors: none can start.
    pub fn new(name: &str, threads: usize) -> io::Result<Pool> {
        let (sender, tasks) = unbounded::<Task>();
        for at in 0..threads {
            let tasks = tasks.clone();
            let run = move || {
                undivided();
                tasks.into_iter().for_each(|task| task());
            };
            let named = thread::Builder::new().name(format!("{name} {at}"));
            match named.stack_size(STACK_SIZE).spawn(run) {
                Ok(_) => (),
                Err(error) if at == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(Pool(sender))
    }

    pub fn spawn(&self, task: impl FnOnce() + Send + 'static) {
        _ = self.0.send(Box::new(task));
    }
}

/// Work without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By its interrupt.
    Interrupted,
    /// By a panic with this message.
    Panicked(String),
}

/// The result of work on this thread alone, which `interrupt` may end.
pub(crate) fn interruptible<T>(
    interrupt: &Interrupt,
    work: impl FnOnce() -> T,
) -> Result<T, Ended> {
    match caught(|| interrupt.run(work)) {
        Ok(Ok(it)) => Ok(it),
        Ok(Err(_)) => Err(Ended::Interrupted),
        Err(why) => Err(Ended::Panicked(why)),
    }
}

/// Makes the current thread do by itself what is divided otherwise, so that it can be interrupted everywhere. A thread
/// that is one already stays as it is.
fn undivided() {
    _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
}

/// The result of some work, or the message of its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "a panic without a message".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_result() {
        assert_eq!(caught(|| 1), Ok(1));
        let failed = caught(|| -> u8 { panic!("no {}", 2) });
        assert_eq!(failed, Err("no 2".to_owned()));
    }

    #[test]
    fn a_pool_does_all_tasks_before_it_ends() {
        let (sender, results) = unbounded();
        let pool = Pool::new("test", 3).unwrap();
        for at in 0..100 {
            let sender = sender.clone();
            pool.spawn(move || _ = sender.send(at));
        }
        drop((pool, sender));
        let mut found: Vec<i32> = results.iter().collect();
        found.sort_unstable();
        assert_eq!(found, (0..100).collect::<Vec<_>>());
    }
}
