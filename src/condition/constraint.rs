//! Sets of values in the terms that JSON Schema has.

use crate::value::{Number, Value};

/// A set of values at one place. As in JSON Schema, a constraint on one kind of value holds for
/// every value of another kind: a pattern says nothing about numbers. Null is told apart by
/// [`Region`](super::Region).
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    Anything,
    Nothing,
    /// The value is one of these, in the order in which they were written.
    OneOf(Vec<Value>),
    /// A string in which the ECMA-262 regular expression (with the `u` flag) finds a match.
    Matches(String),
    /// A number between limits.
    Range(Range),
    /// How long a value is; both ends included.
    Length(Measure, Length),
    Not(Box<Constraint>),
    /// Every one of at least two.
    All(Vec<Constraint>),
    /// At least one of at least two.
    Either(Vec<Constraint>),
}

/// Limits of a number; either may be open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Range {
    pub lower: Option<Limit>,
    pub upper: Option<Limit>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    pub value: Number,
    pub inclusive: bool,
}

/// What a length counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Of a string: grapheme clusters, in canonical strings the same as code points.
    Characters,
    /// Of a list, set or tuple.
    Items,
    /// Of a map or object.
    Properties,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    pub min: Option<u64>,
    pub max: Option<u64>,
}

impl Constraint {
    /// The intersection, without what says nothing.
    pub fn all(parts: impl IntoIterator<Item = Constraint>) -> Constraint {
        let mut out: Vec<Constraint> = Vec::new();
        for part in parts {
            match part {
                Constraint::Anything => (),
                Constraint::Nothing => return Constraint::Nothing,
                Constraint::All(inner) => {
                    for it in inner {
                        add_part(&mut out, it);
                    }
                }
                other => add_part(&mut out, other),
            }
        }
        single_or(out, Constraint::Anything, Constraint::All)
    }

    /// The union, with all enumerations in one.
    pub fn either(parts: impl IntoIterator<Item = Constraint>) -> Constraint {
        let mut out: Vec<Constraint> = Vec::new();
        for part in parts {
            match part {
                Constraint::Anything => return Constraint::Anything,
                Constraint::Nothing => (),
                Constraint::Either(inner) => {
                    for it in inner {
                        add_alternative(&mut out, it);
                    }
                }
                other => add_alternative(&mut out, other),
            }
        }
        if out.len() > 1 {
            // Whether null is in is the region's to say; alone it is no alternative of its own.
            out.retain(|it| !it.is_only_null());
        }
        single_or(out, Constraint::Nothing, Constraint::Either)
    }

    /// The complement. Only ever for a constraint that is exact: the complement of a set that is
    /// too large is too small.
    pub fn negated(self) -> Constraint {
        match self {
            Constraint::Anything => Constraint::Nothing,
            Constraint::Nothing => Constraint::Anything,
            Constraint::Not(inner) => *inner,
            other => Constraint::Not(Box::new(other)),
        }
    }

    /// Whether a JSON Schema validator would let null through.
    pub fn accepts_null(&self) -> bool {
        match self {
            Constraint::Nothing => false,
            Constraint::OneOf(values) => values.iter().any(Value::is_null),
            Constraint::Anything
            | Constraint::Matches(_)
            | Constraint::Range(_)
            | Constraint::Length(..) => true,
            Constraint::Not(inner) => !inner.accepts_null(),
            Constraint::All(parts) => parts.iter().all(Constraint::accepts_null),
            Constraint::Either(parts) => parts.iter().any(Constraint::accepts_null),
        }
    }

    /// The same set and null.
    pub fn with_null(self) -> Constraint {
        if self.accepts_null() {
            return self;
        }
        let null = || Value::null(crate::value::Type::Dynamic);
        match self {
            Constraint::OneOf(mut values) => {
                values.push(null());
                Constraint::OneOf(values)
            }
            Constraint::All(parts) => {
                Constraint::All(parts.into_iter().map(Constraint::with_null).collect())
            }
            Constraint::Nothing => Constraint::OneOf(vec![null()]),
            other => Constraint::Either(vec![Constraint::OneOf(vec![null()]), other]),
        }
    }

    fn is_only_null(&self) -> bool {
        matches!(self, Constraint::OneOf(values) if values.iter().all(Value::is_null))
    }
}

fn single_or(
    mut parts: Vec<Constraint>,
    none: Constraint,
    many: fn(Vec<Constraint>) -> Constraint,
) -> Constraint {
    match parts.len() {
        0 => none,
        1 => parts.swap_remove(0),
        _ => many(parts),
    }
}

/// Adds a conjunct; two forbidden enumerations become one.
fn add_part(parts: &mut Vec<Constraint>, new: Constraint) {
    if parts.contains(&new) {
        return;
    }
    let Constraint::Not(inner) = &new else { return parts.push(new) };
    let Constraint::OneOf(values) = inner.as_ref() else { return parts.push(new) };
    for part in parts.iter_mut() {
        if let Constraint::Not(other) = part
            && let Constraint::OneOf(others) = other.as_mut()
        {
            return add_values(others, values);
        }
    }
    parts.push(new);
}

/// Adds a disjunct; two enumerations become one.
fn add_alternative(parts: &mut Vec<Constraint>, new: Constraint) {
    if parts.contains(&new) {
        return;
    }
    let Constraint::OneOf(values) = &new else { return parts.push(new) };
    for part in parts.iter_mut() {
        if let Constraint::OneOf(others) = part {
            return add_values(others, values);
        }
    }
    parts.push(new);
}

fn add_values(values: &mut Vec<Value>, new: &[Value]) {
    for value in new {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
}
