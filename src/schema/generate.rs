//! From a module to its schema.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Conditions, Json, Keywords, Kind, Options, Schema, Secrets, annotate, apply, defaults,
    implication, types,
};
use crate::{
    condition::{self, Constraint, Region, Translation},
    diagnostic::Diagnostics,
    eval::Meter,
    module::{Module, Variable},
    typeexpr::Defaults,
    value::{Type, Value},
};

/// A module's schema, and what is to be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    pub schema: Schema,
    /// Warnings about conditions that did not get through whole.
    pub diagnostics: Diagnostics,
    /// Each variable with `validation` blocks, and their translations.
    pub translations: Vec<(smol_str::SmolStr, Vec<Translation>)>,
}

/// The schema of a module's variables.
pub fn generate(module: &Module, options: &Options) -> Generated {
    generate_metered(module, options, &Meter::default())
}

/// As [`generate`], and counts the work. Where the meter is exhausted afterwards, the schema lacks
/// something.
pub fn generate_metered(module: &Module, options: &Options, meter: &Meter) -> Generated {
    let mut diagnostics = Diagnostics::new();
    let mut translations = Vec::new();
    let mut properties = BTreeMap::new();
    let mut required = BTreeSet::new();
    let mut inputs = Vec::new();
    let secrets = secrets(module, options);
    for (order, variable) in included(module, options).enumerate() {
        let name = variable.name.to_string();
        if variable.is_required() || options.require_all {
            required.insert(name.clone());
        }
        let translated = translate((module, variable), options, &secrets, meter);
        diagnostics.extend(translated.iter().flat_map(|it| it.diagnostics(variable)));
        let mut property = property((module, variable), &translated, options, meter);
        property.description = description(variable, &secrets);
        if options.annotations {
            annotate::annotate(
                &mut property,
                (module, variable),
                &translated,
                (order, options, &secrets),
                meter,
            );
        }
        properties.insert(name, property.into());
        inputs.extend(translated.iter().map(|it| it.inputs.clone()));
        if !translated.is_empty() {
            translations.push((variable.name.clone(), translated));
        }
    }
    let mut root = Keywords {
        dialect: Some(options.draft),
        additional_properties: Some(Schema::Bool(!options.disallow_additional_properties)),
        properties: Some(properties),
        required: Some(required),
        extra: options.properties.iter().map(|(k, it)| (k.clone(), Json::string(it))).collect(),
        ..Keywords::default()
    };
    for schema in inputs.iter().flat_map(implication::inputs) {
        apply::add_all_of(&mut root, schema);
    }
    Generated { schema: root.into(), diagnostics, translations }
}

/// The module's variables without the ignored ones.
pub fn included<'m>(
    module: &'m Module,
    options: &'m Options,
) -> impl Iterator<Item = &'m Variable> {
    module.variables.values().filter(|it| !options.ignore_variables.contains(it.name.as_str()))
}

/// What must not be in a schema under these options.
pub(super) fn secrets(module: &Module, options: &Options) -> Secrets {
    if options.sensitive_defaults { Secrets::default() } else { Secrets::of(module, []) }
}

/// Whether the variable's defaults are left out.
pub(super) fn are_defaults_hidden(variable: &Variable, options: &Options) -> bool {
    variable.is_hidden() && !options.sensitive_defaults
}

/// The description, unless a default that must not be shown is in it.
pub(super) fn description(variable: &Variable, secrets: &Secrets) -> Option<String> {
    let shown = variable.description.as_ref().filter(|it| !secrets.are_in_prose(variable, it));
    shown.cloned()
}

fn translate(
    (module, variable): (&Module, &Variable),
    options: &Options,
    secrets: &Secrets,
    meter: &Meter,
) -> Vec<Translation> {
    if options.conditions == Conditions::None {
        return Vec::new();
    }
    let mut translations = condition::translate(module, variable, meter);
    for (translation, rule) in translations.iter_mut().zip(&variable.validations) {
        translation.forget(&options.ignore_variables, rule.condition.span);
    }
    if options.conditions == Conditions::Basic {
        for (translation, rule) in translations.iter_mut().zip(&variable.validations) {
            if !condition::is_basic(module, variable, &rule.condition, meter) {
                let reason = "a form beyond those that the option `basic` names";
                translation.region = Region::unknown(reason, rule.condition.span);
                translation.inputs = Constraint::Anything;
                translation.slow_patterns.clear();
            }
        }
    }
    for (translation, rule) in translations.iter_mut().zip(&variable.validations) {
        if secrets.are_in_condition(module, rule)
            || secrets.are_in_keywords(rule, &said(translation))
        {
            let reason =
                "a condition that contains the default of a sensitive or ephemeral variable";
            translation.region = Region::unknown(reason, rule.condition.span);
            translation.inputs = Constraint::Anything;
            translation.slow_patterns.clear();
        }
    }
    translations
}

