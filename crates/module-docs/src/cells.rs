//! Others' texts as Markdown that stays where it is: in its cell, and outside of the markers.

use diagnostics::visible;

/// The longest code in a cell, in characters, and the longest type or default of an input.
const LONGEST_CODE: usize = 400;
const LONGEST_SOURCE: usize = 20_000;

/// A text for people in a cell of a table, or in an item of a list.
///
/// Lines are joined by `<br>`. What is between backquotes stays; elsewhere `<` begins no element, unless it begins a
/// link such as `<https://example.com>`.
pub fn prose(text: &str) -> String {
    let text = visible(text.trim());
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    // An odd backquote begins no code.
    let has_code = text.matches('`').count().is_multiple_of(2);
    let (mut out, mut is_code) = (String::with_capacity(text.len()), false);
    let mut rest = text.as_str();
    while let Some(char) = rest.chars().next() {
        let next = &rest[char.len_utf8()..];
        match char {
            '`' if has_code => {
                is_code = !is_code;
                out.push('`');
            }
            '|' => out.push_str("\\|"),
            '\n' => out.push_str(if is_code { " " } else { "<br>" }),
            '<' if !is_code && !is_link(next) => out.push_str("&lt;"),
            '\\' if next.is_empty() => out.push_str("\\\\"),
            _ => out.push(char),
        }
        rest = next;
    }
    without_markers(out)
}

fn is_link(text: &str) -> bool {
    ["http://", "https://", "br>", "br/>", "br />"].iter().any(|it| text.starts_with(it))
}

/// A text as code. Blanks are joined, since a cell has one line.
pub fn code(text: &str) -> String {
    let text = visible(text);
    fenced(text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_CODE)
}

/// A type or a value in one line as code, whole: other tools show it whole, too.
pub fn source(text: &str) -> String {
    fenced(visible(text).replace(['\n', '\r'], " "), LONGEST_SOURCE)
}

fn fenced(mut text: String, longest: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
    if text.is_empty() {
        return String::new();
    }
    let mut longest = 0;
    let mut current = 0;
    for char in text.chars() {
        current = if char == '`' { current + 1 } else { 0 };
        longest = longest.max(current);
    }
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    // Also in code a cell ends at a bar.
    let text = text.replace('|', "\\|");
    without_markers(format!("{fence}{blank}{text}{blank}{fence}"))
}

/// A name as the text of a heading or a link.
pub fn name(text: &str) -> String {
    without_markers(visible(text).replace('_', "\\_").replace('|', "\\|").replace('<', "&lt;"))
}

/// The text without beginnings of comments: one could be a marker.
fn without_markers(text: String) -> String {
    if text.contains("<!--") { text.replace("<!--", "&lt;!--") } else { text }
}
