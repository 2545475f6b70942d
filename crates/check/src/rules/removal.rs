//! Removes an attribute from an object in a values file, in either syntax; the rest stays as it is
//! written, with its comments.

use std::ops::Range;

/// It begins no line, but the file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The bytes to replace, and their replacement, so that the attribute goes with the separators that only
/// it needed. `item` is from the start of its key to the end of its value.
pub fn remove(bytes: &[u8], item: Range<usize>) -> (Range<usize>, String) {
    match comments_before_comma(bytes, item.end) {
        Some((comma, comments)) => (item.start..comma + 1, comments),
        None => (widen(bytes, item), String::new()),
    }
}

/// The comma on the line, and the comments before it.
fn comments_before_comma(bytes: &[u8], end: usize) -> Option<(usize, String)> {
    let mut at = skip_blanks(bytes, end);
    while bytes.get(at..)?.starts_with(b"/*") {
        let length = memchr::memmem::find(bytes.get(at..)?, b"*/")? + 2;
        at = skip_blanks(bytes, at + length);
    }
    let comments = String::from_utf8_lossy(bytes.get(end..at)?).trim().to_owned();
    (bytes.get(at) == Some(&b',') && !comments.is_empty()).then_some((at, comments))
}

fn widen(bytes: &[u8], item: Range<usize>) -> Range<usize> {
    let after = skip_blanks(bytes, item.end);
    let (end, has_comma) = match bytes.get(after) {
        Some(b',') => (after + 1, true),
        _ => (item.end, false),
    };
    if let (false, Some(comma)) = (has_comma, comma_after(bytes, end)) {
        // Commas are at the beginnings of lines.
        return match comma_before(bytes, item.start) {
            Some(before) => before..comma,
            None => item.start..comma + 1,
        };
    }
    let line = line_start(bytes, item.start);
    let is_first_on_line = bytes.get(line..item.start).is_some_and(is_blank);
    let rest = skip_blanks(bytes, end);
    let line_end = line_end_at(bytes, rest);
    // The last item takes the comma before it along, since JSON allows no trailing comma.
    if let (false, Some(comma)) = (has_comma, comma_before(bytes, item.start)) {
        let closes = matches!(next_visible(bytes, end), Some(b'}'));
        let is_near = bytes.get(comma..item.start).is_some_and(|it| !it.contains(&b'\n'));
        if closes && (is_near || is_json_like(bytes, item.start)) {
            return comma..end;
        }
    }
    match line_end {
        // Whole lines are removed.
        Some(next) if is_first_on_line => line..next,
        _ => {
            item.start..if has_comma || is_first_on_line {
                rest
            } else {
                skip_one_blank(bytes, end)
            }
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|it| matches!(it, b' ' | b'\t'))
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Skips one of two blanks around the item.
fn skip_one_blank(bytes: &[u8], at: usize) -> usize {
    if matches!(bytes.get(at), Some(b' ' | b'\t')) { at + 1 } else { at }
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or_default();
    let first = if before.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    memchr::memrchr(b'\n', before).map_or(first, |it| it + 1)
}

/// The start of the next line, if a line ends at the offset.
fn line_end_at(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..) {
        Some([b'\n', ..]) => Some(at + 1),
        Some([b'\r', b'\n', ..]) => Some(at + 2),
        _ => None,
    }
}

/// A comma before the item with nothing but white space between.
fn comma_before(bytes: &[u8], start: usize) -> Option<usize> {
    let before = bytes.get(..start)?;
    let at = before.iter().rposition(|it| !it.is_ascii_whitespace())?;
    (before.get(at) == Some(&b',')).then_some(at)
}

/// A comma after the item with nothing but white space between.
fn comma_after(bytes: &[u8], end: usize) -> Option<usize> {
    let at = bytes.get(end..)?.iter().position(|it| !it.is_ascii_whitespace())? + end;
    (bytes.get(at) == Some(&b',')).then_some(at)
}

fn next_visible(bytes: &[u8], at: usize) -> Option<&u8> {
    bytes.get(at..)?.iter().find(|it| !it.is_ascii_whitespace())
}

/// Whether the key is quoted: JSON, or HCL that looks the same.
fn is_json_like(bytes: &[u8], start: usize) -> bool {
    bytes.get(start) == Some(&b'"')
}
