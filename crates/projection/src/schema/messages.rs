//! The author's messages next to the keywords of a rule, in the format of the package `ajv-errors`: an object
//! that maps each keyword to a message, or one string for a schema that only a rule needs.

use std::collections::BTreeMap;

use super::{Items, Keywords, Schema, SchemaJson, SchemaOptions, apply, export};
use crate::{condition, sets::ValueSet};
use module::{Module, Secrets, Validation};
use stack::guarded;
use tf_eval::Meter;

/// The keyword of `ajv-errors`.
const KEYWORD: &str = "errorMessage";

/// Adds a rule's constraint, with the rule's message if it has one.
pub fn apply(
    keywords: &mut Keywords,
    constraint: &ValueSet,
    exclusive: bool,
    message: Option<&str>,
) {
    let Some(message) = message else { return apply::apply(keywords, constraint, exclusive) };
    let before = keywords.clone();
    apply::apply(keywords, constraint, exclusive);
    mark(keywords, &before, message);
}

/// The same schema with a message for all its errors.
pub fn beside(schema: Schema, message: Option<&str>) -> Schema {
    match (schema, message) {
        (Schema::Keywords(mut keywords), Some(message)) => {
            keywords.extra.insert(KEYWORD.to_owned(), SchemaJson::string(message));
            Schema::Keywords(keywords)
        }
        (schema, _) => schema,
    }
}

/// A rule's message, if the options want it and it is the same for all values. The package reads `${…}`
/// as a place in the value.
pub fn of_rule(
    module: &Module,
    rule: &Validation,
    options: &SchemaOptions,
    (secrets, meter): (&Secrets, &Meter),
) -> Option<String> {
    if !options.error_messages {
        return None;
    }
    let folded = rule.error_message.as_ref().and_then(|it| condition::fold(it, meter));
    let is_constant = folded.is_some() || rule.plain_message.is_some();
    let text = export::message(module, rule, secrets, meter).filter(|_| is_constant)?;
    (!text.contains("${")).then_some(text)
}

/// Gives the message to every keyword that changed.
fn mark(keywords: &mut Keywords, before: &Keywords, message: &str) {
    guarded(|| {
        if keywords == before {
            return;
        }
        let mut messages: BTreeMap<String, SchemaJson> = BTreeMap::new();
        for keyword in changed(keywords, before) {
            messages.insert(keyword.to_owned(), SchemaJson::string(message));
        }
        let old = before.required.iter().flatten().collect::<Vec<_>>();
        let required = keywords.required.iter().flatten().filter(|it| !old.contains(it));
        let required: BTreeMap<String, SchemaJson> =
            required.map(|it| (it.clone(), SchemaJson::string(message))).collect();
        if !required.is_empty() {
            messages.insert("required".to_owned(), SchemaJson::Object(required));
        }
        if !messages.is_empty() {
            add(keywords, messages);
        }
        // New ones follow the others.
        for it in keywords.all_of.iter_mut().skip(before.all_of.len()) {
            *it = beside(std::mem::replace(it, Schema::Bool(true)), Some(message));
        }
        inside(keywords, before, message);
    });
}

/// Merges messages with the existing ones. Of several names each has its own.
fn add(keywords: &mut Keywords, messages: BTreeMap<String, SchemaJson>) {
    let there = keywords.extra.entry(KEYWORD.to_owned());
    let SchemaJson::Object(there) = there.or_insert_with(|| SchemaJson::Object(BTreeMap::new()))
    else {
        return;
    };
    for (keyword, message) in messages {
        match (there.get_mut(&keyword), message) {
            (Some(SchemaJson::Object(names)), SchemaJson::Object(ref more)) => {
                names.extend(more.iter().map(|(name, it)| (name.clone(), it.clone())));
            }
            (_, message) => _ = there.insert(keyword, message),
        }
    }
}

/// The keywords that changed and do not contain others about the same value.
fn changed(now: &Keywords, before: &Keywords) -> Vec<&'static str> {
    let least = |keywords: &Keywords| keywords.contains.as_ref().and_then(|it| it.min);
    let most = |keywords: &Keywords| keywords.contains.as_ref().and_then(|it| it.max);
    let all = [
        ("type", now.kind.is_some() && now.kind != before.kind),
        ("enum", now.one_of_values != before.one_of_values),
        ("minimum", now.minimum != before.minimum),
        ("exclusiveMinimum", now.exclusive_minimum != before.exclusive_minimum),
        ("maximum", now.maximum != before.maximum),
        ("exclusiveMaximum", now.exclusive_maximum != before.exclusive_maximum),
        ("multipleOf", now.multiple_of != before.multiple_of),
        ("minLength", now.min_length != before.min_length),
        ("maxLength", now.max_length != before.max_length),
        ("pattern", now.pattern != before.pattern),
        ("contains", now.contains != before.contains),
        ("minContains", least(now) != least(before)),
        ("maxContains", most(now) != most(before)),
        ("minItems", now.min_items != before.min_items),
        ("maxItems", now.max_items != before.max_items),
        ("uniqueItems", now.unique_items != before.unique_items),
        ("propertyNames", now.property_names != before.property_names),
        ("minProperties", now.min_properties != before.min_properties),
        ("maxProperties", now.max_properties != before.max_properties),
        ("anyOf", now.any_of != before.any_of),
        ("oneOf", now.one_of != before.one_of),
        ("not", now.not != before.not),
        ("if", now.condition != before.condition),
    ];
    all.into_iter().filter(|it| it.1).map(|it| it.0).collect()
}

/// Marks the schemas of elements and members.
fn inside(keywords: &mut Keywords, before: &Keywords, message: &str) {
    let old = match &before.items {
        Some(Items::Each(it)) => Some(it),
        _ => None,
    };
    match (&mut keywords.items, &before.items) {
        (Some(Items::Each(it)), _) => within(it, old, message),
        (Some(Items::Places(them, rest)), Some(Items::Places(old, old_rest))) => {
            them.iter_mut().zip(old).for_each(|(it, old)| within(it, Some(old), message));
            rest.iter_mut().for_each(|it| within(it, old_rest.as_ref(), message));
        }
        _ => (),
    }
    for (name, it) in keywords.properties.iter_mut().flatten() {
        within(it, before.properties.as_ref().and_then(|old| old.get(name)), message);
    }
    if let Some(it) = &mut keywords.additional_properties {
        within(it, before.additional_properties.as_ref(), message);
    }
}

fn within(schema: &mut Schema, before: Option<&Schema>, message: &str) {
    let nothing = Keywords::default();
    let before = match before {
        Some(Schema::Keywords(it)) => it,
        _ => &nothing,
    };
    if let Schema::Keywords(it) = schema {
        mark(it, before, message);
    }
}
