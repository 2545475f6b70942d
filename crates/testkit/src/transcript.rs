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

/// A page with the answers of the commands in its `console` blocks, and how many there are. Commands see the
/// files above them, each in a code block after a line with its name.
pub fn page(text: &str) -> (String, usize) {
    let mut system = MemorySystem::new();
    let (mut shown, mut name, mut count) = (String::new(), None, 0);
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 0 {
            shown += part;
            let last = part.trim_end().lines().last().unwrap_or_default();
            name = last.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
            continue;
        }
        let (language, text) = part.split_once('\n').unwrap();
        if let Some(name) = name {
            system = system.file(name, text);
        }
        let commands = text.lines().filter(|it| language == "console" && it.starts_with("$ "));
        let answers: Vec<String> = commands.map(|it| transcript(it, &system)).collect();
        count += answers.len();
        let text = if answers.is_empty() { text.to_owned() } else { answers.concat() };
        shown += &format!("```{language}\n{text}```");
    }
    (shown, count)
}
