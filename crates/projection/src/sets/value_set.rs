//! Sets of values in the terms of JSON Schema.

use std::collections::BTreeMap;

use smol_str::SmolStr;
use stack::guarded;
use tf_value::{Number, Type, Value, ValueContent};

use super::{alternatives, simplify};

/// A set of values at one place. As in JSON Schema, a constraint on one kind of value holds for every value of
/// another kind: a pattern says nothing about numbers. A [`Region`](super::Region) says whether null is in.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueSet {
    Anything,
    Nothing,
    /// Values of one JSON kind; used only where a value can be of any type.
    Kind(Kind),
    /// The value is one of these, in the order in which they were written.
    OneOf(Vec<Value>),
    /// A string in which the ECMA-262 regular expression (with the `u` flag) finds a match.
    Matches(String),
    /// A number between limits.
    Range(NumberRange),
    /// How long a value is; both ends included.
    Length(Measure, Length),
    /// A number that this integer divides.
    MultipleOf(u64),
    /// A member of an object or map. If it is absent, only `required` counts.
    Member {
        name: SmolStr,
        required: bool,
        values: Box<ValueSet>,
    },
    /// An element of an array, by its index; as `Member`.
    Place {
        index: usize,
        required: bool,
        values: Box<ValueSet>,
    },
    /// Every element of an array.
    Items(Box<ValueSet>),
    /// Every element of an array from this index on.
    ItemsFrom(usize, Box<ValueSet>),
    /// At least one element of an array.
    SomeItem(Box<ValueSet>),
    /// So many elements of an array are in the set; both ends included. Only a schema that can count says this.
    Count(Length, Box<ValueSet>),
    /// No two elements of an array are equal.
    Unique,
    /// Every value of a map.
    Values(Box<ValueSet>),
    /// Every key of a map.
    Keys(Box<ValueSet>),
    /// Every value of a map whose key is not one of these.
    ValuesBeside(Vec<SmolStr>, Box<ValueSet>),
    /// Every value of a map in whose key the pattern finds a match.
    ValuesMatching(String, Box<ValueSet>),
    Not(Box<ValueSet>),
    /// Every one of at least two.
    All(Vec<ValueSet>),
    /// At least one of at least two.
    Either(Vec<ValueSet>),
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
pub struct NumberRange {
    pub lower: Option<Limit>,
    pub upper: Option<Limit>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    pub value: Number,
    pub inclusive: bool,
}

/// The things that a length counts.
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

impl ValueSet {
    /// The intersection, without parts that restrict nothing.
    pub fn all(parts: impl IntoIterator<Item = ValueSet>) -> ValueSet {
        let mut out = alternatives::Parts::default();
        for part in parts {
            match part {
                ValueSet::Anything => (),
                ValueSet::Nothing => return ValueSet::Nothing,
                ValueSet::All(inner) => inner.into_iter().for_each(|it| out.conjunct(it)),
                other => out.conjunct(other),
            }
        }
        let mut out = out.list;
        if !simplify::conjuncts(&mut out) {
            return ValueSet::Nothing;
        }
        simplify::not_null(&mut out);
        simplify::drop_wider_choices(&mut out);
        simplify::drop_wider_lengths(&mut out);
        single_or(out, ValueSet::Anything, ValueSet::All)
    }

    /// The union, with all enumerations in one.
    pub fn either(parts: impl IntoIterator<Item = ValueSet>) -> ValueSet {
        let mut out = alternatives::Parts::default();
        for part in parts {
            match part {
                ValueSet::Anything => return ValueSet::Anything,
                ValueSet::Nothing => (),
                ValueSet::Either(inner) => inner.into_iter().for_each(|it| out.alternative(it)),
                other => out.alternative(other),
            }
        }
        let mut out = out.list;
        simplify::alternatives(&mut out);
        if simplify::is_everything(&out) {
            return ValueSet::Anything;
        }
        if out.len() > 1 {
            // A region says whether null is in; null alone is not an alternative.
            out.retain(|it| !it.is_only_null());
        }
        single_or(out, ValueSet::Nothing, ValueSet::Either)
    }

