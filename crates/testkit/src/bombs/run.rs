//! Runs a command and watches how long it takes and how much memory it has at most.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a run came to.
pub struct BombOutcome {
    /// `None` where it was ended.
    pub code: Option<i32>,
    pub printed: String,
    pub time: Duration,
    /// In MiB; zero where the system does not report it.
    pub memory: u64,
}

/// The longest time, and the most memory in MiB.
#[derive(Clone, Copy)]
pub struct Guard(pub Duration, pub u64);

/// Runs the command in a directory that holds the files.
pub fn run(
    binary: &str,
    args: &[&str],
    files: &[(&str, String)],
    dir: &Path,
    guard: Guard,
) -> BombOutcome {
    for (name, text) in files {
        fs::write(dir.join(name), text).unwrap();
    }
    let printed = tempfile::NamedTempFile::new().unwrap();
    let out = || Stdio::from(fs::OpenOptions::new().append(true).open(printed.path()).unwrap());
    let mut command = Command::new(binary);
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(out()).stderr(out());
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut memory = 0;
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        memory = memory.max(peak(child.id()));
        if start.elapsed() > guard.0 || memory > guard.1 {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let time = start.elapsed();
    let printed = String::from_utf8_lossy(&fs::read(printed.path()).unwrap()).into_owned();
    BombOutcome { code, printed, time, memory }
}

/// The most memory that a process had so far.
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
