//! Time and memory of files that ask for much work, at a size and at ten times that:
//! `cargo bench --bench bombs [-- NAME]`.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::time::Duration;

use testkit::bombs::{
    cases,
    run::{BombOutcome, Guard, run},
};

const GUARD: Guard = Guard(Duration::from_mins(1), 4096);

fn main() {
    let wanted = std::env::args().skip(1).find(|it| it != "--bench").unwrap_or_default();
    let binary = std::env::var("TERRASCHEMA").ok();
    let binary = binary.as_deref().unwrap_or(env!("CARGO_BIN_EXE_terraschema"));
    println!("| bomb | size | seconds | MiB | at ten times the size | MiB | factor |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for bomb in cases::BOMBS.iter().filter(|it| it.name.contains(&wanted)) {
        let at = |size: usize| {
            let dir = tempfile::tempdir().unwrap();
            run(binary, bomb.args, &(bomb.files)(size), dir.path(), GUARD)
        };
        let once = at(bomb.size);
        let (time, memory) = (once.time.as_secs_f64(), once.memory);
        if bomb.size == 1 {
            println!("| {} | | {time:.2} | {memory} | | | |", bomb.name);
            continue;
        }
        let more = at(10 * bomb.size);
        let (longer, larger) = (more.time.as_secs_f64(), more.memory);
        let ends_so =
            |it: &BombOutcome| it.code == Some(bomb.code) && it.printed.contains(bomb.says);
        let ended = match more.code {
            None => " (ended)",
            // At another size it may end in another way: past a limit, or short of it.
            Some(_) if !ends_so(&more) && ends_so(&once) => " (in another way)",
            Some(_) => "",
        };
        println!(
            "| {} | {} | {time:.2} | {memory} | {longer:.2}{ended} | {larger} | {:.1} |",
            bomb.name,
            bomb.size,
            longer / time
        );
    }
}
