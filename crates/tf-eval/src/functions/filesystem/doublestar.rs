//! Patterns of `fileset` as OpenTofu's newer glob library reads them: alternatives nest and may contain
//! slashes, `!` negates a class as well, and a malformed pattern is always an error.

use super::glob::find_unescaped;
use crate::functions::{CallContext, Failure};

/// Expands a pattern into patterns without alternatives. For example: `{a,b}.tf` becomes `a.tf` and
/// `b.tf`.
pub fn alternatives(context: &CallContext<'_>, pattern: &str) -> Result<Vec<String>, Failure> {
    let malformed = || Failure::Call(format!("the pattern {pattern:?} is malformed"));
    if !is_valid(&pattern[base_length(pattern)..]) {
        return Err(malformed());
    }
    let (mut open, mut done) = (vec![(pattern.to_owned(), 0)], Vec::new());
    while let Some((text, from)) = open.pop() {
        context.host.spend(1 + text.len() as u64 / 8)?;
        let Some(start) = alternative_start(&text, from) else {
            done.push(text);
            continue;
        };
        let inside = &text[start + 1..];
        let end = closing(inside).ok_or_else(malformed)?;
        let (before, after) = (&text[..start], &inside[end + 1..]);
        let mut choices = &inside[..end];
        loop {
            let comma = comma(choices);
            let choice = comma.map_or(choices, |it| &choices[..it]);
            open.push((format!("{before}{choice}{after}"), start));
            match comma {
                Some(it) => choices = &choices[it + 1..],
                None => break,
            }
        }
    }
    Ok(done)
}

/// The text of a part of a pattern without special characters; a backslash makes a special character
/// plain.
pub fn literal(part: &str) -> Option<String> {
    let mut plain = String::with_capacity(part.len());
    let mut chars = part.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '*' | '?' | '[' | '{' => return None,
            '\\' => match chars.next() {
                Some(it @ ('*' | '?' | '[' | ']' | '{' | '}')) => plain.push(it),
                other => plain.extend([char].into_iter().chain(other)),
            },
            _ => plain.push(char),
        }
    }
    Some(plain)
}

/// Whether a name matches a part of a pattern without alternatives.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut place) = (0, 0);
    // The position behind the last star, and the character of the name where matching goes on.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if pattern.get(at) == Some(&'*') {
            at += 1;
            star = Some((at, place));
            continue;
        }
        if place == name.len() && at == pattern.len() {
            return true;
        }
        let step = name.get(place).and_then(|it| step(&pattern[at..], *it));
        match (step, &mut star) {
            (Some(length), _) => (at, place) = (at + length, place + 1),
            (None, Some((after, from))) if *from < name.len() => {
                *from += 1;
                (at, place) = (*after, *from);
            }
            _ => return false,
        }
    }
}

/// The length of the pattern's next step, if it matches the character.
fn step(pattern: &[char], found: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => class(&pattern[1..], found).map(|it| it + 1),
        '\\' => (pattern.get(1) == Some(&found)).then_some(2),
        it => (*it == found).then_some(1),
    }
}

/// The length of a class, if it contains the character.
fn class(inside: &[char], found: char) -> Option<usize> {
    let negated = matches!(inside.first(), Some('!' | '^'));
    let mut at = usize::from(negated);
    let mut last = None;
    let mut has = false;
    while let Some(it) = inside.get(at).filter(|it| **it != ']') {
        at += 1;
        let is_range = *it == '-' && inside.get(at).is_some_and(|it| *it != ']');
        if let (Some(low), true) = (last, is_range) {
            at += usize::from(inside[at] == '\\');
            has |= low <= found && found <= *inside.get(at)?;
            at += 1;
            last = None;
            continue;
        }
        let plain = if *it == '\\' {
            at += 1;
            *inside.get(at - 1)?
        } else {
            *it
        };
        has |= plain == found;
        last = Some(plain);
    }
    (at < inside.len() && has != negated).then_some(at + 1)
}

/// The length in bytes of the leading directories without special characters.
fn base_length(pattern: &str) -> usize {
    let (mut length, mut bytes) = (0, pattern.bytes().enumerate());
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'/' => length = at + 1,
            b'*' | b'?' | b'[' | b'{' => break,
            _ => (),
        }
    }
    length
}

fn is_valid(pattern: &str) -> bool {
    let mut depth = 0_usize;
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '\\' => match after.chars().next() {
                Some(it) => &after[it.len_utf8()..],
                None => return false,
            },
            '[' => match class_end(after) {
                Some(end) => &after[end..],
                None => return false,
            },
            '{' => {
                depth += 1;
                after
            }
            '}' if depth == 0 => return false,
            '}' => {
                depth -= 1;
                after
            }
            _ => after,
        };
    }
    depth == 0
}

/// The position behind the `]` that closes a class.
fn class_end(inside: &str) -> Option<usize> {
    let start = usize::from(inside.starts_with(['!', '^']));
    let body = &inside[start..];
    let end = find_unescaped(body, ']').filter(|it| *it > 0)?;
    Some(start + end + 1)
}

/// The next `{` that begins alternatives.
fn alternative_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(first) = text[at..].chars().next() {
        match first {
            '{' => return Some(at),
            '\\' => {
                at += 1;
                at += text[at..].chars().next().map_or(0, char::len_utf8);
            }
            '[' => at += 1 + class_end(&text[at + 1..]).unwrap_or(0),
            _ => at += first.len_utf8(),
        }
    }
    None
}

/// The `}` that ends alternatives.
fn closing(inside: &str) -> Option<usize> {
    outside(inside, '}', 1)
}

/// The comma between alternatives.
fn comma(inside: &str) -> Option<usize> {
    outside(inside, ',', 1)
}

/// The first such character outside of nested alternatives.
fn outside(text: &str, wanted: char, mut depth: usize) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, it)) = chars.next() {
        match it {
            '\\' => drop(chars.next()),
            _ if it == wanted && depth == 1 => return Some(at),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => (),
        }
    }
    None
}
