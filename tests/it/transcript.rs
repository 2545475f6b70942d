//! Command lines and what they print, as documents show them.

use system::MemorySystem;
use terraschema::{Console, Exit};

/// A line `$ COMMAND` and what the command prints. No white space at the ends of lines, so that
/// editors leave the documents alone.
pub fn transcript(line: &str, system: &MemorySystem) -> String {
    let (_, output) = run(line.trim_start_matches("$ "), system);
    let output: String = output.lines().map(|it| it.trim_end().to_owned() + "\n").collect();
    format!("{line}\n{output}")
}

/// Runs a command line; both streams in one text.
pub fn run(line: &str, system: &MemorySystem) -> (Exit, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = line.split_whitespace().map(Into::into).collect();
    let exit = terraschema::run(arguments, system, &mut Console::to(&mut stdout, &mut stderr));
    (exit, String::from_utf8(stderr).unwrap() + &String::from_utf8(stdout).unwrap())
}
