//! A progress line on the terminal during a long run.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use check::Progress;

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(100);

/// The width of the bar in columns; with the numbers it fits a terminal of 60.
const WIDTH: usize = 30;

static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Does the work, and draws its progress on standard error, which must be a terminal. Afterwards the
/// line is removed.
pub(crate) fn drawn<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        // If no thread starts, nothing is drawn.
        _ = thread::Builder::new().spawn_scoped(scope, move || {
            // The sender never sends: the channel closes when the work ends, even by a panic.
            let goes_on = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
            draw_while(goes_on, || progress.counts(), &mut write);
        });
        let _end = end;
        work()
    })
}

/// Draws how far the work is until it ends. `goes_on` waits so long, or until the work ends, and says whether it goes
/// on: it is the clock.
fn draw_while(
    mut goes_on: impl FnMut(Duration) -> bool,
    counts: impl Fn() -> (usize, usize),
    write: &mut dyn FnMut(&str),
) {
    let (mut wait, mut drawn) = (PATIENCE, String::new());
    while goes_on(wait) {
        let (done, all) = counts();
        let line = line(done, all);
        if line != drawn {
            IS_DRAWN.store(true, Ordering::Relaxed);
            write(&format!("\r{line}"));
        }
        (wait, drawn) = (INTERVAL, line);
    }
    erase(write);
}

/// Removes the line, if there is one.
pub(super) fn clear() {
    erase(&mut write);
}

fn erase(write: &mut dyn FnMut(&str)) {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        write(&format!("\r{:width$}\r", "", width = WIDTH + 29));
    }
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    _ = stderr.write_all(text.as_bytes());
    _ = stderr.flush();
}

fn line(done: usize, all: usize) -> String {
    if all == 0 {
        return "Looking for modules".to_owned();
    }
    let filled = WIDTH * done / all;
    let mut line = String::from("[");
    line.extend((0..WIDTH).map(|it| if it < filled { '=' } else { ' ' }));
    _ = write!(line, "] {done}/{all} modules");
    line
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    /// What is drawn of work that is so far after each wait, and the waits.
    fn screen(steps: &[(usize, usize)]) -> (Vec<String>, Vec<Duration>) {
        let (at, waits) = (Cell::new(0), RefCell::new(Vec::new()));
        let drawn: RefCell<Vec<String>> = RefCell::default();
        let goes_on = |wait| {
            waits.borrow_mut().push(wait);
            at.set(at.get() + 1);
            at.get() <= steps.len()
        };
        let mut write = |text: &str| drawn.borrow_mut().push(text.to_owned());
        draw_while(goes_on, || steps[at.get() - 1], &mut write);
        (drawn.into_inner(), waits.into_inner())
    }

    /// In one test, since the process has one line.
    #[test]
    fn long_work_is_drawn_when_it_changes_and_the_line_is_taken_away() {
        assert_eq!(screen(&[]), (Vec::new(), vec![PATIENCE]), "short work shows nothing");
        let (drawn, waits) = screen(&[(0, 0), (0, 2), (0, 2), (1, 2)]);
        assert_eq!(waits, [PATIENCE, INTERVAL, INTERVAL, INTERVAL, INTERVAL]);
        let [looking, none, half, gone] = &drawn[..] else { panic!("{drawn:?}") };
        assert_eq!(looking, "\rLooking for modules");
        assert_eq!(*none, format!("\r[{}] 0/2 modules", " ".repeat(30)));
        assert_eq!(*half, format!("\r[{}{}] 1/2 modules", "=".repeat(15), " ".repeat(15)));
        assert!(gone.trim().is_empty() && gone.len() > half.len() && gone.ends_with('\r'));
    }
}
