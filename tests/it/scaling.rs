//! Whether work grows as its input does, whatever machine does it and whatever else that does.
#![allow(clippy::disallowed_methods)] // The clock of a thread is no part of any layer.

/// Work that grows with the square of its input takes sixteen times as much for four times as many parts.
const MOST: u64 = 9;
const ROUNDS: usize = 6;

/// Below this many nanoseconds the clock of a thread is too coarse.
const LEAST: u64 = 40_000_000;

/// Asserts that four times as many parts take less than nine times as much of this thread's time on a processor. What
/// disturbs a measurement only makes it longer, and hardly the same one each time: the best of several rounds counts.
pub fn assert_linear(parts: usize, work: impl Fn(usize)) {
    let mut times = 1;
    let repeated = |times: usize, parts: usize| used(|| (0..times).for_each(|_| work(parts)));
    while repeated(times, parts) < LEAST {
        times *= 2;
    }
    let (mut few, mut many) = (u64::MAX, u64::MAX);
    for _ in 0..ROUNDS {
        few = few.min(repeated(times, parts));
        many = many.min(repeated(times, 4 * parts));
        if many / MOST < few {
            return;
        }
    }
    panic!("{parts} parts take {few} ns, four times as many {many} ns");
}

/// Nanoseconds of this thread.
fn used(work: impl FnOnce()) -> u64 {
    let begin = now();
    work();
    now() - begin
}

/// What this thread has used of a processor, in nanoseconds.
#[cfg(target_os = "linux")]
fn now() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

#[cfg(not(target_os = "linux"))]
fn now() -> u64 {
    static BEGIN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed().as_nanos().try_into().unwrap()
}

#[test]
fn a_square_is_noticed() {
    assert_linear(2_000, |parts| {
        std::hint::black_box((0..parts).fold(0, |sum, it| std::hint::black_box(sum + it)));
    });
    let square = std::panic::catch_unwind(|| {
        assert_linear(300, |parts| {
            for it in 0..parts {
                std::hint::black_box((0..parts).fold(it, |sum, it| std::hint::black_box(sum + it)));
            }
        });
    });
    assert!(square.is_err());
}
