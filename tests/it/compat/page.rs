//! `docs/compat.md` shows what happens.

use std::{fs, path::Path};

use system::MemorySystem;
use testkit::transcript::transcript;

#[test]
fn the_page_shows_what_happens() {
    let page = fs::read_to_string("docs/compat.md").unwrap();
    let mut system = MemorySystem::new().working_in("/r");
    let (mut out, mut lines, mut before) = (String::new(), page.lines(), "");
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let Some(language) = line.strip_prefix("```") else {
            before = if line.is_empty() { before } else { line };
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
        if language == "text" && block[0].starts_with("$ ") {
            out += &transcript(block[0], &system);
        } else {
            if before.starts_with('`') {
                let text = block.join("\n") + "\n";
                system = system.file(Path::new("/r").join(before.trim_matches('`')), &text);
            }
            out.extend(block.iter().map(|it| format!("{it}\n")));
        }
        out += "```\n";
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write("docs/compat.md", &out).unwrap();
    }
    assert_eq!(out, page, "UPDATE=1 rewrites it");
}
