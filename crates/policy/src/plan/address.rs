//! The parts of an object's address, for plans that were written by hand and leave out what the address says.

use super::PlanJson;

/// `module.net["a"].aws_subnet.b[0]`, in its parts.
pub(super) struct Address<'a> {
    /// The module's instance; empty for the root.
    pub module: &'a str,
    pub name: &'a str,
    /// The instance's key; null if there is none.
    pub index: PlanJson,
}

/// Reads an address; `None` if it is not one of a resource or a data source.
pub(super) fn parse(address: &str) -> Option<Address<'_>> {
    let parts = parts(address);
    let mut rest = parts.as_slice();
    while let [(_, "module"), _, behind @ ..] = rest {
        rest = behind;
    }
    let module = rest.first().and_then(|it| address[..it.0].strip_suffix('.')).unwrap_or_default();
    let [_, (_, last)] = rest.strip_prefix(&[(rest.first()?.0, "data")]).unwrap_or(rest) else {
        return None;
    };
    let (name, key) = last.split_at(last.find('[').unwrap_or(last.len()));
    let key = key.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let index = key.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
    Some(Address { module, name, index })
}

/// The texts between the dots that are outside of keys, each with its place.
fn parts(address: &str) -> Vec<(usize, &str)> {
    let (mut found, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, it) in address.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
            continue;
        }
        is_quoted = it == '"';
        if it == '.' {
            found.push((start, &address[start..at]));
            start = at + 1;
        }
    }
    found.push((start, &address[start..]));
    found
}
