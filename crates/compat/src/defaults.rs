//! Compares defaults, and those of optional attributes.

use stack::guarded;
use tf_value::{Type, Value, typeexpr::Defaults};

/// Whether a user sees no difference between two defaults.
pub fn same_default(one: &Value, other: &Value) -> bool {
    let text = |it: &Value| tf_value::typeexpr::value_source(&it.clone().unmark_deep().0);
    one == other || one.is_wholly_known() && other.is_wholly_known() && text(one) == text(other)
}

/// The paths of optional attributes with a new default, and of those with another one.
#[derive(Default)]
pub struct Nested {
    pub gained: Vec<String>,
    pub changed: Vec<String>,
}

/// Compares the defaults of attributes that both types have.
pub fn nested(
    was: Option<&Defaults>,
    is: Option<&Defaults>,
    was_type: &Type,
    is_type: &Type,
    path: &str,
    out: &mut Nested,
) {
    guarded(|| match (was_type, is_type) {
        (Type::Object(before), Type::Object(after)) => {
            for (name, was_type) in &before.attributes {
                let Some(is_type) = after.attributes.get(name) else { continue };
                let path = format!("{path}.{name}");
                let default = |defaults: Option<&Defaults>| {
                    defaults.and_then(|it| it.values.get(name)).cloned()
                };
                match (default(was), default(is)) {
                    (None, Some(it)) if before.optional.contains(name) && !it.is_null() => {
                        out.gained.push(path.clone());
                    }
                    (Some(one), Some(other)) if !same_default(&one, &other) => {
                        out.changed.push(path.clone());
                    }
                    (Some(_), None) => out.changed.push(path.clone()),
                    _ => (),
                }
                let child = |defaults: Option<&Defaults>| {
                    defaults.and_then(|it| it.children.get(name)).cloned()
                };
                nested(child(was).as_ref(), child(is).as_ref(), was_type, is_type, &path, out);
            }
        }
        (before, after) => {
            if let (Some(before), Some(after)) = (before.element(), after.element()) {
                let child = |defaults: Option<&Defaults>| {
                    defaults.and_then(|it| it.children.get("")).cloned()
                };
                let path = format!("{path}[*]");
                nested(child(was).as_ref(), child(is).as_ref(), before, after, &path, out);
            }
        }
    });
}

/// The value with null at a path of attributes and `[*]`.
pub fn with_null(value: &Value, path: &str) -> Option<Value> {
    if path.is_empty() {
        return Some(Value::null(Type::Dynamic));
    }
    if let Some(rest) = path.strip_prefix("[*]") {
        if let Some(elements) = value.as_sequence() {
            let first = with_null(elements.first()?, rest)?;
            return Some(Value::tuple(vec![first]));
        }
        let (key, first) = value.as_mapping()?.iter().next()?;
        return Some(Value::object([(key.clone(), with_null(first, rest)?)].into()));
    }
    let path = path.strip_prefix('.')?;
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (name, rest) = path.split_at(end);
    let mut members = value.as_mapping()?.clone();
    let inner = match members.get(name) {
        Some(it) => with_null(it, rest)?,
        None if rest.is_empty() => Value::null(Type::Dynamic),
        None => return None,
    };
    members.insert(name.into(), inner);
    Some(Value::object(members))
}
