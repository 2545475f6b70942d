//! What the command says, in memory.

use system::MemorySystem;
use terraschema::{Console, Exit};

/// Runs the command; its exit and what it prints.
pub fn compat(system: &MemorySystem, arguments: &str) -> (Exit, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let line = format!("terraschema compat {arguments}");
    let arguments = line.split_whitespace().map(Into::into).collect();
    let exit = terraschema::run(arguments, system, &mut Console::to(&mut stdout, &mut stderr));
    let text = |it| String::from_utf8(it).unwrap();
    (exit, text(stdout), text(stderr))
}

/// The report on two modules of one file each.
pub fn report(before: &str, after: &str) -> serde_json::Value {
    let system = MemorySystem::new().working_in("/r");
    let system = system.file("/r/before/main.tf", before).file("/r/after/main.tf", after);
    let (_, text, problems) = compat(&system, "before after --format=json");
    assert_eq!(problems, "", "{before}\n{after}");
    serde_json::from_str(&text).unwrap()
}