    /// The complement. Only ever for a constraint that is exact: the complement of a set that is
    /// too large is too small.
    pub fn negated(self) -> ValueSet {
        match self {
            ValueSet::Anything => ValueSet::Nothing,
            ValueSet::Nothing => ValueSet::Anything,
            ValueSet::Not(inner) => *inner,
            other => ValueSet::Not(Box::new(other)),
        }
    }

    /// Whether a member restricts nothing, after it was merged with another.
    pub(super) fn is_everything(&self) -> bool {
        match self {
            ValueSet::Member { required: false, values, .. } => **values == ValueSet::Anything,
            _ => false,
        }
    }

    /// Whether each value is in one of the two.
    pub(super) fn completes(&self, other: &ValueSet) -> bool {
        match (self, other) {
            (ValueSet::Not(inner), other) if **inner == *other => true,
            (ValueSet::Not(inner), ValueSet::OneOf(values)) => {
                matches!(&**inner, ValueSet::OneOf(few) if few.iter().all(|it| values.contains(it)))
            }
            (ValueSet::Length(measure, low), ValueSet::Length(same, high)) => {
                let gap = |max: u64, min: u64| min > max.saturating_add(1);
                measure == same
                    && low.min.is_none()
                    && high.max.is_none()
                    && low.max.zip(high.min).is_none_or(|(max, min)| !gap(max, min))
            }
            (ValueSet::Range(low), ValueSet::Range(high)) => {
                let meet = |upper: &Limit, lower: &Limit| {
                    let order = upper.value.compare(&lower.value);
                    order.is_gt() || order.is_eq() && (upper.inclusive || lower.inclusive)
                };
                low.lower.is_none()
                    && high.upper.is_none()
                    && low.upper.as_ref().zip(high.lower.as_ref()).is_none_or(|(a, b)| meet(a, b))
            }
            _ => simplify::is_other_member(self, other),
        }
    }

    /// Whether it constrains the member of that name.
    pub fn names_member(&self, member: &str) -> bool {
        match self {
            ValueSet::Member { name, .. } => name == member,
            ValueSet::Not(inner) => inner.names_member(member),
            ValueSet::All(parts) | ValueSet::Either(parts) => {
                parts.iter().any(|it| it.names_member(member))
            }
            _ => false,
        }
    }

    /// Whether a JSON Schema validator would let null through.
    pub fn accepts_null(&self) -> bool {
        match self {
            ValueSet::Nothing | ValueSet::Kind(_) => false,
            ValueSet::OneOf(values) => values.iter().any(Value::is_null),
            ValueSet::Anything
            | ValueSet::Matches(_)
            | ValueSet::Range(_)
            | ValueSet::Length(..)
            | ValueSet::MultipleOf(_)
            | ValueSet::Member { .. }
            | ValueSet::Place { .. }
            | ValueSet::Items(_)
            | ValueSet::ItemsFrom(..)
            | ValueSet::SomeItem(_)
            | ValueSet::Count(..)
            | ValueSet::Unique
            | ValueSet::Values(_)
            | ValueSet::Keys(_)
            | ValueSet::ValuesBeside(..)
            | ValueSet::ValuesMatching(..) => true,
            ValueSet::Not(inner) => !inner.accepts_null(),
            ValueSet::All(parts) => parts.iter().all(ValueSet::accepts_null),
            ValueSet::Either(parts) => parts.iter().any(ValueSet::accepts_null),
        }
    }

    /// The same set and null.
    pub fn with_null(self) -> ValueSet {
        if self.accepts_null() {
            return self;
        }
        let null = || Value::null(tf_value::Type::Dynamic);
        match self {
            ValueSet::OneOf(mut values) => {
                values.push(null());
                ValueSet::OneOf(values)
            }
            ValueSet::All(parts) => {
                ValueSet::All(parts.into_iter().map(ValueSet::with_null).collect())
            }
            ValueSet::Nothing => ValueSet::OneOf(vec![null()]),
            other => ValueSet::Either(vec![ValueSet::OneOf(vec![null()]), other]),
        }
    }

    /// The same set of values other than null, and null where it is wanted.
    pub fn with_null_if(self, wanted: bool) -> ValueSet {
        match (wanted, self.accepts_null()) {
            (true, _) => self.with_null(),
            (false, true) => {
                let null = Value::null(tf_value::Type::Dynamic);
                ValueSet::all([self, ValueSet::OneOf(vec![null]).negated()])
            }
            (false, false) => self,
        }
    }

