//! Generates the schema of a module.

use std::collections::{BTreeMap, BTreeSet};

use diagnostics::Diagnostics;
use module::{Module, RuleWords, Secrets, Validation, Variable};
use tf_eval::{Limits, Meter};

use super::{
    CarriedConditions, IfThenElse, Keywords, Schema, SchemaJson, SchemaOptions, annotate,
    apply::{self, alone},
    definitions, export,
    nulls::Nulls,
    property::PropertySubject,
    texts::of_schema,
};
use crate::{
    condition::{self, Fidelity, Translation},
    sets::{Reason, Region, ValueSet},
};

/// A module's schema and its diagnostics.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    pub schema: Schema,
    /// Warnings about conditions that are not fully expressed.
    pub diagnostics: Diagnostics,
    /// Each variable with `validation` blocks, and their translations.
    pub translations: Vec<(smol_str::SmolStr, Vec<Translation>)>,
}

/// The schema of a module's variables.
pub fn generate(module: &Module, options: &SchemaOptions) -> Generated {
    generate_metered(module, options, &Meter::default())
}

/// Like [`generate`], and counts the work. If the meter is exhausted afterwards, the schema is
/// incomplete.
pub fn generate_metered(module: &Module, options: &SchemaOptions, meter: &Meter) -> Generated {
    let mut diagnostics = Diagnostics::new();
    let mut translations = Vec::new();
    let mut properties = BTreeMap::new();
    let mut required = BTreeSet::new();
    let mut inputs = Vec::new();
    let mut written_out = BTreeSet::new();
    let secrets = secrets(module, options);
    let nulls = Nulls::of_module(module, options, meter);
    for (order, variable) in included(module, options).enumerate() {
        let name = variable.name.to_string();
        if variable.is_required() || options.require_all {
            required.insert(name.clone());
        }
        let translated = translate(module, variable, options, &secrets, meter);
        diagnostics
            .extend(translated.iter().flat_map(|it| it.diagnostics(module, variable, meter)));
        let subject = PropertySubject { module, variable, options, secrets: &secrets, meter };
        let mut property = subject.property(&translated, nulls.attribute(&name));
        if options.annotations {
            annotate::annotate(
                &mut property,
                module,
                variable,
                &translated,
                order,
                options,
                &secrets,
                meter,
            );
        }
        properties.insert(name, property.into());
        for (it, rule) in translated.iter().zip(&variable.validations) {
            let sentences = across_variables(&nulls.admitted(it.inputs.clone()));
            let message = subject.message(rule);
            inputs.extend(sentences.into_iter().map(|it| annotate::beside(it, message.as_deref())));
            let long = it.patterns().filter(|it| definitions::is_long(it));
            let long: Vec<String> = long.map(str::to_owned).collect();
            if !long.is_empty() && condition::is_basic(module, variable, &rule.condition, meter) {
                written_out.extend(long);
            }
        }
        if !translated.is_empty() {
            translations.push((variable.name.clone(), translated));
        }
    }
    let mut root = Keywords {
        dialect: Some(options.draft),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        properties: Some(properties),
        required: Some(required),
        extra: options
            .properties
            .iter()
            .map(|(key, it)| (key.clone(), SchemaJson::string(it)))
            .collect(),
        ..Keywords::default()
    };
    inputs.into_iter().for_each(|it| apply::add_all_of(&mut root, it));
    if options.annotations {
        annotate::formats(&mut root);
    }
    // A message next to a reference would go unread.
    if !options.inline && !options.error_messages {
        definitions::extract(&mut root, &written_out);
    }
    Generated { schema: root.into(), diagnostics, translations }
}

/// The module's variables without the ignored ones.
pub fn included<'m>(
    module: &'m Module,
    options: &'m SchemaOptions,
) -> impl Iterator<Item = &'m Variable> {
    module.variables.values().filter(|it| !options.ignore_variables.contains(it.name.as_str()))
}

/// The texts that a schema under these options must not contain.
pub(super) fn secrets(module: &Module, options: &SchemaOptions) -> Secrets {
    if options.sensitive_defaults { Secrets::default() } else { Secrets::of(module, []) }
}

/// Whether the variable's defaults are left out.
pub(super) fn are_defaults_hidden(variable: &Variable, options: &SchemaOptions) -> bool {
    variable.is_hidden() && !options.sensitive_defaults
}

/// The description, unless it contains a default that must not be shown.
pub(super) fn description(variable: &Variable, secrets: &Secrets) -> Option<String> {
    let shown = variable.description.as_ref().filter(|it| !secrets.are_in_prose(variable, it));
    shown.cloned()
}

fn translate(
    module: &Module,
    variable: &Variable,
    options: &SchemaOptions,
    secrets: &Secrets,
    meter: &Meter,
) -> Vec<Translation> {
    if options.conditions == CarriedConditions::None {
        return Vec::new();
    }
    let mut translations = condition::translate(module, variable, options.target(), meter);
    if !options.patterns_as_written {
        translations.iter_mut().for_each(|it| it.rewrite_patterns(meter));
    }
    for (translation, rule) in translations.iter_mut().zip(&variable.validations) {
        translation.forget(&options.ignore_variables, rule.condition.span);
        let is_basic = || condition::is_basic(module, variable, &rule.condition, meter);
        // The Go tool writes them.
        if !options.zero_minimums && translation.has_zero_minimums() && !is_basic() {
            translation.drop_zero_minimums();
        }
        if options.conditions == CarriedConditions::Basic && !is_basic() {
            say_nothing(translation, Reason::BeyondBasic, rule);
        }
        if is_secret(module, rule, translation, secrets) {
            say_nothing(translation, Reason::Secret, rule);
        }
    }
    translations
}

