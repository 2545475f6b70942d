//! Writes constraints as keywords: directly where possible, in `allOf` where a keyword is taken.

use super::{Contains, Decimal, Items, JsonType, Keywords, Schema, SchemaJson, exclusive};
use crate::{
    sets,
    sets::{Length, Measure, NumberRange, Region, ValueSet},
};

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
        | ValueSet::ValuesMatching(..) => apply_inside(keywords, constraint, exclusive),
        ValueSet::Not(inner) => forbid(keywords, alone(inner)),
        ValueSet::All(parts) => {
            let exclusive_parts =
                if exclusive { exclusive::conjuncts(keywords, parts) } else { None };
            let rest = match exclusive_parts {
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

// Adds constraints on the inside of arrays and objects to the schemas of their members.

/// Adds a constraint on members, elements or keys.
fn apply_inside(keywords: &mut Keywords, constraint: &ValueSet, exclusive: bool) {
    match constraint {
        ValueSet::Member { name, required, values } => {
            member(keywords, name, *required, values, exclusive);
        }
        ValueSet::Place { index, required, values } => {
            place(keywords, *index, *required, values, exclusive);
        }
        ValueSet::Items(inner) => items(keywords, inner, exclusive),
        ValueSet::ItemsFrom(index, inner) => items_from(keywords, *index, inner, exclusive),
        ValueSet::SomeItem(inner) => count(keywords, Length::default(), inner),
        ValueSet::Count(length, inner) => {
            // Without a number, `contains` demands one.
            let min_contains = length.min.unwrap_or(0);
            let min = Some(min_contains).filter(|it| *it != 1);
            count(keywords, Length { min, max: length.max }, inner);
        }
        ValueSet::Unique => keywords.unique_items = true,
        ValueSet::Values(inner) => values(keywords, inner, exclusive),
        ValueSet::Keys(inner) => match &mut keywords.property_names {
            Some(schema) => into(schema, inner, exclusive),
            empty @ None => *empty = Some(alone(inner)),
        },
        ValueSet::ValuesBeside(names, inner) => {
            let properties = names.iter().map(|it| (it.to_string(), Schema::Bool(true))).collect();
            let fresh = Keywords {
                properties: Some(properties),
                additional_properties: Some(alone(inner)),
                ..Keywords::default()
            };
            add_all_of(keywords, fresh.into());
        }
        ValueSet::ValuesMatching(pattern, inner) => {
            let pattern_properties = [(pattern.clone(), alone(inner))].into();
            add_all_of(keywords, Keywords { pattern_properties, ..Keywords::default() }.into());
        }
        _ => (),
    }
}

/// Adds a constraint to an existing schema.
fn into(schema: &mut Schema, constraint: &ValueSet, exclusive: bool) {
    match schema {
        Schema::Keywords(keywords) => apply(keywords, constraint, exclusive),
        Schema::Bool(true) => *schema = alone(constraint),
        Schema::Bool(false) => (),
    }
}

/// Writes `contains`, with its numbers.
fn count(keywords: &mut Keywords, length: Length, inner: &ValueSet) {
    let contains = Contains { schema: alone(inner), min: length.min, max: length.max };
    let fresh = Keywords { contains: Some(contains.clone()), ..Keywords::default() };
    put(keywords, |it| &mut it.contains, contains, fresh);
}

/// Adds a constraint on a member. A name that is mentioned is no longer an "additional" one: if it would
/// escape another constraint by that, it goes into a separate schema.
fn member(keywords: &mut Keywords, name: &str, required: bool, inner: &ValueSet, exclusive: bool) {
    let known = keywords.properties.as_ref().is_some_and(|it| it.contains_key(name));
    let additional =
        matches!(keywords.additional_properties, Some(Schema::Keywords(_) | Schema::Bool(false)));
    if additional && !known {
        let mut fresh = Keywords::default();
        member(&mut fresh, name, required, inner, exclusive);
        return add_all_of(keywords, fresh.into());
    }
    if required {
        keywords.required.get_or_insert_default().insert(name.to_owned());
    }
    if *inner == ValueSet::Anything {
        return;
    }
    // `properties: {x: false}` instead of `not: {required: [x]}`, so that null is still possible.
    if *inner == ValueSet::Nothing && known {
        let properties = Some([(name.to_owned(), Schema::Bool(false))].into());
        return add_all_of(keywords, Keywords { properties, ..Keywords::default() }.into());
    }
    if *inner == ValueSet::Nothing {
        let properties = keywords.properties.get_or_insert_default();
        properties.insert(name.to_owned(), Schema::Bool(false));
        return;
    }
    let properties = keywords.properties.get_or_insert_default();
    match properties.get_mut(name) {
        Some(schema) => into(schema, inner, exclusive),
        None => {
            properties.insert(name.to_owned(), alone(inner));
        }
    }
}

fn place(keywords: &mut Keywords, index: usize, required: bool, inner: &ValueSet, exclusive: bool) {
    if required {
        let least = index as u64 + 1;
        if keywords.min_items.is_none_or(|it| it < least) {
            keywords.min_items = Some(least);
        }
    }
    if *inner == ValueSet::Anything {
        return;
    }
    if let Some(Items::Places(places, _)) = &mut keywords.items
        && let Some(schema) = places.get_mut(index)
    {
        return into(schema, inner, exclusive);
    }
    let mut places = vec![Schema::Bool(true); index];
    places.push(alone(inner));
    let fresh = Keywords { items: Some(Items::Places(places, None)), ..Keywords::default() };
    add_all_of(keywords, fresh.into());
}

fn items(keywords: &mut Keywords, inner: &ValueSet, exclusive: bool) {
    match &mut keywords.items {
        Some(Items::Each(schema)) => into(schema, inner, exclusive),
        None => keywords.items = Some(Items::Each(alone(inner))),
        Some(Items::Places(..)) => {
            let items = Some(Items::Each(alone(inner)));
            add_all_of(keywords, Keywords { items, ..Keywords::default() }.into());
        }
    }
}

/// Adds a constraint on the elements from an index on. Next to the type of all elements it becomes a separate
/// schema. Constraints on earlier places stay in another one, as an earlier version may have written it.
fn items_from(keywords: &mut Keywords, index: usize, inner: &ValueSet, exclusive: bool) {
    if let Some(Items::Places(places, Some(rest))) = &mut keywords.items
        && places.len() == index
    {
        return into(rest, inner, exclusive);
    }
    let places = vec![Schema::Bool(true); index];
    let items = Some(Items::Places(places, Some(alone(inner))));
    match keywords.items {
        None => keywords.items = items,
        Some(_) => add_all_of(keywords, Keywords { items, ..Keywords::default() }.into()),
    }
}

fn values(keywords: &mut Keywords, inner: &ValueSet, exclusive: bool) {
    let mixed = keywords.properties.is_some() || !keywords.pattern_properties.is_empty();
    match &mut keywords.additional_properties {
        Some(schema) if !mixed => into(schema, inner, exclusive),
        None if !mixed => keywords.additional_properties = Some(alone(inner)),
        _ => {
            let additional_properties = Some(alone(inner));
            add_all_of(keywords, Keywords { additional_properties, ..Keywords::default() }.into());
        }
    }
}