    /// The same set of values other than null.
    pub fn without_null(self) -> ValueSet {
        match self {
            ValueSet::OneOf(values) if values.iter().all(Value::is_null) => ValueSet::Nothing,
            ValueSet::OneOf(mut values) => {
                values.retain(|it| !it.is_null());
                ValueSet::OneOf(values)
            }
            ValueSet::All(parts) => ValueSet::all(parts.into_iter().map(ValueSet::without_null)),
            ValueSet::Either(parts) => {
                ValueSet::either(parts.into_iter().map(ValueSet::without_null))
            }
            other => other,
        }
    }

    /// A constraint on a member; `Anything` if it restricts nothing.
    pub fn member(name: SmolStr, required: bool, values: ValueSet) -> ValueSet {
        match (required, &values) {
            (false, ValueSet::Anything) => ValueSet::Anything,
            (true, ValueSet::Nothing) => ValueSet::Nothing,
            _ => ValueSet::Member { name, required, values: Box::new(values) },
        }
    }

    /// A constraint on the element at an index; `Anything` if it restricts nothing.
    pub fn place(index: usize, required: bool, values: ValueSet) -> ValueSet {
        match (required, &values) {
            (false, ValueSet::Anything) => ValueSet::Anything,
            (true, ValueSet::Nothing) => ValueSet::Nothing,
            _ => ValueSet::Place { index, required, values: Box::new(values) },
        }
    }

    /// A constraint on every element from an index on; if none is allowed, it is one on the length.
    pub fn items_from(index: usize, element: ValueSet) -> ValueSet {
        match element {
            ValueSet::Anything => ValueSet::Anything,
            ValueSet::Nothing => {
                let max = Some(index as u64);
                ValueSet::Length(Measure::Items, Length { min: None, max })
            }
            other if index == 0 => ValueSet::Items(Box::new(other)),
            other => ValueSet::ItemsFrom(index, Box::new(other)),
        }
    }

    /// A constraint on every element; `Anything` if it restricts nothing.
    pub fn every(kind: fn(Box<ValueSet>) -> ValueSet, element: ValueSet) -> ValueSet {
        match element {
            ValueSet::Anything => ValueSet::Anything,
            other => kind(Box::new(other)),
        }
    }

    /// Whether nothing but null is in.
    pub fn is_only_null(&self) -> bool {
        matches!(self, ValueSet::OneOf(values) if values.iter().all(Value::is_null))
    }
}

pub(super) fn single_or(
    mut parts: Vec<ValueSet>,
    none: ValueSet,
    many: fn(Vec<ValueSet>) -> ValueSet,
) -> ValueSet {
    match parts.len() {
        0 => none,
        1 => parts.swap_remove(0),
        _ => many(parts),
    }
}

// Whether a value is in a set: the default of an absent member, or a witness.

/// Whether the value is in the set; `None` if that is not known.
pub fn contains(constraint: &ValueSet, value: &Value) -> Option<bool> {
    guarded(|| match constraint {
        ValueSet::Anything => Some(true),
        ValueSet::Nothing => Some(false),
        ValueSet::Kind(kind) => Some(match value.content() {
            ValueContent::Bool(_) => *kind == Kind::Boolean,
            ValueContent::Number(_) => *kind == Kind::Number,
            ValueContent::String(_) => *kind == Kind::String,
            ValueContent::Sequence(_) => *kind == Kind::Array,
            ValueContent::Mapping(_) => *kind == Kind::Object,
            ValueContent::Null | ValueContent::Unknown(_) => return None,
        }),
        ValueSet::OneOf(values) => one_of(values, value),
        ValueSet::Matches(pattern) => match value.as_str() {
            Some(text) => matches(pattern, text),
            None => Some(true),
        },
        ValueSet::Range(range) => Some(value.as_number().is_none_or(|it| in_range(range, it))),
        ValueSet::Length(measure, length) => Some(fits(*measure, *length, value)),
        ValueSet::MultipleOf(divisor) => match value.as_number() {
            Some(number) if !number.is_integer() => Some(false),
            Some(number) => {
                let rest = number.modulo(&Number::from_u64(*divisor)).ok()?;
                Some(rest.is_zero())
            }
            None => Some(true),
        },
        ValueSet::Member { name, required, values } => {
            let Some(members) = value.as_mapping() else { return Some(true) };
            match members.get(name) {
                Some(member) if !member.is_null() => contains(values, member),
                // A key of a map is present even if its value is null. What a set says about nulls is in
                // another part.
                Some(_) if matches!(value.ty(), Type::Map(_)) => None,
                _ => Some(!required),
            }
        }
        ValueSet::Place { index, required, values } => {
            let Some(elements) = value.as_sequence() else { return Some(true) };
            elements.get(*index).map_or(Some(!required), |it| contains(values, it))
        }
        ValueSet::Items(_)
        | ValueSet::ItemsFrom(..)
        | ValueSet::SomeItem(_)
        | ValueSet::Count(..)
        | ValueSet::Unique => of_elements(constraint, value.as_sequence(), value),
        ValueSet::Values(_)
        | ValueSet::Keys(_)
        | ValueSet::ValuesBeside(..)
        | ValueSet::ValuesMatching(..) => of_members(constraint, value.as_mapping(), value),
        ValueSet::Not(inner) => contains(inner, value).map(|it| !it),
        ValueSet::All(parts) => all(parts.iter().map(|it| contains(it, value))),
        ValueSet::Either(parts) => some(parts.iter().map(|it| contains(it, value))),
    })
}

