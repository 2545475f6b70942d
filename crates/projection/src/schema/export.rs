//! The variables themselves as JSON, for tools that do not want a schema.

use std::collections::BTreeMap;

use super::{
    SchemaJson, SchemaOptions,
    generate::{are_defaults_hidden, description, included, secrets},
};
use crate::condition;
use hcl::{Expr, ExprKind};
use module::{Module, Secrets, Validation, Variable};
use tf_eval::Meter;
use tf_value::json::type_to_json;

/// An object from variable name to `default` (null when there is none), `description`, `nullable`,
/// `sensitive` (each only when set), `validation` (an array, of one for each block) and
/// `type`, in this order. A type is in Terraform's JSON notation, and `"any"` when it is not declared.
/// The default of a sensitive or ephemeral variable is left out, unless the options want it, and so
/// is every text that contains one.
pub fn export_variables(module: &Module, options: &SchemaOptions, meter: &Meter) -> SchemaJson {
    let secrets = secrets(module, options);
    let record = |it: &Variable| {
        let is_shown = !are_defaults_hidden(it, options) || it.is_required();
        let default = is_shown.then(|| default(it, meter));
        (it.name.to_string(), SchemaJson::Record(members(module, it, default, &secrets, meter)))
    };
    SchemaJson::Object(included(module, options).map(record).collect::<BTreeMap<_, _>>())
}

fn members(
    module: &Module,
    variable: &Variable,
    default: Option<SchemaJson>,
    secrets: &Secrets,
    meter: &Meter,
) -> Vec<(&'static str, SchemaJson)> {
    let flag = |it: Option<bool>| it.map(SchemaJson::Bool);
    let validations = variable.validations.iter();
    let validations = validations.map(|it| validation(module, it, secrets, meter));
    let validations: Vec<SchemaJson> = validations.collect();
    let validation = Some(validations).filter(|it| !it.is_empty()).map(SchemaJson::Array);
    let members = [
        ("default", default),
        ("description", description(variable, secrets).map(SchemaJson::String)),
        ("nullable", flag(variable.nullable)),
        ("sensitive", flag(variable.sensitive)),
        ("validation", validation),
        ("type", Some(type_notation(variable))),
    ];
    members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn default(variable: &Variable, meter: &Meter) -> SchemaJson {
    let written = variable.default_expr.as_ref().and_then(|it| condition::fold(it, meter));
    written.as_ref().or(variable.default.as_ref()).map_or(SchemaJson::Null, SchemaJson::of)
}

fn type_notation(variable: &Variable) -> SchemaJson {
    if variable.type_span.is_none() {
        return SchemaJson::string("any");
    }
    type_to_json(&variable.constraint.ty).into()
}

fn validation(
    module: &Module,
    validation: &Validation,
    secrets: &Secrets,
    meter: &Meter,
) -> SchemaJson {
    let condition =
        condition(module, validation, secrets).map(|it| ("condition", SchemaJson::String(it)));
    let message = message(module, validation, secrets, meter);
    let message = message.map(|it| ("error_message", SchemaJson::String(it)));
    SchemaJson::Record(condition.into_iter().chain(message).collect())
}

/// A rule's condition as written, unless it contains a default that must not be shown.
pub(super) fn condition(
    module: &Module,
    validation: &Validation,
    secrets: &Secrets,
) -> Option<String> {
    let is_hidden = secrets.are_in_expression(module, &validation.condition);
    (!is_hidden).then(|| source(module, &validation.condition))
}

/// An expression as written.
fn source(module: &Module, expr: &Expr) -> String {
    module.sources.snippet(expr.span).into_owned()
}

/// A rule's message: the text of a constant, else the text between the quotes of a template, else the
/// expression. `None` if it contains a default that must not be shown.
pub(super) fn message(
    module: &Module,
    validation: &Validation,
    secrets: &Secrets,
    meter: &Meter,
) -> Option<String> {
    let message = validation.error_message.as_ref()?;
    let constant = condition::fold(message, meter);
    let text = match constant.as_ref().and_then(|it| it.as_str()) {
        Some(text) => text.to_owned(),
        None => template_text(&message.kind, source(module, message)),
    };
    (!secrets.are_in_message(module, validation, &text)).then_some(text)
}

fn template_text(kind: &ExprKind, source: String) -> String {
    let inner = source.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    match (kind, inner) {
        (ExprKind::Template(_), Some(inner)) => inner.to_owned(),
        _ => source,
    }
}
