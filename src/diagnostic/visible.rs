//! Text of others made visible: no character of it acts on a terminal, a page or a runner of CI.
//!
//! The text that we show comes from the tree that we check, and its author may be anybody. An escape
//! sequence would repaint the terminal, a bidirectional override would reorder the line, and a line
//! that begins with `::` is a command to GitHub's runner.

use std::{borrow::Cow, fmt::Write};

/// Text of several lines: line ends and tabs stay, and every other character that is not seen stands
/// as `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |it| is_unseen(it) && !matches!(it, '\n' | '\t'))
}

/// Text that must stay on its line, such as a name: line ends and tabs are escaped, too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_unseen)
}

/// A JSON document in which no string holds such a character as it is, or a command to a runner. Its
/// meaning is the same: what is escaped can only stand inside of a string, and line ends there are
/// escaped already.
pub fn visible_json(document: String) -> String {
    let document = Inert::JSON.write(document);
    let is_raw = |it: char| is_unseen(it) && !matches!(it, '\n' | '\t');
    if !document.contains(is_raw) {
        return document;
    }
    let mut out = String::with_capacity(document.len());
    for character in document.chars() {
        if is_raw(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

/// How a format writes `:` and `#` so that they do nothing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Inert {
    pub colon: &'static str,
    pub hash: &'static str,
}

impl Inert {
    /// For text that people read.
    pub const TEXT: Inert = Inert { colon: r"\u{3a}", hash: r"\u{23}" };
    const JSON: Inert = Inert { colon: r"\u003a", hash: r"\u0023" };
    pub const XML: Inert = Inert { colon: "&#58;", hash: "&#35;" };

    /// The text without commands to GitHub's runner, which reads every line that a step prints: `::`
    /// at the start of a line, where blanks do not count, and `##[` anywhere.
    pub fn write(self, text: String) -> String {
        let text = if text.contains("##[") {
            // Three of them would leave two.
            text.replace("##[", &format!("{0}{0}[", self.hash))
        } else {
            text
        };
        // Three colons begin no command.
        let is_command = |it: &str| {
            let it = it.trim_start();
            it.starts_with("::") && !it.starts_with(":::")
        };
        if !text.contains("::") || !text.lines().any(is_command) {
            return text;
        }
        let inert =
            |line: &str| line.replacen(':', if is_command(line) { self.colon } else { ":" }, 1);
        text.split_inclusive('\n').map(inert).collect()
    }
}

fn replaced(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Whether a character has no picture of its own: controls, directions, invisible ones and tags.
/// Joiners (U+200C, U+200D) are part of how emoji and some scripts are written, and reorder nothing.
pub fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