/// An unknown value may be of the kind that the set is about.
fn of_other_kind(value: &Value) -> Option<bool> {
    value.is_known().then_some(true)
}

fn of_elements(set: &ValueSet, elements: Option<&[Value]>, value: &Value) -> Option<bool> {
    let Some(elements) = elements else { return of_other_kind(value) };
    match set {
        ValueSet::Items(inner) => every(elements.iter(), inner),
        ValueSet::ItemsFrom(index, inner) => every(elements.iter().skip(*index), inner),
        ValueSet::SomeItem(inner) => some(elements.iter().map(|it| contains(inner, it))),
        ValueSet::Count(length, inner) => {
            let verdicts: Vec<_> = elements.iter().map(|it| contains(inner, it)).collect();
            let least = verdicts.iter().filter(|it| **it == Some(true)).count();
            let most = verdicts.iter().filter(|it| **it != Some(false)).count();
            let all = (least..=most).map(|it| length.has(it as u64)).collect::<Vec<_>>();
            all.iter().all(|it| *it == all[0]).then(|| all[0])
        }
        ValueSet::Unique => {
            let pairs = elements.iter().enumerate();
            let repeated =
                pairs.flat_map(|(at, it)| elements[..at].iter().map(move |other| same(other, it)));
            some(repeated).map(|it| !it)
        }
        _ => None,
    }
}

fn of_members(
    set: &ValueSet,
    members: Option<&BTreeMap<SmolStr, Value>>,
    value: &Value,
) -> Option<bool> {
    let Some(members) = members else { return of_other_kind(value) };
    match set {
        ValueSet::Values(inner) => every(members.values(), inner),
        ValueSet::Keys(inner) => {
            let keys: Vec<Value> = members.keys().map(Value::string).collect();
            every(keys.iter(), inner)
        }
        ValueSet::ValuesBeside(names, inner) => {
            every(members.iter().filter(|it| !names.contains(it.0)).map(|it| it.1), inner)
        }
        ValueSet::ValuesMatching(pattern, inner) => {
            all(members.iter().map(|(key, member)| match matches(pattern, key) {
                Some(false) => Some(true),
                Some(true) => contains(inner, member),
                None => contains(inner, member).filter(|it| *it),
            }))
        }
        _ => None,
    }
}

fn one_of(values: &[Value], value: &Value) -> Option<bool> {
    some(values.iter().map(|it| same(it, value)))
}

