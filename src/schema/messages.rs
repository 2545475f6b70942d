//! The author's messages beside the keywords of a rule, as the package `ajv-errors` reads them.

use super::{Json, Keywords, Options, Schema, Secrets, apply, export};
use crate::{
    condition::{self, Constraint},
    eval::Meter,
    module::{Module, Validation},
};

/// The keyword of `ajv-errors`.
const KEYWORD: &str = "errorMessage";

/// Adds a rule's constraint: beside other keywords, or where the options want its message in a
/// schema of its own in `allOf`, with the message.
pub fn apply(keywords: &mut Keywords, constraint: &Constraint, message: Option<&str>) {
    let Some(message) = message else { return apply::apply(keywords, constraint) };
    let mut own = Keywords::default();
    apply::apply(&mut own, constraint);
    if own != Keywords::default() {
        add(&mut own, message);
        apply::add_all_of(keywords, own.into());
    }
}

/// The same schema with the message beside its keywords.
pub fn beside(schema: Schema, message: Option<&str>) -> Schema {
    match (schema, message) {
        (Schema::Keywords(mut keywords), Some(message)) => {
            add(&mut keywords, message);
            Schema::Keywords(keywords)
        }
        (schema, _) => schema,
    }
}

fn add(keywords: &mut Keywords, message: &str) {
    keywords.extra.insert(KEYWORD.to_owned(), Json::string(message));
}

/// A rule's message, where the options want it and it is one text for all values. The package takes
/// `${…}` for a place in the value.
pub fn of_rule(
    module: &Module,
    rule: &Validation,
    options: &Options,
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
