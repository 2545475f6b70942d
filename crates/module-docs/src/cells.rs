//! Others' texts as Markdown that stays where it is: in its cell, and outside of the markers.

use diagnostics::visible;

/// The longest code in a cell, in characters. Types and defaults are shown whole.
const LONGEST_CODE: usize = 400;

/// A text for people in a cell of a table, in an item of a list, or in a paragraph.
///
/// Lines are joined by `<br>`. Code stays as CommonMark reads it: between two runs of backquotes of one length, or
/// between fences, which become `<pre>`. Elsewhere `<` begins no element, unless it begins a link such as
/// `<https://example.com>`.
pub fn prose(text: &str) -> String {
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut from) = (0, 0);
    while at < lines.len() {
        let Some(end) = end_of_fence(&lines, at) else {
            at += 1;
            continue;
        };
        push_inline(&lines[from..at], &mut out);
        let code: Vec<String> = lines[at + 1..end].iter().map(|it| preformatted(it)).collect();
        push_line(&format!("<pre>{}</pre>", code.join("<br>")), &mut out);
        (at, from) = (end + 1, end + 1);
    }
    push_inline(&lines[from..], &mut out);
    without_markers(out)
}

/// The index of the line that ends the fenced code that begins at a line.
fn end_of_fence(lines: &[&str], at: usize) -> Option<usize> {
    let fence = |line: &str| {
        let line = line.strip_prefix("   ").or(line.strip_prefix("  ")).unwrap_or(line);
        let line = line.strip_prefix(' ').unwrap_or(line).to_owned();
        let char = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let count = line.chars().take_while(|it| *it == char).count();
        (count >= 3).then(|| (char, count, line[count..].to_owned()))
    };
    let (char, count, info) = fence(lines[at])?;
    if char == '`' && info.contains('`') {
        return None;
    }
    let ends = |line: &&str| {
        fence(line).is_some_and(|it| it.0 == char && it.1 >= count && it.2.trim().is_empty())
    };
    lines[at + 1..].iter().position(ends).map(|it| at + 1 + it)
}

/// Whether the text has a bar after a backslash, which code in a table cannot have: `a\|b` is shown as `a|b` there.
fn has_escaped_bar(text: &str) -> bool {
    let mut backslashes = 0;
    for char in text.chars() {
        if char == '|' && backslashes % 2 == 1 {
            return true;
        }
        backslashes = if char == '\\' { backslashes + 1 } else { 0 };
    }
    false
}

/// Code as an element, for what code between backquotes cannot have.
fn element(code: &str) -> String {
    format!("<code>{}</code>", preformatted(code.trim()))
}

/// A line of code inside of `<pre>` or `<code>`, where Markdown still reads its own signs.
fn preformatted(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for char in visible(line).chars() {
        match char {
            '&' | '<' | '>' | '`' | '*' | '_' | '~' | '[' | ']' | '\\' | '!' | '|' | ':' | '@' => {
                out.push_str(&format!("&#{};", u32::from(char)));
            }
            _ => out.push(char),
        }
    }
    out
}

fn push_line(line: &str, out: &mut String) {
    if !out.is_empty() {
        out.push_str("<br>");
    }
    out.push_str(line);
}

/// Adds lines without fenced code.
fn push_inline(lines: &[&str], out: &mut String) {
    if lines.is_empty() {
        return;
    }
    let text = lines.iter().map(|it| visible(it)).collect::<Vec<_>>().join("\n");
    let mut line = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(char) = rest.chars().next() {
        let mut length = char.len_utf8();
        match char {
            '`' => {
                length = rest.len() - rest.trim_start_matches('`').len();
                match end_of_code(&rest[length..], length) {
                    Some(end) => {
                        let code = &rest[length..length + end];
                        length = 2 * length + end;
                        if has_escaped_bar(code) {
                            line.push_str(&element(&code.replace('\n', " ")));
                        } else {
                            line.push_str(&rest[..length].replace('\n', " "));
                        }
                    }
                    None => line.push_str(&rest[..length]),
                }
            }
            '\n' => line.push_str("<br>"),
            '<' => match link(rest) {
                Some(end) => {
                    length = end;
                    line.push_str(&rest[..end]);
                }
                None => line.push_str("&lt;"),
            },
            '\\' => match rest[1..].chars().next().filter(char::is_ascii_punctuation) {
                // A backquote after it begins no code.
                Some(next) if next != '<' => {
                    length = 2;
                    line.push_str(&rest[..2]);
                }
                None if rest.len() == 1 => line.push_str("\\\\"),
                _ => line.push('\\'),
            },
            // GitHub makes a link of an address and of every backquote in it.
            ':' | 'w' if rest.starts_with("://") || rest.starts_with("www.") => {
                let ends = |(at, char): &(usize, char)| {
                    char.is_whitespace() || *char == '<' && link(&rest[*at..]).is_some()
                };
                length = rest.char_indices().find(ends).map_or(rest.len(), |it| it.0);
                line.push_str(&rest[..length].replace('`', "&#96;").replace('<', "&lt;"));
            }
            _ => line.push(char),
        }
        rest = &rest[length..];
    }
    push_line(&line, out);
}

/// The index of the run of backquotes that ends code, which has as many as the run that began it.
fn end_of_code(text: &str, count: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == count {
            return Some(start);
        }
        at = start + run;
    }
    None
}

