//! Adds constraints on the inside of arrays and objects to the schemas of their members.

use super::{
    Contains, Items, Keywords, Schema,
    apply::{self, add_all_of, alone, put},
};
use crate::sets::{Length, ValueSet};

/// Adds a constraint on members, elements or keys.
pub fn apply(keywords: &mut Keywords, constraint: &ValueSet, exclusive: bool) {
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
        Schema::Keywords(keywords) => apply::apply(keywords, constraint, exclusive),
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
