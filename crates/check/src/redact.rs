//! Hides values of sensitive and ephemeral variables, also those that a schema carries.
//!
//! A committed schema may hold more than the module's own defaults: older ones, those of a variable that
//! was not marked then or is no longer declared, and rules that contain them.

use std::{borrow::Cow, collections::BTreeSet};

use smol_str::SmolStr;

use diagnostics::{Span, Why};
use hcl::json;
use module::{Module, Secrets, Variable};
use projection::schema::{Difference, SchemaChange, SchemaJson, VOCABULARY, texts_of_defaults};
use stack::guarded;

/// The values to hide in a committed schema and in the generated one.
pub(super) struct Redaction<'m> {
    module: &'m Module,
    /// Those of the variables that are declared as hidden.
    declared: Secrets,
    /// Those of variables that only the committed schema has, too.
    secrets: Secrets,
}

impl<'m> Redaction<'m> {
    pub fn new(committed: &SchemaJson, module: &'m Module) -> Redaction<'m> {
        let properties = properties(committed).into_iter().flatten();
        let hidden = properties.filter(|(name, _)| why(Some(name), module).is_some());
        let further = hidden.map(|(name, schema)| {
            let mut texts = BTreeSet::new();
            texts_of_defaults(schema, &mut texts);
            (SmolStr::new(name), texts)
        });
        let declared = Secrets::of(module, []);
        Redaction { module, declared, secrets: Secrets::of(module, further) }
    }

    /// Why a text is not shown; `None` if it contains no value to hide.
    fn why_text(&self, variable: Option<&str>, text: &str) -> Option<Why> {
        if !self.secrets.are_in_text(variable, text) {
            return None;
        }
        let is_declared = self.declared.are_in_text(variable, text);
        Some(if is_declared { Why::Sensitive } else { Why::Withheld })
    }

    /// A schema without hidden values.
    pub fn schema<'j>(&self, schema: &'j SchemaJson) -> Cow<'j, SchemaJson> {
        let is_foreign = |it: &str| !self.module.variables.contains_key(it);
        let mut names = properties(schema).into_iter().flatten().map(|it| it.0.as_str());
        if !self.module.variables.values().any(Variable::is_hidden) && !names.any(is_foreign) {
            return Cow::Borrowed(schema);
        }
        let mut schema = schema.clone();
        if let SchemaJson::Object(root) = &mut schema {
            for (keyword, member) in root.iter_mut() {
                match member {
                    SchemaJson::Object(properties) if keyword == "properties" => {
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
        let has_values =
            matches!(difference.change, SchemaChange::Default | SchemaChange::Annotation);
        let hidden = why(variable, self.module).filter(|_| has_values);
        let shown = |json: &Option<SchemaJson>| {
            let mut json = json.clone()?;
            if let Some(why) = hidden {
                json = SchemaJson::string(why.text());
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

    /// The spans of a committed schema that no excerpt may show: hidden variables as a whole, and every
    /// part that contains a default.
    pub fn hidden_spans(&self, tree: &json::JsonValue) -> Vec<(Span, Why)> {
        let mut places = Vec::new();
        let json::ValueKind::Object(members) = &tree.kind else { return places };
        for member in members {
            match &member.value.kind {
                json::ValueKind::Object(properties) if member.key == "properties" => {
                    for property in properties {
                        if let Some(why) = why(Some(&property.key), self.module) {
                            places.push((property.value.span, why));
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

    fn find(&self, tree: &json::JsonValue, variable: Option<&str>, places: &mut Vec<(Span, Why)>) {
        guarded(|| match &tree.kind {
            json::ValueKind::Array(elements) => {
                elements.iter().for_each(|it| self.find(it, variable, places));
            }
            json::ValueKind::Object(members) => {
                for member in members {
                    let why = self.why_text(variable, &member.key);
                    places.extend(why.map(|why| (member.key_span, why)));
                    self.find(&member.value, variable, places);
                }
            }
            json::ValueKind::String(text) | json::ValueKind::Number(text) => {
                let why = self.why_text(variable, text);
                places.extend(why.map(|why| (tree.span, why)));
            }
            json::ValueKind::Null | json::ValueKind::Bool(_) | json::ValueKind::Invalid => (),
        });
    }

    /// Hides every part that contains a default; in a hidden variable every `default`, nested ones too,
    /// and the annotations.
    fn redact(&self, schema: &mut SchemaJson, variable: Option<&str>) {
        let hidden = why(variable, self.module);
        guarded(|| match schema {
            SchemaJson::Object(members) => {
                for (keyword, member) in std::mem::take(members) {
                    let has_values = keyword == "default" || keyword == VOCABULARY;
                    let mut member = member;
                    match hidden.filter(|_| has_values && !matches!(member, SchemaJson::Null)) {
                        Some(why) => member = SchemaJson::string(why.text()),
                        None if keyword != "type" => self.redact(&mut member, variable),
                        None => (),
                    }
                    let why = self.why_text(variable, &keyword);
                    members.insert(why.map_or(keyword, |it| it.text().to_owned()), member);
                }
            }
            SchemaJson::Array(elements) => {
                elements.iter_mut().for_each(|it| self.redact(it, variable));
            }
            SchemaJson::String(text) => {
                if let Some(why) = self.why_text(variable, text) {
                    *schema = SchemaJson::string(why.text());
                }
            }
            SchemaJson::Number(number) => {
                if let Some(why) = self.why_text(variable, &number.to_string()) {
                    *schema = SchemaJson::string(why.text());
                }
            }
            _ => (),
        });
    }
}

/// Why no value of a variable is shown: it is declared as hidden, or no longer declared.
fn why(variable: Option<&str>, module: &Module) -> Option<Why> {
    match module.variables.get(variable?) {
        Some(it) => it.is_hidden().then_some(Why::Sensitive),
        None => Some(Why::Withheld),
    }
}

fn properties(schema: &SchemaJson) -> Option<&std::collections::BTreeMap<String, SchemaJson>> {
    let SchemaJson::Object(root) = schema else { return None };
    let Some(SchemaJson::Object(properties)) = root.get("properties") else { return None };
    Some(properties)
}
