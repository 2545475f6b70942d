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

use crate::check::Progress;

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
            let (mut wait, mut drawn) = (PATIENCE, String::new());
            // The sender never sends: the channel closes when the work ends, even by a panic.
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let line = line(progress.counts());
                if line != drawn {
                    draw(&line);
                }
                (wait, drawn) = (INTERVAL, line);
            }
            clear();
        });
        let _end = end;
        work()
    })
}

/// Removes the line, if there is one.
pub(super) fn clear() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        write(&format!("\r{:width$}\r", "", width = WIDTH + 29));
    }
}

fn draw(line: &str) {
    IS_DRAWN.store(true, Ordering::Relaxed);
    write(&format!("\r{line}"));
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    _ = stderr.write_all(text.as_bytes());
    _ = stderr.flush();
}

fn line((done, all): (usize, usize)) -> String {
    if all == 0 {
        return "Looking for modules".to_owned();
    }
    let filled = WIDTH * done / all;
    let mut line = String::from("[");
    line.extend((0..WIDTH).map(|it| if it < filled { '=' } else { ' ' }));
    _ = write!(line, "] {done}/{all} modules");
    line
}
