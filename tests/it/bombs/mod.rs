//! Small files that ask for much work end with what they deserve. `benches/bombs.rs` measures how
//! long they take; here a guard ends what would never end.

mod generated;
mod uncounted;

use std::time::Duration;

use testkit::{
    bombs::{
        cases::{BOMBS, Bomb, TOO_LARGE},
        run::{Guard, run},
    },
    workspace::binary,
};

/// Counted work ends each of them, on any machine: the guard is for one that nothing counts.
const GUARD: Guard = Guard(Duration::from_mins(30), 1024);

fn fails(bomb: &Bomb) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    // A budget ends the work, whatever its size: the smaller it is, the sooner the test is over.
    let budget: &[&str] = if bomb.says == TOO_LARGE { &["--max-work", "20000000"] } else { &[] };
    let args = [bomb.args, budget].concat();
    let outcome = run(binary(), &args, &(bomb.files)(bomb.size), dir.path(), GUARD);
    if std::env::var_os("BOMBS").is_some() {
        println!("{:40} {:?} {:.2?} {} MiB", bomb.name, outcome.code, outcome.time, outcome.memory);
    }
    let is_as_said = outcome.code == Some(bomb.code) && outcome.printed.contains(bomb.says);
    (!is_as_said).then(|| {
        let printed: String = outcome.printed.chars().take(600).collect();
        format!(
            "{}: {:?} after {:.1?}, {} MiB: {printed}",
            bomb.name, outcome.code, outcome.time, outcome.memory
        )
    })
}

/// One in `of` of the bombs.
fn all_end(part: usize, of: usize) {
    let chosen = BOMBS.iter().enumerate().filter(|(index, _)| index % of == part);
    let failures: Vec<String> = chosen.filter_map(|it| fails(it.1)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn bombs_end_with_what_they_deserve() {
    all_end(0, 2);
}

#[test]
fn other_bombs_end_with_what_they_deserve() {
    all_end(1, 2);
}
