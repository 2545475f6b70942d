//! Random inputs for every reader and for evaluation: no panic, no hang, no memory without bound.
//!
//! A short round by default. `TERRASCHEMA_FUZZ=1000000 cargo test --profile fuzz --test fuzz --
//! --nocapture` tries a million inputs of each target and prints figures; `TERRASCHEMA_FUZZ_SEED`
//! gives others, and a name behind `--` chooses a target. An input that fails is kept below
//! `target/fuzz-findings`; in `tests/data/fuzz/TARGET` it is a test.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test may look at the disk, and may panic"
)]

mod corpus;
mod mutate;

use std::{
    alloc::System,
    env, fs,
    panic::catch_unwind,
    path::PathBuf,
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use cap::Cap;
use testkit::fuzz::{TARGETS, Target, disk, target};

use crate::{
    corpus::{corpus, findings},
    mutate::{Random, input},
};

/// What lies far beyond the limit is refused, so that a finding cannot take the machine down.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, 4 * MAX_MEMORY);

const MAX_MEMORY: usize = 512 << 20;
const MAX_MEBIBYTES: usize = MAX_MEMORY >> 20;

/// For one input of a long round, which is optimised, and which people run on a machine that does nothing else. In a
/// short round, as tests run it on any machine, an input only has to come back.
const MAX_TIME: Duration = Duration::from_secs(1);
const MAX_TIME_SHORT: Duration = HANG;

/// The inputs of a short round.
const SHORT: u64 = 400;

/// An input that takes as long as this never comes back.
const HANG: Duration = Duration::from_mins(30);

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { Round::new(stringify!($name)).run() })*
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! {
    committed_schema condition configuration evaluation functions git_paths hcl hcl_json module
    module_json regex report suppressions trees type_constraint values values_json values_text versions
    whole
}

#[test]
fn every_target_has_a_test_and_a_program_for_cargo_fuzz() {
    assert_eq!(NAMES, TARGETS.map(|(name, _)| name));
    let manifest = fs::read_to_string("fuzz/Cargo.toml").unwrap();
    for name in NAMES {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let program = fs::read_to_string(format!("fuzz/fuzz_targets/{name}.rs")).unwrap();
        assert!(program.contains(&format!("target(\"{name}\")")), "{name}");
    }
    for entry in fs::read_dir(corpus::FINDINGS).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(NAMES.iter().any(|it| **it == *name), "{name:?} is no target");
    }
}

/// Otherwise a canary that was read would stay unseen.
#[test]
#[cfg(unix)]
fn canaries_tell_that_they_were_read() {
    assert!(disk::accesses_are_seen(), "this file system keeps no times of access");
}

/// One target at a time: memory is the whole process's.
static TURN: Mutex<()> = Mutex::new(());

/// When the input that is being tried began, in milliseconds since [`Round::begin`], and its number.
struct Progress {
    since: AtomicU64,
    index: AtomicU64,
    is_over: AtomicBool,
}

struct Round {
    name: &'static str,
    target: Target,
    seed: u64,
    count: u64,
    max_time: Duration,
    begin: Instant,
    progress: Progress,
}

/// The figures that a round reports.
#[derive(Default)]
struct Figures {
    bytes: usize,
    slowest: Duration,
}

impl Round {
    fn new(name: &'static str) -> Round {
        let number = |name| env::var(name).ok().map(|it| it.parse().unwrap());
        let count = number("TERRASCHEMA_FUZZ");
        Round {
            name,
            target: target(name),
            seed: number("TERRASCHEMA_FUZZ_SEED").unwrap_or(1),
            count: count.unwrap_or(SHORT),
            max_time: if count.is_some() { MAX_TIME } else { MAX_TIME_SHORT },
            begin: Instant::now(),
            progress: Progress {
                since: AtomicU64::new(0),
                index: AtomicU64::new(0),
                is_over: AtomicBool::new(false),
            },
        }
    }

    fn run(&self) {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        for (path, bytes) in findings(self.name) {
            let elapsed = self.attempt(&bytes);
            assert!(elapsed <= self.max_time, "{} takes {elapsed:?}", path.display());
        }
        let corpus = corpus(self.name);
        let figures = thread::scope(|scope| {
            scope.spawn(|| self.watch(&corpus));
            let end = EndOnDrop(&self.progress.is_over);
            let figures = self.inputs(&corpus);
            drop(end);
            figures
        });
        let Figures { bytes, slowest } = figures;
        let seconds = self.begin.elapsed().as_secs();
        let peak = ALLOCATOR.max_allocated() >> 20;
        let (name, count) = (self.name, self.count);
        eprintln!(
            "{name}: {count} inputs, {bytes} bytes, {seconds} s; slowest {slowest:?}, peak {peak} MiB"
        );
    }

    fn inputs(&self, corpus: &[Vec<u8>]) -> Figures {
        let mut figures = Figures::default();
        for index in 0..self.count {
            let bytes = input(&mut Random::of(self.seed, self.name, index), corpus);
            let now = u64::try_from(self.begin.elapsed().as_millis()).unwrap();
            self.progress.since.store(now, Ordering::Relaxed);
            self.progress.index.store(index, Ordering::Relaxed);
            let Ok(elapsed) = catch_unwind(|| self.attempt(&bytes)) else {
                self.fail(index, &bytes, "panics")
            };
            if elapsed > self.max_time {
                self.fail(index, &bytes, &format!("takes {elapsed:?}"));
            }
            let peak = ALLOCATOR.max_allocated() >> 20;
            if peak > MAX_MEBIBYTES {
                self.fail(index, &bytes, &format!("takes {peak} MiB"));
            }
            figures.bytes += bytes.len();
            figures.slowest = figures.slowest.max(elapsed);
        }
        figures
    }

    /// How long one input takes. Other work on the machine is not its fault: of one that seems slow
    /// the processor's time counts, where it can be had.
    fn attempt(&self, bytes: &[u8]) -> Duration {
        let begin = Instant::now();
        (self.target)(bytes);
        let elapsed = begin.elapsed();
        if elapsed <= self.max_time {
            return elapsed;
        }
        let before = processor_time();
        (self.target)(bytes);
        let used = before.and_then(|before| processor_time()?.checked_sub(before));
        used.unwrap_or(elapsed)
    }

    fn fail(&self, index: u64, bytes: &[u8], why: &str) -> ! {
        panic!(
            "{}: input {index} of seed {} {why}: {}",
            self.name,
            self.seed,
            self.keep(index, bytes).display()
        );
    }

    fn keep(&self, index: u64, bytes: &[u8]) -> PathBuf {
        let path =
            PathBuf::from(format!("target/fuzz-findings/{}-{}-{index}", self.name, self.seed));
        fs::create_dir_all("target/fuzz-findings").unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Ends the process when an input does not come back.
    fn watch(&self, corpus: &[Vec<u8>]) {
        while !self.progress.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
            let since = Duration::from_millis(self.progress.since.load(Ordering::Relaxed));
            if self.begin.elapsed().saturating_sub(since) > HANG {
                let index = self.progress.index.load(Ordering::Relaxed);
                let bytes = input(&mut Random::of(self.seed, self.name, index), corpus);
                let kept = self.keep(index, &bytes);
                eprintln!("{}: input {index} hangs: {}", self.name, kept.display());
                process::exit(1);
            }
        }
    }
}

/// What this process has used of the processors, on Linux, in steps of 10 ms.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit(')').next()?.split(' ').skip(12);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

struct EndOnDrop<'a>(&'a AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
