//! Addresses as in `-target`, with `*` for any text.

use smol_str::SmolStr;

/// An address as in `-target`: `module.net` covers everything in the module, `aws_instance.*` all instances of
/// a type.
///
/// ```
/// use module::AddressPattern;
///
/// let pattern = AddressPattern("module.net".into());
/// assert!(pattern.covers("module.net[0].aws_vpc.main"));
/// assert!(!pattern.covers("module.network"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressPattern(pub SmolStr);

impl AddressPattern {
    /// Whether the pattern covers an object: `module.net` covers everything in the module and all its
    /// instances.
    pub fn covers(&self, address: &str) -> bool {
        if !self.0.contains('*') {
            let rest = address.strip_prefix(self.0.as_str());
            return rest.is_some_and(|it| it.is_empty() || it.starts_with(['.', '[']));
        }
        ends(address).any(|end| matches_glob(&self.0, &address[..end]))
    }
}

/// Where a part of an address ends: before a dot or a bracket outside of keys, and at the end.
fn ends(address: &str) -> impl Iterator<Item = usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let inside = address.char_indices().filter_map(move |(at, it)| {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
            return None;
        }
        is_quoted = it == '"';
        matches!(it, '.' | '[').then_some(at)
    });
    inside.chain([address.len()])
}

/// Whether a text matches a pattern in which each `*` matches any text.
pub fn matches_glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}
