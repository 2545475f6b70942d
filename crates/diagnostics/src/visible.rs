//! Makes others' text harmless: no character of it affects a terminal, a page or a CI runner.
//!
//! The text that we show comes from the tree that we check, and its author may be anybody. An escape
//! sequence would repaint the terminal, a bidirectional override would reorder the line, and a line
//! that begins with `::` is a command to GitHub's runner.

use std::{borrow::Cow, fmt::Write};

/// Text of several lines: line ends and tabs stay, and every other invisible character is written like
/// `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |it| is_unseen(it) && !matches!(it, '\n' | '\t'))
}

/// Text that must stay on its line, such as a name: line ends and tabs are escaped, too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_unseen)
}

/// A JSON document without invisible characters and without commands to a runner. Its meaning is the
/// same: such characters occur only inside of strings, where line ends are escaped already.
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

/// The escaped forms of `:` and `#` in a format.
#[derive(Clone, Copy, Debug)]
pub struct Inert {
    pub colon: &'static str,
    pub hash: &'static str,
}

impl Inert {
    /// For text that people read.
    pub const TEXT: Inert = Inert { colon: r"\u{3a}", hash: r"\u{23}" };
    const JSON: Inert = Inert { colon: r"\u003a", hash: r"\u0023" };
    pub const XML: Inert = Inert { colon: "&#58;", hash: "&#35;" };

    /// Removes commands to GitHub's runner, which reads every line that a step prints: `::` at the start
    /// of a line, after any blanks, and `##[` anywhere.
    pub fn write(self, text: String) -> String {
        let text = if text.contains("##[") {
            // Escaping one of three would leave two.
            text.replace("##[", &format!("{0}{0}[", self.hash))
        } else {
            text
        };
        // Three colons do not begin a command.
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

/// Whether a character has no visible form: controls, directions, fillers and other invisible ones, tags.
/// Joiners (U+200C, U+200D) and the selectors of a variant (U+FE00 to U+FE0F) are excluded: they are part
/// of emoji and some scripts, and reorder nothing.
pub fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