/// The end of a link or a line break that begins the text.
fn link(text: &str) -> Option<usize> {
    if let Some(it) = ["<br>", "<br/>", "<br />"].into_iter().find(|it| text.starts_with(it)) {
        return Some(it.len());
    }
    if !["<http://", "<https://"].iter().any(|it| text.starts_with(it)) {
        return None;
    }
    let end = 1 + text[1..].find(|it: char| it == '>' || it == '<' || it.is_whitespace())?;
    text[end..].starts_with('>').then_some(end + 1)
}

/// A text that is not Markdown: an address, for example.
pub fn plain(text: &str) -> String {
    let text = visible(text.trim());
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (at, char) in chars.iter().enumerate() {
        let inside = |char: Option<&char>| char.is_some_and(|it| it.is_alphanumeric());
        let is_inside = at > 0 && inside(chars.get(at - 1)) && inside(chars.get(at + 1));
        match char {
            '_' if is_inside => (),
            '_' | '*' | '`' | '[' | ']' | '\\' => out.push('\\'),
            '<' => {
                out.push_str("&lt;");
                continue;
            }
            _ => (),
        }
        out.push(*char);
    }
    without_markers(out)
}

/// A text as code. Blanks are joined, since a cell has one line.
pub fn code(text: &str) -> String {
    let text = visible(text);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(LONGEST_CODE) {
        text.truncate(end);
        text.push('…');
    }
    fenced(&text)
}

/// A type or a value as code, whole; several lines are `<pre>`.
pub fn source(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if !text.contains('\n') {
        return fenced(&visible(&text));
    }
    let lines: Vec<String> = text.split('\n').map(|it| preformatted(it.trim_end())).collect();
    format!("<pre>{}</pre>", lines.join("<br>"))
}

fn fenced(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    if has_escaped_bar(text) {
        return element(text);
    }
    let mut longest = 0;
    let mut current = 0;
    for char in text.chars() {
        current = if char == '`' { current + 1 } else { 0 };
        longest = longest.max(current);
    }
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    without_markers(format!("{fence}{blank}{text}{blank}{fence}"))
}

/// A name as the text of a heading or a link.
pub fn name(text: &str) -> String {
    without_markers(visible(text).replace('_', "\\_").replace('<', "&lt;"))
}

/// A name that links lead to, as `#input_name`, where the name cannot end the address.
pub fn anchored(kind: &str, text: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let shown = name(text);
    if !text.chars().all(is_plain) {
        return shown;
    }
    format!("<a name=\"{kind}_{text}\"></a> [{shown}](#{kind}_{text})")
}

/// A text that leads to an address, if there is one.
pub fn linked(shown: &str, address: Option<&str>) -> String {
    address.map_or_else(|| shown.to_owned(), |it| format!("[{shown}]({it})"))
}

/// The text without beginnings of comments: one could be a marker.
fn without_markers(text: String) -> String {
    if text.contains("<!--") { text.replace("<!--", "&lt;!--") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{plain, prose, source};

    #[test]
    fn texts_for_people_keep_their_lines_their_code_and_their_links() {
        for (text, markdown) in [
            ("First line.\r\nSecond line.\r\n", "First line.<br>Second line."),
            ("One.\rTwo.", "One.<br>Two."),
            ("Use `a|b` <name>.", "Use `a|b` &lt;name>."),
            ("A bar | here", "A bar | here"),
            ("`a\\|b` \\| `a\\\\|b`", "<code>a&#92;&#124;b</code> \\| `a\\\\|b`"),
            ("``` <b>x</b> `", "``` &lt;b>x&lt;/b> `"),
            ("\\` <i>x</i> \\`", "\\` &lt;i>x&lt;/i> \\`"),
            ("`` `<b>` `` and `<i>`", "`` `<b>` `` and `<i>`"),
            ("a ``Standard` <b>", "a ``Standard` &lt;b>"),
            ("`two\nlines`\nthree", "`two lines`<br>three"),
            ("<https://a.b/`> <b>`", "<https://a.b/`> &lt;b>`"),
            ("https://a.b/` <b>`", "https://a.b/&#96; &lt;b>`"),
            ("https://a.b/<b>`<b>`", "https://a.b/&lt;b>&#96;&lt;b>&#96;"),
            ("https://a.b<br>`<b>`", "https://a.b<br>`<b>`"),
            ("<https://a b>", "&lt;https://a b>"),
            ("a<br>b<br />c", "a<br>b<br />c"),
            ("```hcl\na = {\n  x = \"<y>\" # *z*\n}\n```", {
                "<pre>a = {<br>  x = \"&#60;y&#62;\" # &#42;z&#42;<br>}</pre>"
            }),
            ("Example:\n~~~\nb\n~~~\nEnd", "Example:<br><pre>b</pre><br>End"),
            ("```\nnever closed <b>", "```<br>never closed &lt;b>"),
            ("ends with \\", "ends with \\\\"),
            ("<!-- END -->", "&lt;!-- END -->"),
        ] {
            assert_eq!(prose(text), markdown, "{text:?}");
        }
    }

    #[test]
    fn addresses_are_not_markdown() {
        assert_eq!(plain("./__v3__/my_module"), "./\\_\\_v3\\_\\_/my_module");
        assert_eq!(plain("git::https://a.b/*?ref=<x>"), "git::https://a.b/\\*?ref=&lt;x>");
    }

    #[test]
    fn code_has_no_signs_that_only_tables_need() {
        assert_eq!(source("{ x = \"y|z\" }"), "`{ x = \"y|z\" }`");
    }
}
