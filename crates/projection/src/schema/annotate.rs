//! Annotations for forms and editors, which do not affect validation.

use std::collections::BTreeMap;

use super::{Items, Keywords, Schema, SchemaJson, SchemaOptions, apply, definitions, export};
use crate::{
    condition,
    condition::{TIMESTAMP, Translation},
    schema::generate::are_defaults_hidden,
    sets::ValueSet,
};
use module::{Module, Secrets, Validation, Variable};
use stack::guarded;
use tf_eval::Meter;
use tf_value::typeexpr::type_source;

/// The keyword for everything that JSON Schema cannot express.
pub const VOCABULARY: &str = "x-terraform";

/// Adds `writeOnly` for a sensitive variable, `deprecated`, and [`VOCABULARY`]: an object of `type`
/// (as one would write it, on one line), `nullable`, `ephemeral`, `conditions`, `deprecated` (the
/// message, where there is one), `position` (`file` in the module's directory, `line` from 1) and
/// `order` (from 0, as declared).
pub fn annotate(
    keywords: &mut Keywords,
    module: &Module,
    variable: &Variable,
    translations: &[Translation],
    order: usize,
    options: &SchemaOptions,
    secrets: &Secrets,
    meter: &Meter,
) {
    let conditions = variable.validations.iter().enumerate();
    let conditions = conditions.map(|(index, validation)| {
        let translation = translations.iter().find(|it| it.validation == index);
        let meaning = translation.filter(|_| !options.meanings_left_out);
        let meaning = meaning.and_then(|it| it.in_words(variable));
        condition(module, validation, translation, meaning, secrets, meter)
    });
    let deprecated = variable.deprecated.as_ref();
    let reason = deprecated.filter(|it| !secrets.are_in_prose(variable, it));
    let is_hidden = are_defaults_hidden(variable, options);
    let ty = &variable.constraint;
    let ty = if is_hidden { type_source(&ty.ty) } else { ty.to_string() };
    let own = [
        ("type", Some(SchemaJson::String(ty))),
        ("nullable", Some(SchemaJson::Bool(variable.is_nullable()))),
        ("ephemeral", Some(SchemaJson::Bool(variable.is_ephemeral()))),
        ("conditions", Some(SchemaJson::Array(conditions.collect()))),
        ("deprecated", reason.map(|it| text(it))),
        ("position", Some(position(module, variable))),
        ("order", Some(SchemaJson::integer(order as u64))),
    ];
    let annotations = [
        ("writeOnly", variable.is_sensitive().then_some(SchemaJson::Bool(true))),
        ("deprecated", deprecated.map(|_| SchemaJson::Bool(true))),
        (VOCABULARY, Some(object(own))),
    ];
    keywords.extra.extend(members(annotations));
}

/// Adds the `format` that every text of a pattern has. It is added only if it holds for all of them:
/// `ipv4` refuses the leading zeros that Terraform accepts, and `regex` means another language.
pub fn formats(root: &mut Keywords) {
    definitions::for_each(root, &mut |it| {
        if it.pattern.as_deref() == Some(TIMESTAMP) {
            it.extra.insert("format".to_owned(), SchemaJson::string("date-time"));
        }
    });
}

/// The annotation of a condition: `condition` and `error_message` as written, `fidelity`, which says how
/// much of it the schema expresses, and `meaning`, which says that part in words.
fn condition(
    module: &Module,
    validation: &Validation,
    translation: Option<&Translation>,
    meaning: Option<String>,
    secrets: &Secrets,
    meter: &Meter,
) -> SchemaJson {
    let condition = export::condition(module, validation, secrets);
    let message = export::message(module, validation, secrets, meter);
    object([
        ("condition", condition.map(|it| text(&it))),
        ("error_message", message.map(|it| text(&it))),
        ("fidelity", translation.map(|it| SchemaJson::string(it.fidelity().as_str()))),
        ("meaning", meaning.map(SchemaJson::String)),
    ])
}

/// All files of a module are in its directory, so a name is enough.
fn position(module: &Module, variable: &Variable) -> SchemaJson {
    let file = module.sources.file(variable.span.file);
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let line = file.position(variable.span.start).line;
    object([
        ("file", Some(SchemaJson::string(name))),
        ("line", Some(SchemaJson::integer(u64::from(line)))),
    ])
}

/// A text that does not depend on the line ends of the checkout.
fn text(text: &str) -> SchemaJson {
    SchemaJson::String(text.replace("\r\n", "\n"))
}

fn object<const N: usize>(all: [(&str, Option<SchemaJson>); N]) -> SchemaJson {
    SchemaJson::Object(members(all).collect())
}

fn members<const N: usize>(
    all: [(&str, Option<SchemaJson>); N],
) -> impl Iterator<Item = (String, SchemaJson)> + use<'_, N> {
    all.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)))
}

// The author's messages next to the keywords of a rule, in the format of the package `ajv-errors`: an object
// that maps each keyword to a message, or one string for a schema that only a rule needs.

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
    secrets: &Secrets,
    meter: &Meter,
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