/// All that a rule says, of the variable and of the inputs.
fn said(translation: &Translation) -> Json {
    let constraints = [translation.region.values.clone(), translation.inputs.clone()];
    Json::Array(constraints.iter().map(|it| Schema::to_json(&apply::alone(it))).collect())
}

/// Whether the schema allows null: as declared, else by option; a variable whose default is null
/// is nullable, or its own default would be refused.
fn is_nullable(variable: &Variable, options: &Options) -> bool {
    let null_default = variable.default.as_ref().is_some_and(Value::is_null);
    variable.nullable.unwrap_or(options.nullable_all || null_default)
}

fn property(
    (module, variable): (&Module, &Variable),
    translations: &[Translation],
    options: &Options,
    meter: &Meter,
) -> Keywords {
    let constraint = &variable.constraint;
    let kind = types::kind(&constraint.ty);
    let mut keywords = types::keywords(&constraint.ty, shown_defaults(variable, options), options);
    // Who asks for null everywhere gets it, as from the tools before us.
    let refuses_null = options.conditions == Conditions::Full
        && !options.nullable_all
        && translations.iter().any(|it| !it.region.null);
    let nullable = is_nullable(variable, options) && !(refuses_null && kind.is_some());
    let select = kind.filter(|_| nullable);
    // A rule that lets null pass is about the values beside it. One that does not stands beside the
    // choice, and so does what the Go tool writes there.
    let is_inside = |it: &&Translation| {
        let rule = variable.validations.get(it.validation);
        let is_basic =
            rule.is_some_and(|it| condition::is_basic(module, variable, &it.condition, meter));
        select.is_some() && it.region.null && !is_basic
    };
    let (inside, beside): (Vec<_>, Vec<_>) = translations.iter().partition(is_inside);
    for it in inside {
        apply::apply(&mut keywords, &it.region.values.clone().without_null());
    }
    if let Some(kind) = select {
        keywords = select_type(&variable.name, kind, keywords);
    }
    beside
        .into_iter()
        .for_each(|it| apply::apply(&mut keywords, &rule(it, nullable || kind.is_none())));
    let rules = Constraint::all(translations.iter().map(|it| it.region.values.clone()));
    if refuses_null && kind.is_none() && rules.accepts_null() {
        let null = Constraint::OneOf(vec![Value::null(Type::Dynamic)]);
        apply::apply(&mut keywords, &null.negated());
    }
    keywords.default = default(variable, options, meter);
    keywords
}

/// What a nullable variable looks like: react-jsonschema-form shows the titles in a menu.
fn select_type(name: &str, kind: Kind, mut typed: Keywords) -> Keywords {
    let titled = |kind: Kind, mut keywords: Keywords| {
        keywords.kind = Some(kind);
        keywords.title = Some(kind.as_str().to_owned());
        Schema::from(keywords)
    };
    let null = titled(Kind::Null, Keywords::default());
    typed.kind = Some(kind);
    Keywords {
        title: Some(format!("{name}: Select a type")),
        any_of: vec![null, titled(kind, typed)],
        ..Keywords::default()
    }
}

/// The constraint of a rule. Where null can get that far and the rule allows it, the constraint
/// must, too.
fn rule(translation: &Translation, null_possible: bool) -> Constraint {
    let values = translation.region.values.clone();
    if null_possible && translation.region.null { values.with_null() } else { values }
}

/// The defaults of optional attributes, where they may be shown.
fn shown_defaults<'v>(variable: &'v Variable, options: &Options) -> Option<&'v Defaults> {
    variable.constraint.defaults.as_ref().filter(|_| !are_defaults_hidden(variable, options))
}

/// The default in its written shape where that is known, else as converted; none where it must not
/// be shown.
fn default(variable: &Variable, options: &Options, meter: &Meter) -> Option<Json> {
    let is_shown = !are_defaults_hidden(variable, options);
    let converted = variable.default.as_ref().filter(|_| is_shown)?;
    let constraint = &variable.constraint;
    let written = variable.default_expr.as_ref().and_then(|it| condition::fold(it, meter));
    let value = written.as_ref().unwrap_or(converted);
    Some(defaults::render(value, &constraint.ty, constraint.defaults.as_ref(), options))
}
