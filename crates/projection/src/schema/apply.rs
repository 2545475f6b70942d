//! Writes constraints as keywords: directly where possible, in `allOf` where a keyword is taken.

use super::{Decimal, JsonType, Keywords, Schema, SchemaJson, exclusive, inside};
use crate::sets::{self, Length, Measure, NumberRange, Region, ValueSet};

/// Adds a constraint to the keywords and overwrites nothing: bounds become the tightest, and other taken
/// keywords go to `allOf`. With `exclusive`, alternatives that exclude one another are written as such next to
/// an object's type ([`exclusive`]).
pub fn apply(keywords: &mut Keywords, constraint: &ValueSet, exclusive: bool) {
    match constraint {
        ValueSet::Anything => (),
        ValueSet::Nothing => forbid(keywords, Keywords::default().into()),
        ValueSet::Kind(kind) => {
            let kind = match kind {
                sets::Kind::Boolean => JsonType::Boolean,
                sets::Kind::Number => JsonType::Number,
                sets::Kind::String => JsonType::String,
                sets::Kind::Array => JsonType::Array,
                sets::Kind::Object => JsonType::Object,
            };
            let fresh = Keywords { kind: Some(kind), ..Keywords::default() };
            put(keywords, |it| &mut it.kind, kind, fresh);
        }
        ValueSet::OneOf(values) => {
            let values: Vec<SchemaJson> = values.iter().map(SchemaJson::of).collect();
            let fresh = Keywords { one_of_values: Some(values.clone()), ..Keywords::default() };
            put(keywords, |it| &mut it.one_of_values, values, fresh);
        }
        ValueSet::Matches(pattern) => {
            let fresh = Keywords { pattern: Some(pattern.clone()), ..Keywords::default() };
            put(keywords, |it| &mut it.pattern, pattern.clone(), fresh);
        }
        ValueSet::Range(range) => limit(keywords, range),
        ValueSet::Length(measure, length) => measure_of(keywords, *measure, *length),
        ValueSet::MultipleOf(divisor) => {
            let divisor = Decimal::from(*divisor);
            let fresh = Keywords { multiple_of: Some(divisor.clone()), ..Keywords::default() };
            put(keywords, |it| &mut it.multiple_of, divisor, fresh);
        }
        ValueSet::Member { .. }
        | ValueSet::Place { .. }
        | ValueSet::Items(_)
        | ValueSet::ItemsFrom(..)
        | ValueSet::SomeItem(_)
        | ValueSet::Count(..)
        | ValueSet::Unique
        | ValueSet::Values(_)
        | ValueSet::Keys(_)
        | ValueSet::ValuesBeside(..)
        | ValueSet::ValuesMatching(..) => inside::apply(keywords, constraint, exclusive),
        ValueSet::Not(inner) => forbid(keywords, alone(inner)),
        ValueSet::All(parts) => {
            let said = if exclusive { exclusive::conjuncts(keywords, parts) } else { None };
            let rest = match said {
                Some((alternatives, rest)) => {
                    one_of(keywords, &alternatives);
                    rest
                }
                None => parts.iter().collect(),
            };
            rest.into_iter().for_each(|it| apply(keywords, it, exclusive));
        }
        ValueSet::Either(parts) if exclusive => either(keywords, parts),
        ValueSet::Either(parts) => choose(keywords, parts),
    }
}

/// A rule as a separate schema.
pub(super) fn rule_keywords(region: &Region) -> Schema {
    let mut keywords = Keywords::default();
    apply(&mut keywords, &region.values, false);
    keywords.into()
}

/// The constraint as a separate schema.
pub(super) fn alone(constraint: &ValueSet) -> Schema {
    let mut keywords = Keywords::default();
    let is_null = |it: &ValueSet| matches!(it, ValueSet::OneOf(values) if values.iter().all(tf_value::Value::is_null));
    if is_null(constraint) {
        return Schema::of_kind(JsonType::Null);
    }
    apply(&mut keywords, constraint, false);
    keywords.into()
}

/// Sets a keyword; if it has another value already, puts `fresh` into `allOf`.
pub(super) fn put<T: PartialEq>(
    keywords: &mut Keywords,
    place: impl Fn(&mut Keywords) -> &mut Option<T>,
    value: T,
    fresh: Keywords,
) {
    match place(keywords) {
        empty @ None => *empty = Some(value),
        Some(old) if *old == value => (),
        Some(_) => add_all_of(keywords, fresh.into()),
    }
}

