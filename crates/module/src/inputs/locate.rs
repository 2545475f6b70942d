//! Finds the place in the source for a path inside a value.

use super::{GivenValue, given};
use diagnostics::Span;
use hcl::{
    Expr, ExprKind, ObjectItem, ObjectKey,
    json::{JsonValue as Json, ValueKind},
};
use tf_value::{Number, Path, Step, nfc};

/// Where a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The value, or the nearest one around it that is written out.
    pub value: Span,
    /// Its key, where it is a member of an object or a map.
    pub key: Option<Span>,
    /// Whether the whole path was found.
    pub is_exact: bool,
}

/// Where the value at `path` is written. If the source does not show it (a `for` expression, a set's
/// element, a default that was filled in), the nearest value around it.
pub fn locate(given: &GivenValue, path: &Path) -> SourceLocation {
    let mut place = SourceLocation { value: given.span(), key: None, is_exact: true };
    match given {
        GivenValue::Example { given, .. } => return locate(given, path),
        GivenValue::Expr(expr) => in_expr(expr, &path.0, &mut place),
        GivenValue::Argument(expr) => in_expr(expr, &path.0, &mut place),
        GivenValue::Json(json) | GivenValue::Sealed(json) => in_json(json, &path.0, &mut place),
        GivenValue::Text { text, span } => match given::parse(text, *span) {
            (expr, problems) if problems.is_empty() => in_expr(&expr, &path.0, &mut place),
            _ => place.is_exact = path.is_empty(),
        },
    }
    place
}

fn in_json(json: &Json, steps: &[Step], place: &mut SourceLocation) {
    descend(json, steps, place, |at, step| match &at.kind {
        ValueKind::Object(members) => {
            let name = key(step)?;
            let found = members.iter().rfind(|it| nfc(&it.key) == name)?;
            Some((&found.value, found.value.span, Some(found.key_span)))
        }
        ValueKind::Array(elements) => {
            let element = elements.get(index(step)?)?;
            Some((element, element.span, None))
        }
        _ => None,
    });
}

fn in_expr(expr: &Expr, steps: &[Step], place: &mut SourceLocation) {
    descend(expr, steps, place, |at, step| match &at.bare().kind {
        ExprKind::Object(items) => {
            let name = key(step)?;
            let found = items.iter().rfind(|it| has_key(it, name))?;
            Some((&found.value, found.value.span, Some(key_span(found))))
        }
        ExprKind::Tuple(elements) => {
            let element = elements.get(index(step)?)?;
            Some((element, element.span, None))
        }
        _ => None,
    });
}

/// A part of what was written, its place, and the place of its key.
type Part<'n, N> = (&'n N, Span, Option<Span>);

/// Goes down until `part` does not find the next step.
fn descend<'n, N>(
    root: &'n N,
    steps: &[Step],
    place: &mut SourceLocation,
    part: impl Fn(&'n N, &Step) -> Option<Part<'n, N>>,
) {
    let mut at = root;
    for step in steps {
        let Some((next, value, key)) = part(at, step) else {
            place.is_exact = false;
            return;
        };
        (place.value, place.key) = (value, key);
        at = next;
    }
}

fn has_key(item: &ObjectItem, key: &str) -> bool {
    match &item.key {
        ObjectKey::Name(it) => nfc(&it.name) == key,
        ObjectKey::Expr(it) | ObjectKey::Template(it) => match &it.bare().kind {
            ExprKind::String(it) | ExprKind::Number(it) => it == key,
            _ => false,
        },
    }
}

fn key_span(item: &ObjectItem) -> Span {
    match &item.key {
        ObjectKey::Name(it) => it.span,
        ObjectKey::Expr(it) | ObjectKey::Template(it) => it.span,
    }
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Attribute(name) => Some(name),
        Step::Index(it) => it.as_str(),
    }
}

fn index(step: &Step) -> Option<usize> {
    match step {
        Step::Attribute(_) => None,
        Step::Index(it) => it.as_number().and_then(whole),
    }
}

fn whole(number: &Number) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
