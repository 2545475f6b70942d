//! Values as words name them.

use smol_str::SmolStr;

use super::display::VALUES;
use hcl::is_identifier;
use tf_value::{Type, Value, ValueContent, quoted};

/// How deep a value is shown; what is deeper is `[…]` or `{…}`.
const DEPTH: usize = 2;

/// `"a"`, or `one of "a", "b"`.
pub(super) fn one_of(values: &[Value], ty: &Type) -> String {
    match values {
        [] => "nothing".to_owned(),
        [one] => named(one, ty),
        _ => format!("one of {}", listed(values, ty)),
    }
}

/// `"a", "b"`.
pub(super) fn listed(values: &[Value], ty: &Type) -> String {
    each(values, |it| named(it, ty)).join(", ")
}

/// The first of them, and whether there are more.
fn each<T>(all: impl IntoIterator<Item = T>, show: impl Fn(T) -> String) -> Vec<String> {
    let mut all = all.into_iter();
    let mut out: Vec<String> = all.by_ref().take(VALUES).map(show).collect();
    if all.next().is_some() {
        out.push("…".to_owned());
    }
    out
}

/// A value of the type. A value without elements is written in words, since people overlook a sign such as `[]`.
fn named(value: &Value, ty: &Type) -> String {
    let empty = match (value.content(), ty) {
        (ValueContent::Sequence(it), _) if !it.is_empty() => None,
        (ValueContent::Mapping(it), _) if !it.is_empty() => None,
        (ValueContent::Sequence(_), Type::Set(_)) => Some("an empty set"),
        (ValueContent::Sequence(_), _) => Some("an empty list"),
        (ValueContent::Mapping(_), Type::Map(_)) => Some("an empty map"),
        (ValueContent::Mapping(_), _) => Some("an empty object"),
        _ => None,
    };
    empty.map_or_else(|| literal(value, DEPTH), str::to_owned)
}

fn literal(value: &Value, depth: usize) -> String {
    match value.content() {
        ValueContent::Null => "null".to_owned(),
        ValueContent::Bool(it) => it.to_string(),
        ValueContent::Number(it) => it.to_literal(),
        ValueContent::String(it) => quoted(it),
        ValueContent::Sequence(it) if it.is_empty() => "[]".to_owned(),
        ValueContent::Mapping(it) if it.is_empty() => "{}".to_owned(),
        ValueContent::Sequence(_) if depth == 0 => "[…]".to_owned(),
        ValueContent::Mapping(_) if depth == 0 => "{…}".to_owned(),
        ValueContent::Sequence(it) => {
            format!("[{}]", each(it.iter(), |inner| literal(inner, depth - 1)).join(", "))
        }
        ValueContent::Mapping(it) => {
            let member = |(key, value): (&SmolStr, &Value)| {
                let key = if is_identifier(key) { key.to_string() } else { quoted(key) };
                format!("{key} = {}", literal(value, depth - 1))
            };
            format!("{{ {} }}", each(it.iter(), member).join(", "))
        }
        ValueContent::Unknown(_) => "…".to_owned(),
    }
}
