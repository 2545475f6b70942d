//! Work that another thread can end.

use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

thread_local! {
    /// What may end the work of this thread.
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A switch that ends work from another thread. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// The work was ended before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl Interrupt {
    /// Ends the work at its next [`checkpoint`]; work that has not begun yet ends at its first one.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work that this switch can end. Checkpoints count on this thread only, so the work must not be
    /// divided. Panics: the work panics.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        let before = CURRENT.replace(Some(self.clone()));
        let result = panic::catch_unwind(AssertUnwindSafe(work));
        CURRENT.set(before);
        result.map_err(|payload| match payload.downcast::<Interrupted>() {
            Ok(it) => *it,
            Err(payload) => panic::resume_unwind(payload),
        })
    }
}

/// Ends the work around it if its [`Interrupt`] is set, and does nothing otherwise. It unwinds without a
/// message, because a result that does not come needs no path of its own through every layer.
pub fn checkpoint() {
    let is_set = CURRENT.with_borrow(|it| it.as_ref().is_some_and(Interrupt::is_set));
    if is_set {
        panic::resume_unwind(Box::new(Interrupted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guarded;
    use std::{sync::mpsc, thread};

    #[test]
    fn work_ends_at_a_checkpoint_once_its_interrupt_is_set() {
        let interrupt = Interrupt::default();
        let (sender, begun) = mpsc::channel();
        let work = interrupt.clone();
        let thread = thread::spawn(move || {
            work.run(|| {
                loop {
                    guarded(checkpoint);
                    _ = sender.send(());
                }
            })
        });
        begun.recv().unwrap();
        interrupt.set();
        let never: Result<(), Interrupted> = thread.join().unwrap();
        assert_eq!(never, Err(Interrupted));
    }

    #[test]
    fn a_checkpoint_does_nothing_outside() {
        checkpoint();
        let interrupt = Interrupt::default();
        assert_eq!(interrupt.run(|| (checkpoint(), 1).1), Ok(1));
        interrupt.set();
        checkpoint();
        assert_eq!(interrupt.run(checkpoint), Err(Interrupted));
        let inner = Interrupt::default();
        assert_eq!(interrupt.run(|| inner.run(|| (checkpoint(), 1).1)), Ok(Ok(1)));
    }

    #[test]
    fn a_panic_is_no_interruption() {
        let caught = panic::catch_unwind(|| Interrupt::default().run(|| panic!("x")));
        assert!(caught.is_err());
    }
}
