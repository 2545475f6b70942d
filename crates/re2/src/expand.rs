//! The template of a replacement.

use super::{regex::Groups, sets};

/// Appends the template to `result` with its references replaced by what the groups matched.
/// A reference to a group that does not exist or took no part is replaced by nothing.
pub(super) fn expand(
    template: &str,
    text: &str,
    groups: &Groups,
    names: &[Option<String>],
    result: &mut String,
) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        result.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            result.push('$');
            rest = after;
            continue;
        }
        let Some((name, after)) = reference(rest) else {
            result.push('$');
            continue;
        };
        rest = after;
        let group = match number(name) {
            Some(index) => groups.get(index).cloned().flatten(),
            None => named(name, groups, names),
        };
        result.push_str(group.and_then(|it| text.get(it)).unwrap_or_default());
    }
    result.push_str(rest);
}

/// The first group of that name that took part.
fn named(name: &str, groups: &Groups, names: &[Option<String>]) -> Option<std::ops::Range<usize>> {
    let same = |it: &Option<String>| it.as_deref() == Some(name);
    let mut candidates = names.iter().zip(groups).filter(|(it, _)| same(it));
    candidates.find_map(|(_, group)| group.clone())
}

/// The name after a dollar sign, as long as possible, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let inside = braced.unwrap_or(text);
    let length =
        inside.find(|it| it != '_' && !sets::is_letter_or_digit(it)).unwrap_or(inside.len());
    let (name, after) = inside.split_at(length);
    if name.is_empty() {
        return None;
    }
    let after = if braced.is_some() { after.strip_prefix('}')? } else { after };
    Some((name, after))
}

/// A group's number; with a leading zero or too many digits it is a name.
fn number(name: &str) -> Option<usize> {
    let leading_zero = name.len() > 1 && name.starts_with('0');
    if leading_zero || name.len() > 9 || !name.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    name.parse().ok()
}
