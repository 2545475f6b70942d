//! The part of a file between two markers.

use std::{fmt, ops::Range};

use pulldown_cmark::{Event, Parser, Tag};

/// The part of a text between the lines with the markers, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPart {
    /// The line with the first marker, without its end.
    pub begin: Range<usize>,
    /// From the line after the first marker to the line with the second one.
    pub inner: Range<usize>,
}

/// Why a text has no single part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartError {
    /// Neither marker is there.
    Missing,
    /// A marker is there, and the other one is not where it must be. The place is that of the marker.
    Unpaired(Range<usize>),
    /// A second part begins, after the first or inside of it.
    Repeated(Range<usize>),
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PartError::Missing => "the markers are missing",
            PartError::Unpaired(_) => "a marker lacks its counterpart",
            PartError::Repeated(_) => "the markers occur more than once",
        })
    }
}

impl MarkedPart {
    /// Finds the part. A marker is a line of its own, and not inside of a code block that begins outside of the part.
    pub fn find(text: &str, begin: &str, end: &str) -> Result<MarkedPart, PartError> {
        let (mut first, mut found) = (None::<Range<usize>>, None::<MarkedPart>);
        let mut code = code_blocks(text, 0);
        let mut at = 0;
        for whole in text.split_inclusive('\n') {
            let (start, line) = (at, whole.trim());
            at += whole.len();
            let is_code = || first.is_none() && code.iter().any(|it| it.contains(&start));
            if line != begin && line != end || is_code() {
                continue;
            }
            let own = start..start + whole.trim_end().len();
            if line == begin {
                if first.is_some() || found.is_some() {
                    return Err(PartError::Repeated(own));
                }
                first = Some(own);
            } else {
                let Some(begin) = first.take() else {
                    let is_second = found.is_some();
                    return Err(if is_second {
                        PartError::Repeated(own)
                    } else {
                        PartError::Unpaired(own)
                    });
                };
                let after =
                    text[begin.end..start].find('\n').map_or(start, |it| begin.end + it + 1);
                found = Some(MarkedPart { begin, inner: after..start });
                // What the part opens ends with it.
                code = code_blocks(text, at);
            }
        }
        match (first, found) {
            (Some(open), _) => Err(PartError::Unpaired(open)),
            (None, Some(part)) => Ok(part),
            (None, None) => Err(PartError::Missing),
        }
    }

    /// The text with a new part at its end, with the line ends of the text. Errors: the line (from 1) of a code block that
    /// is not closed, so that the part would be code.
    pub fn appended(text: &str, new: &str, begin: &str, end: &str) -> Result<String, usize> {
        let line = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let gap = match text {
            "" => String::new(),
            it if it.ends_with('\n') => line.to_owned(),
            _ => line.repeat(2),
        };
        let part = format!("{begin}{line}{}{end}{line}", new.replace('\n', line));
        let whole = format!("{text}{gap}{part}");
        if MarkedPart::find(&whole, begin, end).is_ok() {
            return Ok(whole);
        }
        let open = code_blocks(text, 0).last().map_or(0, |it| it.start);
        Err(1 + text[..open].matches('\n').count())
    }

    /// Whether the part says the same as `new`: blanks, blank lines and the lines below the heads of tables do not
    /// count.
    pub fn is_current(&self, text: &str, new: &str) -> bool {
        meaning(&text[self.inner.clone()]) == meaning(new)
    }

    /// The number of lines that only one of the two has.
    pub fn differences(&self, text: &str, new: &str) -> usize {
        let (old, new) = (meaning(&text[self.inner.clone()]), meaning(new));
        let count = |all: &[String], others: &[String]| {
            let mut others: Vec<&String> = others.iter().collect();
            others.sort_unstable();
            all.iter().filter(|it| others.binary_search(it).is_err()).count()
        };
        count(&old, &new).max(count(&new, &old)).max(1)
    }

    /// The text with `new` in the part, with the line ends of the line that the part follows upon.
    pub fn replaced(&self, text: &str, new: &str) -> String {
        let is_crlf = text[self.begin.end..self.inner.start].starts_with('\r');
        let new = if is_crlf { new.replace('\n', "\r\n") } else { new.to_owned() };
        // Both markers may be in one line; then there is no line end yet.
        let line = if self.inner.start == self.begin.end { "\n" } else { "" };
        format!("{}{line}{new}{}", &text[..self.inner.start], &text[self.inner.end..])
    }
}

/// The code blocks of a Markdown text from an offset on. One that nothing closes ends with the text.
fn code_blocks(text: &str, from: usize) -> Vec<Range<usize>> {
    // A byte order mark does not belong to the first line.
    let from = text.len() - text[from..].trim_start_matches('\u{feff}').len();
    let events = Parser::new(&text[from..]).into_offset_iter();
    let blocks = events.filter(|it| matches!(it.0, Event::Start(Tag::CodeBlock(_))));
    blocks.map(|it| from + it.1.start..from + it.1.end).collect()
}

/// The marks that close the fenced code in which a text ends.
pub(super) fn open_fence(text: &str) -> Option<String> {
    let probed = format!("{text}\nx\n");
    let block = code_blocks(&probed, 0).into_iter().last().filter(|it| it.end > text.len())?;
    let line = probed[block].trim_start().to_owned();
    let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    Some(line.chars().take_while(|it| *it == mark).collect())
}

fn meaning(text: &str) -> Vec<String> {
    let is_rule = |it: &str| it.starts_with('|') && it.chars().all(|char| "|-: ".contains(char));
    let lines = text.lines().map(|it| {
        let cells: Vec<&str> = it.split('|').map(str::trim).collect();
        let line = cells.join(" | ");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    lines.filter(|it| !it.is_empty() && !is_rule(it)).collect()
}
