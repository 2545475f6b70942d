//! Tests of the `cli` layer.

mod completions;
mod docs;
mod eval;
mod examples;
mod explain;
mod generate;
mod help;
mod init;
mod outputs;
mod reference;
mod release;
mod skeleton;
mod skeleton_outcomes;
mod validate;

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, Exit, run};

/// Runs the command on files in memory; both outputs in one text.
pub fn terraschema(system: &MemorySystem, arguments: &str) -> (Exit, String) {
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words.map(OsString::from).collect(), system, &mut console);
    drop(console);
    (exit, String::from_utf8([stdout, stderr].concat()).unwrap())
}