fn say_nothing(translation: &mut Translation, reason: Reason, rule: &Validation) {
    translation.region = Region::unknown(reason, rule.condition.span);
    translation.inputs = ValueSet::Anything;
    translation.slow_patterns.clear();
}

/// Whether the rule, or its translation, contains a text that must not be shown.
fn is_secret(
    module: &Module,
    rule: &Validation,
    translation: &Translation,
    secrets: &Secrets,
) -> bool {
    !secrets.is_empty()
        && (secrets.are_in_condition(module, rule)
            || secrets.are_in_texts(rule, &sentences(translation)))
}

/// The limit for the work of putting a module's rules in words, about a quarter of a second. Short words
/// take little work.
const WORDS: Limits = Limits::of_run(18_000_000);

/// The demands of a module's rules in words, such as `a string of 3 to 63 characters`. Data that all
/// rules need is computed once, and the rules share one small budget.
#[derive(Debug)]
pub struct RulesInWords<'m> {
    module: &'m Module,
    words: Words,
}

/// What the words of a module's rules are made with.
#[derive(Debug)]
struct Words {
    options: SchemaOptions,
    secrets: Secrets,
    meter: Meter,
}

impl Words {
    fn of(module: &Module) -> Words {
        let options = SchemaOptions::default();
        let secrets = secrets(module, &options);
        Words { options, secrets, meter: Meter::new(WORDS) }
    }
}

impl RuleWords for Words {
    fn demand(&self, module: &Module, variable: &Variable, index: usize) -> Option<String> {
        if self.meter.is_exhausted() {
            return None;
        }
        let rule = variable.validations.get(index)?;
        let target = self.options.target();
        let translation = condition::translate_rule(module, variable, index, target, &self.meter)?;
        let is_whole = translation.fidelity() == Fidelity::Exact
            && translation.inputs == ValueSet::Anything
            && !is_secret(module, rule, &translation, &self.secrets);
        if is_whole { translation.in_words(variable) } else { None }
    }
}

/// The words of a module's rules, for a judge that takes anyone's.
pub fn words_of(module: &Module) -> Box<dyn RuleWords> {
    Box::new(Words::of(module))
}

impl<'m> RulesInWords<'m> {
    pub fn of(module: &'m Module) -> RulesInWords<'m> {
        RulesInWords { module, words: Words::of(module) }
    }

    /// The words for a rule; `None` if they would not express all of it, would show a secret, or if the
    /// budget is spent.
    pub fn rule(&self, variable: &Variable, index: usize) -> Option<String> {
        self.words.demand(self.module, variable, index)
    }

    /// A rule's message, unless it would show a secret: see [`export_variables`](super::export_variables).
    pub fn message(&self, variable: &Variable, index: usize) -> Option<String> {
        let Words { secrets, meter, .. } = &self.words;
        export::message(self.module, variable.validations.get(index)?, secrets, meter)
    }

    /// A rule's condition as written, unless it would show a secret.
    pub fn condition(&self, variable: &Variable, index: usize) -> Option<String> {
        export::condition(self.module, variable.validations.get(index)?, &self.words.secrets)
    }

    /// The texts that must not be shown.
    pub fn secrets(&self) -> &Secrets {
        &self.words.secrets
    }
}

/// The texts in everything that a rule says, about the variable and about the inputs.
fn sentences(translation: &Translation) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for constraint in [&translation.region.values, &translation.inputs] {
        of_schema(&Schema::to_json(&apply::alone(constraint)), &mut texts);
    }
    texts
}

/// The rule as schemas that all hold for the object of all inputs.
fn across_variables(constraint: &ValueSet) -> Vec<Schema> {
    match constraint {
        ValueSet::Anything => Vec::new(),
        ValueSet::All(parts) => parts.iter().flat_map(across_variables).collect(),
        ValueSet::Either(parts) => vec![implication(parts).unwrap_or_else(|| alone(constraint))],
        _ => vec![alone(constraint)],
    }
}

/// Writes a choice as `if` and `then`: people read it more easily, and forms do not offer it as a
/// choice. "A or B" becomes "if not A then B", where A is about one variable, so that its complement
/// among objects is about the same one. A part whose complement needs no `not` is preferred.
fn implication(parts: &[ValueSet]) -> Option<Schema> {
    let complements = parts.iter().map(complement).enumerate();
    let complements = complements.filter_map(|(index, it)| Some((index, it?)));
    let (index, when) = complements.min_by_key(|(_, it)| is_negative(it))?;
    let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
    let then = ValueSet::either(others.map(|(_, it)| it.clone()));
    let condition = IfThenElse { when: alone(&when), then: Some(alone(&then)), otherwise: None };
    Some(Keywords { condition: Some(condition), ..Keywords::default() }.into())
}

/// The objects that do not meet a constraint on one of their members.
fn complement(constraint: &ValueSet) -> Option<ValueSet> {
    let ValueSet::Member { name, required, values } = constraint else { return None };
    let values = ValueSet::clone(values).negated();
    Some(ValueSet::member(name.clone(), !required, values))
}

fn is_negative(constraint: &ValueSet) -> bool {
    matches!(constraint, ValueSet::Member { values, .. } if matches!(**values, ValueSet::Not(_)))
}
