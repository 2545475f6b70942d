//! Matches names against a pattern, with the peculiarities of Terraform's glob library: braces do not
//! nest, only `^` negates a class, `]` ends a class in any position.

use crate::functions::{CallContext, Failure};
use foldhash::HashMap;
use stack::guarded;

/// The pattern is malformed, which is noticed only when matching reaches the faulty part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

/// Whether a name, one part of a path, matches a pattern, one part of a longer one.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut tried = Tried::default();
    let text = tried.number(pattern);
    tried.matches(text, pattern, name)
}

/// What was tried already, so that no ending of a pattern meets an ending of the name twice. Endings are known by their
/// lengths; with the alternatives of braces in them patterns are texts of their own, each with a number.
#[derive(Default)]
struct Tried {
    texts: HashMap<String, usize>,
    results: HashMap<(usize, usize, usize), Result<bool, BadPattern>>,
    /// The length of an ending of the name that the rest behind a `*` does not match, nor any shorter ending.
    stars: HashMap<(usize, usize), usize>,
}

impl Tried {
    fn number(&mut self, text: &str) -> usize {
        let next = self.texts.len();
        *self.texts.entry(text.to_owned()).or_insert(next)
    }

    /// `matches`, once for each pair of endings, and with enough stack for patterns of many stars.
    fn ask(&mut self, text: usize, pattern: &str, name: &str) -> Result<bool, BadPattern> {
        let pair = (text, pattern.len(), name.len());
        if let Some(known) = self.results.get(&pair) {
            return *known;
        }
        let result = guarded(|| self.matches(text, pattern, name));
        self.results.insert(pair, result);
        result
    }

    fn matches(&mut self, text: usize, pattern: &str, name: &str) -> Result<bool, BadPattern> {
        let (mut pattern, mut name) = (pattern, name);
        loop {
            let (Some(wanted), Some(found)) = (pattern.chars().next(), name.chars().next()) else {
                return Ok(name.is_empty() && matches!(pattern, "" | "*" | "**"));
            };
            let after = &pattern[wanted.len_utf8()..];
            match wanted {
                '*' => return Ok(self.matches_rest(text, after, name)),
                '{' => return self.matches_alternative(after, name),
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

    /// Matches the rest behind a `*` against every ending of the name. A malformed rest matches nothing.
    fn matches_rest(&mut self, text: usize, rest: &str, name: &str) -> bool {
        let star = (text, rest.len());
        let refused = self.stars.get(&star).copied().unwrap_or_default();
        let open = name.char_indices().take_while(|(at, _)| name.len() - at > refused);
        let mut ends = open.map(|(at, _)| &name[at..]);
        if rest.is_empty() || ends.any(|it| self.ask(text, rest, it) == Ok(true)) {
            return true;
        }
        self.stars.insert(star, refused.max(name.len()));
        false
    }

    /// Matches the alternatives behind a `{`, each followed by the rest of the pattern.
    fn matches_alternative(&mut self, after: &str, name: &str) -> Result<bool, BadPattern> {
        let end = find_unescaped(after, '}').ok_or(BadPattern)?;
        let (mut alternatives, rest) = (Some(&after[..end]), &after[end + 1..]);
        while let Some(choices) = alternatives {
            let comma = find_unescaped(choices, ',');
            let first = comma.map_or(choices, |it| &choices[..it]);
            let pattern = format!("{first}{rest}");
            let text = self.number(&pattern);
            if self.ask(text, &pattern, name)? {
                return Ok(true);
            }
            alternatives = comma.map(|it| &choices[it + 1..]);
        }
        Ok(false)
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

// Patterns of `fileset` as OpenTofu's newer glob library reads them: alternatives nest and may contain
// slashes, `!` negates a class as well, and a malformed pattern is always an error.

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

/// Whether a name matches_path a part of a pattern without alternatives.
pub fn matches_path(pattern: &str, name: &str) -> bool {
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

/// The length of the pattern's next step, if it matches_path the character.
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
