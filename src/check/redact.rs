//! Hides values of sensitive and ephemeral variables, also those that a schema carries.
//!
//! A committed schema may hold more than the module's own defaults: older ones, those of a variable that
//! was not marked then or is no longer declared, and rules that contain them.

use std::{borrow::Cow, collections::BTreeSet};

use smol_str::SmolStr;

use crate::{
    diagnostic::Span,
    module::{Module, Variable},
    schema::{Change, Difference, Json, Secrets, VOCABULARY, texts_of_defaults},
    stack::guarded,
    syntax::json,
};

/// The text in place of a value.
const HIDDEN: &str = "(sensitive)";

/// The values to hide in a committed schema and in the generated one.
pub(super) struct Redaction<'m> {
    module: &'m Module,
    secrets: Secrets,
}

impl<'m> Redaction<'m> {
    pub fn new(committed: &Json, module: &'m Module) -> Redaction<'m> {
        let properties = properties(committed).into_iter().flatten();
        let hidden = properties.filter(|(name, _)| is_hidden(name, module));
        let further = hidden.map(|(name, schema)| {
            let mut texts = BTreeSet::new();
            texts_of_defaults(schema, &mut texts);
            (SmolStr::new(name), texts)
        });
        Redaction { module, secrets: Secrets::of(module, further) }
    }

    /// A schema without hidden values.
    pub fn schema<'j>(&self, schema: &'j Json) -> Cow<'j, Json> {
        let is_foreign = |it: &str| !self.module.variables.contains_key(it);
        let mut names = properties(schema).into_iter().flatten().map(|it| it.0.as_str());
        if !self.module.variables.values().any(Variable::is_hidden) && !names.any(is_foreign) {
            return Cow::Borrowed(schema);
        }
        let mut schema = schema.clone();
        if let Json::Object(root) = &mut schema {
            for (keyword, member) in root.iter_mut() {
                match member {
                    Json::Object(properties) if keyword == "properties" => {
                        for (name, property) in properties.iter_mut() {
                            self.redact(property, Some(name));
                        }
                    }
                    other => self.redact(other, None),
                }
            }
        }
        Cow::Owned(schema)
    }

    /// A difference without hidden values.
    pub fn difference<'d>(&self, difference: &'d Difference) -> Cow<'d, Difference> {
        let variable = difference.variable.as_deref();
        // A type's annotation holds the defaults of its attributes.
        let has_values = matches!(difference.change, Change::Default | Change::Annotation)
            && variable.is_some_and(|it| is_hidden(it, self.module));
        let shown = |json: &Option<Json>| {
            let mut json = json.clone()?;
            if has_values {
                json = Json::string(HIDDEN);
            } else {
                self.redact(&mut json, variable);
            }
            Some(json)
        };
        let (old, new) = (shown(&difference.old), shown(&difference.new));
        if (&old, &new) == (&difference.old, &difference.new) {
            return Cow::Borrowed(difference);
        }
        Cow::Owned(Difference { old, new, ..difference.clone() })
    }

    /// The places of a committed schema that no excerpt may show: hidden variables as a whole, and every
    /// part that contains a default.
    pub fn places(&self, tree: &json::Value) -> Vec<Span> {
        let mut places = Vec::new();
        let json::ValueKind::Object(members) = &tree.kind else { return places };
        for member in members {
            match &member.value.kind {
                json::ValueKind::Object(properties) if member.key == "properties" => {
                    for property in properties {
                        if is_hidden(&property.key, self.module) {
                            places.push(property.value.span);
                        } else {
                            self.find(&property.value, Some(&property.key), &mut places);
                        }
                    }
                }
                _ => self.find(&member.value, None, &mut places),
            }
        }
        places
    }

    fn find(&self, tree: &json::Value, variable: Option<&str>, places: &mut Vec<Span>) {
        guarded(|| match &tree.kind {
            json::ValueKind::Array(elements) => {
                elements.iter().for_each(|it| self.find(it, variable, places));
            }
            json::ValueKind::Object(members) => {
                for member in members {
                    if self.secrets.are_in_text(variable, &member.key) {
                        places.push(member.key_span);
                    }
                    self.find(&member.value, variable, places);
                }
            }
            json::ValueKind::String(text) | json::ValueKind::Number(text) => {
                if self.secrets.are_in_text(variable, text) {
                    places.push(tree.span);
                }
            }
            json::ValueKind::Null | json::ValueKind::Bool(_) | json::ValueKind::Invalid => (),
        });
    }

    /// Hides every part that contains a default; in a hidden variable every `default`, nested ones too,
    /// and the annotations.
    fn redact(&self, schema: &mut Json, variable: Option<&str>) {
        let is_of_hidden = variable.is_some_and(|it| is_hidden(it, self.module));
        guarded(|| match schema {
            Json::Object(members) => {
                for (keyword, member) in std::mem::take(members) {
                    let has_values = keyword == "default" || keyword == VOCABULARY;
                    let mut member = member;
                    if is_of_hidden && has_values && !matches!(member, Json::Null) {
                        member = Json::string(HIDDEN);
                    } else if keyword != "type" {
                        self.redact(&mut member, variable);
                    }
                    let is_secret = self.secrets.are_in_text(variable, &keyword);
                    members.insert(if is_secret { HIDDEN.to_owned() } else { keyword }, member);
                }
            }
            Json::Array(elements) => elements.iter_mut().for_each(|it| self.redact(it, variable)),
            Json::String(text) if self.secrets.are_in_text(variable, text) => {
                *schema = Json::string(HIDDEN);
            }
            Json::Number(number) if self.secrets.are_in_text(variable, &number.to_string()) => {
                *schema = Json::string(HIDDEN);
            }
            _ => (),
        });
    }
}

/// Whether the variable's values must be hidden: it is declared as hidden, or no longer declared.
fn is_hidden(name: &str, module: &Module) -> bool {
    module.variables.get(name).is_none_or(crate::module::Variable::is_hidden)
}

fn properties(schema: &Json) -> Option<&std::collections::BTreeMap<String, Json>> {
    let Json::Object(root) = schema else { return None };
    let Some(Json::Object(properties)) = root.get("properties") else { return None };
    Some(properties)
}