/// Whether two values are the same in JSON: their types do not matter, and a null attribute is the same as an
/// absent one.
fn same(left: &Value, right: &Value) -> Option<bool> {
    match (left.content(), right.content()) {
        (ValueContent::Unknown(_), _) | (_, ValueContent::Unknown(_)) => None,
        (ValueContent::Sequence(a), ValueContent::Sequence(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            // The elements of a set have no order.
            let is_set = |it: &Value| matches!(it.ty(), Type::Set(_));
            let verdict = guarded(|| all(a.iter().zip(b.iter()).map(|(a, b)| same(a, b))));
            let is_ordered = is_set(left) == is_set(right);
            verdict.filter(|it| *it || is_ordered)
        }
        (ValueContent::Mapping(a), ValueContent::Mapping(b)) => {
            let missing = |from: &BTreeMap<SmolStr, Value>, other: &BTreeMap<SmolStr, Value>| {
                let lacking = from.iter().filter(|it| !other.contains_key(it.0));
                lacking
                    .map(|it| if it.1.is_null() { None } else { Some(false) })
                    .collect::<Vec<_>>()
            };
            let shared = a.iter().filter_map(|(name, it)| Some((it, b.get(name)?)));
            let verdicts = guarded(|| shared.map(|(a, b)| same(a, b)).collect::<Vec<_>>());
            all(verdicts.into_iter().chain(missing(a, b)).chain(missing(b, a)))
        }
        (left, right) => Some(left == right),
    }
}

/// Patterns are mostly in the language that both dialects share.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let pattern = re2::readable(pattern)?;
    Some(re2::cached(&pattern, re2::Dialect::default()).ok()?.is_match(text))
}

fn in_range(range: &NumberRange, number: &Number) -> bool {
    let lower = range.lower.as_ref().is_none_or(|it| {
        let order = number.compare(&it.value);
        order.is_gt() || it.inclusive && order.is_eq()
    });
    let upper = range.upper.as_ref().is_none_or(|it| {
        let order = number.compare(&it.value);
        order.is_lt() || it.inclusive && order.is_eq()
    });
    lower && upper
}

fn fits(measure: Measure, length: Length, value: &Value) -> bool {
    let count = match (measure, value.content()) {
        (Measure::Characters, ValueContent::String(text)) => text.chars().count(),
        (Measure::Items, ValueContent::Sequence(elements)) => elements.len(),
        (Measure::Properties, ValueContent::Mapping(members)) => members.len(),
        _ => return true,
    };
    length.has(count as u64)
}

fn every<'v>(elements: impl Iterator<Item = &'v Value>, inner: &ValueSet) -> Option<bool> {
    all(elements.map(|it| contains(inner, it)))
}

/// Whether all are true; a single false one decides.
fn all(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for it in verdicts {
        match it {
            Some(true) => (),
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// Whether at least one is true.
fn some(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(verdicts.map(|verdict| verdict.map(|it| !it))).map(|it| !it)
}

/// The constraints directly inside, shared or to be changed.
macro_rules! children {
    ($constraint:expr, $one:path, $none:expr) => {
        match $constraint {
            ValueSet::All(parts) | ValueSet::Either(parts) => parts,
            ValueSet::Not(inner)
            | ValueSet::Member { values: inner, .. }
            | ValueSet::Place { values: inner, .. }
            | ValueSet::Items(inner)
            | ValueSet::ItemsFrom(_, inner)
            | ValueSet::SomeItem(inner)
            | ValueSet::Count(_, inner)
            | ValueSet::Values(inner)
            | ValueSet::Keys(inner)
            | ValueSet::ValuesBeside(_, inner)
            | ValueSet::ValuesMatching(_, inner) => $one(inner),
            ValueSet::Anything
            | ValueSet::Nothing
            | ValueSet::Kind(_)
            | ValueSet::OneOf(_)
            | ValueSet::Matches(_)
            | ValueSet::Range(_)
            | ValueSet::Length(..)
            | ValueSet::MultipleOf(_)
            | ValueSet::Unique => $none,
        }
    };
}

impl ValueSet {
    pub fn children(&self) -> &[ValueSet] {
        children!(self, std::slice::from_ref, &[])
    }

    pub fn children_mut(&mut self) -> &mut [ValueSet] {
        children!(self, std::slice::from_mut, &mut [])
    }

    /// The pattern of this constraint itself.
    fn pattern(&self) -> Option<&str> {
        match self {
            ValueSet::Matches(it) | ValueSet::ValuesMatching(it, _) => Some(it),
            _ => None,
        }
    }

    /// Adds every pattern in it.
    pub fn collect_patterns<'c>(&'c self, out: &mut Vec<&'c str>) {
        out.extend(self.pattern());
        self.children().iter().for_each(|it| it.collect_patterns(out));
    }
}
