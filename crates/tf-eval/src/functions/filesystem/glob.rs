//! Matches names against a pattern, with the peculiarities of Terraform's glob library: braces do not
//! nest, only `^` negates a class, `]` ends a class in any position.

use stack::guarded;

/// The pattern is malformed, which is noticed only when matching reaches the faulty part.
#[derive(Debug, PartialEq, Eq)]
pub struct BadPattern;

/// Whether a name, one part of a path, matches a pattern, one part of a longer one.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let (mut pattern, mut name) = (pattern, name);
    loop {
        let (Some(wanted), Some(found)) = (pattern.chars().next(), name.chars().next()) else {
            return Ok(name.is_empty() && matches!(pattern, "" | "*" | "**"));
        };
        let after = &pattern[wanted.len_utf8()..];
        match wanted {
            '*' => return Ok(matches_rest(after, name)),
            '{' => return matches_alternative(after, name),
            '[' => {
                let end = find_unescaped(after, ']').ok_or(BadPattern)?;
                if !class_contains(&after[..end], found)? {
                    return Ok(false);
                }
                pattern = &after[end + 1..];
            }
            '?' => pattern = after,
            '\\' => {
                let escaped = after.chars().next().ok_or(BadPattern)?;
                if escaped != found {
                    return Ok(false);
                }
                pattern = &after[escaped.len_utf8()..];
            }
            _ if wanted == found => pattern = after,
            _ => return Ok(false),
        }
        name = &name[found.len_utf8()..];
    }
}

/// Whether a pattern has anything special in it.
pub fn is_literal(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '{', '\\'])
}

/// The position of a character that is not escaped by a backslash.
pub fn find_unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut escaped = false;
    for (at, it) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if it == '\\' {
            escaped = true;
        } else if it == wanted {
            return Some(at);
        }
    }
    None
}

/// Matches the rest behind a `*` against every ending of the name. A malformed rest matches nothing.
fn matches_rest(rest: &str, name: &str) -> bool {
    rest.is_empty() || name.char_indices().any(|(at, _)| with_stack(rest, &name[at..]) == Ok(true))
}

/// Matches the alternatives behind a `{`, each followed by the rest of the pattern.
fn matches_alternative(after: &str, name: &str) -> Result<bool, BadPattern> {
    let end = find_unescaped(after, '}').ok_or(BadPattern)?;
    let (mut alternatives, rest) = (Some(&after[..end]), &after[end + 1..]);
    while let Some(text) = alternatives {
        let comma = find_unescaped(text, ',');
        let first = comma.map_or(text, |it| &text[..it]);
        if with_stack(&format!("{first}{rest}"), name)? {
            return Ok(true);
        }
        alternatives = comma.map(|it| &text[it + 1..]);
    }
    Ok(false)
}

/// `matches`, with enough stack for patterns of many stars.
fn with_stack(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    guarded(|| matches(pattern, name))
}

/// Whether a class contains a character.
fn class_contains(class: &str, found: char) -> Result<bool, BadPattern> {
    let (negated, ranges) = match class.strip_prefix('^') {
        Some(ranges) => (true, ranges),
        None => (false, class),
    };
    if class.is_empty() {
        return Err(BadPattern);
    }
    let mut chars = ranges.chars().peekable();
    let mut contained = false;
    while let Some(first) = chars.next() {
        let low = class_character(first, &mut chars)?;
        let mut high = low;
        if chars.next_if_eq(&'-').is_some() {
            let last = chars.next().ok_or(BadPattern)?;
            high = class_character(last, &mut chars)?;
        }
        contained |= (low..=high).contains(&found);
    }
    Ok(contained != negated)
}

/// One end of a range: a hyphen must be escaped to be one.
fn class_character(first: char, rest: &mut impl Iterator<Item = char>) -> Result<char, BadPattern> {
    match first {
        '-' => Err(BadPattern),
        '\\' => rest.next().ok_or(BadPattern),
        _ => Ok(first),
    }
}