/// The number of schemas that another one is compared with: two of one meaning do no harm, and comparing each with all
/// takes time by the square of their number.
const COMPARED: usize = 100;

pub(super) fn add_all_of(keywords: &mut Keywords, schema: Schema) {
    if !keywords.all_of.iter().rev().take(COMPARED).any(|it| *it == schema) {
        keywords.all_of.push(schema);
    }
}

fn forbid(keywords: &mut Keywords, schema: Schema) {
    let fresh = Keywords { not: Some(schema.clone()), ..Keywords::default() };
    put(keywords, |it| &mut it.not, schema, fresh);
}

fn either(keywords: &mut Keywords, parts: &[ValueSet]) {
    if let Some(alternatives) = exclusive::alternatives(keywords, parts) {
        one_of(keywords, &alternatives);
    } else if let Some(names) = exclusive::not_together(keywords, parts) {
        let required = Some(names.into_iter().map(str::to_owned).collect());
        forbid(keywords, Keywords { required, ..Keywords::default() }.into());
    } else {
        choose(keywords, parts);
    }
}

/// Writes a single choice directly, and several side by side. The choice between a type and null stays
/// in its place, since forms offer it.
fn choose(keywords: &mut Keywords, parts: &[ValueSet]) {
    let choice = |any_of| -> Schema { Keywords { any_of, ..Keywords::default() }.into() };
    let is_choice = |it: &Schema| match it {
        Schema::Keywords(inner) => !inner.any_of.is_empty() && *it == choice(inner.any_of.clone()),
        Schema::Bool(_) => false,
    };
    let is_titled = |it: &Schema| matches!(it, Schema::Keywords(it) if it.title.is_some());
    let fresh: Vec<Schema> = parts.iter().map(alone).collect();
    let is_first = keywords.any_of.is_empty() && !keywords.all_of.iter().any(is_choice);
    if is_first {
        keywords.any_of = fresh;
        return;
    }
    if !keywords.any_of.iter().any(is_titled) && !keywords.any_of.is_empty() {
        let first = std::mem::take(&mut keywords.any_of);
        add_all_of(keywords, choice(first));
    }
    add_all_of(keywords, choice(fresh));
}

fn one_of(keywords: &mut Keywords, parts: &[ValueSet]) {
    let one_of: Vec<Schema> = parts.iter().map(alone).collect();
    if keywords.one_of.is_empty() {
        keywords.one_of = one_of;
    } else if keywords.one_of != one_of {
        add_all_of(keywords, Keywords { one_of, ..Keywords::default() }.into());
    }
}

fn limit(keywords: &mut Keywords, range: &NumberRange) {
    let decimal = |it: &tf_value::Number| Decimal::parse(&it.to_literal());
    if let Some(lower) = &range.lower
        && let Some(value) = decimal(&lower.value)
    {
        let inclusive = lower.inclusive;
        let Keywords { minimum, exclusive_minimum, .. } = keywords;
        raise(if inclusive { minimum } else { exclusive_minimum }, value);
    }
    if let Some(upper) = &range.upper
        && let Some(value) = decimal(&upper.value)
    {
        let inclusive = upper.inclusive;
        let Keywords { maximum, exclusive_maximum, .. } = keywords;
        lower(if inclusive { maximum } else { exclusive_maximum }, value);
    }
}

fn measure_of(keywords: &mut Keywords, measure: Measure, length: Length) {
    let (min, max) = match measure {
        Measure::Characters => (&mut keywords.min_length, &mut keywords.max_length),
        Measure::Items => (&mut keywords.min_items, &mut keywords.max_items),
        Measure::Properties => (&mut keywords.min_properties, &mut keywords.max_properties),
    };
    if let Some(value) = length.min {
        raise(min, value);
    }
    if let Some(value) = length.max {
        lower(max, value);
    }
}

fn raise<T: PartialOrd>(place: &mut Option<T>, value: T) {
    if place.as_ref().is_none_or(|old| *old < value) {
        *place = Some(value);
    }
}

fn lower<T: PartialOrd>(place: &mut Option<T>, value: T) {
    if place.as_ref().is_none_or(|old| *old > value) {
        *place = Some(value);
    }
}
