//! Matches names against a pattern, with the peculiarities of Terraform's glob library: braces do not
//! nest, only `^` negates a class, `]` ends a class in any position.

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
