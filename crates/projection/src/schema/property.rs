//! The schema of one variable.

use super::{
    CarriedConditions, Keywords, SchemaJson, SchemaOptions, annotate, apply,
    comments::AttributeComments,
    defaults,
    generate::{are_defaults_hidden, description},
    nulls::Nulls,
    types,
    types::Within,
};
use crate::{condition, condition::Translation, sets::ValueSet};
use module::{Module, Secrets, Validation, Variable};
use tf_eval::Meter;
use tf_value::{Type, Value};

/// A variable whose schema is being made.
#[derive(Clone, Copy)]
pub(super) struct PropertySubject<'m> {
    pub module: &'m Module,
    pub variable: &'m Variable,
    pub options: &'m SchemaOptions,
    pub secrets: &'m Secrets,
    pub meter: &'m Meter,
}

impl PropertySubject<'_> {
    /// The schema without annotations. `nulls`: the attributes that accept null.
    pub fn property(self, translations: &[Translation], nulls: &Nulls) -> Keywords {
        let PropertySubject { variable, options, .. } = self;
        let constraint = &variable.constraint;
        let kind = types::kind(&constraint.ty);
        let is_shown = !are_defaults_hidden(variable, options);
        let defaults = constraint.defaults.as_ref().filter(|_| is_shown);
        let comments = self.comments();
        let within = Within { defaults, nulls, comments: &comments };
        let mut keywords = types::keywords(&constraint.ty, within, options);
        let refuses_null = options.conditions == CarriedConditions::Full
            && translations.iter().any(|it| !it.region.null);
        let nullable = self.is_nullable() && !(refuses_null && kind.is_some());
        let select = kind.filter(|_| nullable);
        // A rule that accepts null is about the other values. A rule that refuses null is put next to the
        // choice, and so is a rule that the Go tool puts there.
        let is_inside =
            |it: &&Translation| select.is_some() && it.region.null && !self.is_basic(it.validation);
        let (inside, beside): (Vec<_>, Vec<_>) = translations.iter().partition(is_inside);
        for it in inside {
            let constraint = nulls.admitted(it.region.values.clone().without_null());
            self.apply(&mut keywords, &constraint, it.validation);
        }
        if let Some(kind) = select {
            keywords = types::select_type(&variable.name, kind, keywords);
        }
        for it in beside {
            let constraint = nulls.admitted(rule(it, nullable || kind.is_none()));
            self.apply(&mut keywords, &constraint, it.validation);
        }
        let rules = ValueSet::all(translations.iter().map(|it| it.region.values.clone()));
        if refuses_null && kind.is_none() && rules.accepts_null() {
            let null = ValueSet::OneOf(vec![Value::null(Type::Dynamic)]);
            apply::apply(&mut keywords, &null.negated(), false);
        }
        keywords.default = self.default();
        keywords.description = description(variable, self.secrets);
        keywords
    }

    /// A rule's message, if the schema has messages.
    pub fn message(self, rule: &Validation) -> Option<String> {
        annotate::of_rule(self.module, rule, self.options, self.secrets, self.meter)
    }

    fn apply(self, keywords: &mut Keywords, constraint: &ValueSet, validation: usize) {
        let rule = self.variable.validations.get(validation);
        let message = rule.and_then(|it| self.message(it));
        let exclusive = !self.options.choices_written_out;
        annotate::apply(keywords, constraint, exclusive, message.as_deref());
    }

    fn is_basic(self, validation: usize) -> bool {
        let rule = self.variable.validations.get(validation);
        let is_basic = |it| condition::is_basic(self.module, self.variable, it, self.meter);
        rule.is_some_and(|it| is_basic(&it.condition))
    }

    fn comments(self) -> AttributeComments {
        if !self.options.descriptions_from_comments {
            return AttributeComments::default();
        }
        let is_shown = |text: &str| !self.secrets.are_in_prose(self.variable, text);
        AttributeComments::of(self.module, self.variable, &is_shown)
    }

    /// Whether the schema accepts null: as declared, else by option. A variable with the default null is
    /// nullable, since the schema would otherwise refuse its own default.
    fn is_nullable(self) -> bool {
        let null_default = self.variable.default.as_ref().is_some_and(Value::is_null);
        self.variable.nullable.unwrap_or(self.options.nullable_all || null_default)
    }

    /// The JSON of the default; `None` if it must not be shown.
    fn default(self) -> Option<SchemaJson> {
        let PropertySubject { variable, options, .. } = self;
        let is_shown = !are_defaults_hidden(variable, options);
        let value = shown_default(variable, self.meter).filter(|_| is_shown)?;
        let constraint = &variable.constraint;
        Some(defaults::render(&value, &constraint.ty, constraint.defaults.as_ref(), options))
    }
}

/// The constraint of a rule. If null is possible here and the rule accepts it, the constraint accepts
/// it, too.
fn rule(translation: &Translation, null_possible: bool) -> ValueSet {
    let values = translation.region.values.clone();
    if null_possible && translation.region.null { values.with_null() } else { values }
}

/// The default in its written shape if that is known, otherwise as converted.
pub(super) fn shown_default(variable: &Variable, meter: &Meter) -> Option<Value> {
    let converted = variable.default.as_ref()?;
    let written = variable.default_expr.as_ref().and_then(|it| condition::fold(it, meter));
    Some(written.unwrap_or_else(|| converted.clone()))
}
