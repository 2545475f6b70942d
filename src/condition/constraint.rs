//! Sets of values in the terms that JSON Schema has.

use smol_str::SmolStr;

use super::simplify;
use crate::value::{Number, Value};

/// A set of values at one place. As in JSON Schema, a constraint on one kind of value holds for
/// every value of another kind: a pattern says nothing about numbers. Null is told apart by
/// [`Region`](super::Region).
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    Anything,
    Nothing,
    /// Values of one JSON kind; said only where a value can be of any type.
    Kind(Kind),
    /// The value is one of these, in the order in which they were written.
    OneOf(Vec<Value>),
    /// A string in which the ECMA-262 regular expression (with the `u` flag) finds a match.
    Matches(String),
    /// A number between limits.
    Range(Range),
    /// How long a value is; both ends included.
    Length(Measure, Length),
    /// A number that this integer divides.
    MultipleOf(u64),
    /// A member of an object or map. Where it is absent, only `required` speaks.
    Member {
        name: SmolStr,
        required: bool,
        values: Box<Constraint>,
    },
    /// An element of an array, by its index; as `Member`.
    Place {
        index: usize,
        required: bool,
        values: Box<Constraint>,
    },
    /// Every element of an array.
    Items(Box<Constraint>),
    /// At least one element of an array.
    SomeItem(Box<Constraint>),
    /// So many elements of an array; both ends included. Only a schema that can count says it.
    Count(Length, Box<Constraint>),
    /// No two elements of an array are equal.
    Unique,
    /// Every value of a map.
    Values(Box<Constraint>),
    /// Every key of a map.
    Keys(Box<Constraint>),
    /// Every value of a map whose key is not one of these.
    ValuesBeside(Vec<SmolStr>, Box<Constraint>),
    /// Every value of a map in whose key the pattern finds a match.
    ValuesMatching(String, Box<Constraint>),
    Not(Box<Constraint>),
    /// Every one of at least two.
    All(Vec<Constraint>),
    /// At least one of at least two.
    Either(Vec<Constraint>),
}

/// The JSON kinds of values other than null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Number,
    String,
    Array,
    Object,
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
        if !simplify::conjuncts(&mut out) {
            return Constraint::Nothing;
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
        simplify::alternatives(&mut out);
        let everything =
            |it: &Constraint| it.is_everything() || out.iter().any(|other| it.completes(other));
        if out.iter().any(everything) {
            return Constraint::Anything;
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

    /// Whether a member is asked for in vain, after it was merged with another.
    fn is_everything(&self) -> bool {
        match self {
            Constraint::Member { required: false, values, .. } => **values == Constraint::Anything,
            _ => false,
        }
    }

    /// Whether each value is in one of the two.
    fn completes(&self, other: &Constraint) -> bool {
        match (self, other) {
            (Constraint::Not(inner), other) if **inner == *other => true,
            (Constraint::Not(inner), Constraint::OneOf(values)) => {
                matches!(&**inner, Constraint::OneOf(few) if few.iter().all(|it| values.contains(it)))
            }
            (Constraint::Length(measure, low), Constraint::Length(same, high)) => {
                let gap = |max: u64, min: u64| min > max.saturating_add(1);
                measure == same
                    && low.min.is_none()
                    && high.max.is_none()
                    && low.max.zip(high.min).is_none_or(|(max, min)| !gap(max, min))
            }
            (Constraint::Range(low), Constraint::Range(high)) => {
                let meet = |upper: &Limit, lower: &Limit| {
                    let order = upper.value.compare(&lower.value);
                    order.is_gt() || order.is_eq() && (upper.inclusive || lower.inclusive)
                };
                low.lower.is_none()
                    && high.upper.is_none()
                    && low.upper.as_ref().zip(high.lower.as_ref()).is_none_or(|(a, b)| meet(a, b))
            }
            _ => false,
        }
    }

    /// Whether it asks something of the member of that name.
    pub fn names_member(&self, member: &str) -> bool {
        match self {
            Constraint::Member { name, .. } => name == member,
            Constraint::Not(inner) => inner.names_member(member),
            Constraint::All(parts) | Constraint::Either(parts) => {
                parts.iter().any(|it| it.names_member(member))
            }
            _ => false,
        }
    }

    /// Whether a JSON Schema validator would let null through.
    pub fn accepts_null(&self) -> bool {
        match self {
            Constraint::Nothing | Constraint::Kind(_) => false,
            Constraint::OneOf(values) => values.iter().any(Value::is_null),
            Constraint::Anything
            | Constraint::Matches(_)
            | Constraint::Range(_)
            | Constraint::Length(..)
            | Constraint::MultipleOf(_)
            | Constraint::Member { .. }
            | Constraint::Place { .. }
            | Constraint::Items(_)
            | Constraint::SomeItem(_)
            | Constraint::Count(..)
            | Constraint::Unique
            | Constraint::Values(_)
            | Constraint::Keys(_)
            | Constraint::ValuesBeside(..)
            | Constraint::ValuesMatching(..) => true,
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

    /// What it says of values beside null, without a word about null.
    pub fn without_null(self) -> Constraint {
        match self {
            Constraint::OneOf(values) if values.iter().all(Value::is_null) => Constraint::Nothing,
            Constraint::OneOf(mut values) => {
                values.retain(|it| !it.is_null());
                Constraint::OneOf(values)
            }
            Constraint::All(parts) => {
                Constraint::all(parts.into_iter().map(Constraint::without_null))
            }
            Constraint::Either(parts) => {
                Constraint::either(parts.into_iter().map(Constraint::without_null))
            }
            other => other,
        }
    }

    /// A member; without what says nothing.
    pub fn member(name: SmolStr, required: bool, values: Constraint) -> Constraint {
        match (required, &values) {
            (false, Constraint::Anything) => Constraint::Anything,
            (true, Constraint::Nothing) => Constraint::Nothing,
            _ => Constraint::Member { name, required, values: Box::new(values) },
        }
    }

    /// The element at an index; without what says nothing.
    pub fn place(index: usize, required: bool, values: Constraint) -> Constraint {
        match (required, &values) {
            (false, Constraint::Anything) => Constraint::Anything,
            (true, Constraint::Nothing) => Constraint::Nothing,
            _ => Constraint::Place { index, required, values: Box::new(values) },
        }
    }

    /// Every element, without what says nothing.
    pub fn every(kind: fn(Box<Constraint>) -> Constraint, element: Constraint) -> Constraint {
        match element {
            Constraint::Anything => Constraint::Anything,
            other => kind(Box::new(other)),
        }
    }

    /// Whether nothing but null is in.
    pub fn is_only_null(&self) -> bool {
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
    if let Constraint::Member { name, required, values } = &new {
        for part in parts.iter_mut() {
            if let Constraint::Member { name: other, required: needed, values: old } = part
                && other == name
            {
                *needed |= required;
                **old = Constraint::all([(**old).clone(), (**values).clone()]);
                return;
            }
        }
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
    if let Constraint::Member { name, required, values } = &new {
        for part in parts.iter_mut() {
            if let Constraint::Member { name: other, required: needed, values: old } = part
                && other == name
            {
                *needed &= required;
                let null = old.accepts_null() || values.accepts_null();
                let both = Constraint::either([(**old).clone(), (**values).clone()]);
                **old = if null { both.with_null() } else { both };
                return;
            }
        }
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
