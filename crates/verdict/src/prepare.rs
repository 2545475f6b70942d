//! A variable's final value: conversion, null, default.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use module::{
    Module, Variable,
    inputs::{self, Collected, Input, InputSource},
};
use tf_eval::Meter;
use tf_value::{ConvertError, Value};

/// The final values of all variables that have one, and the errors of the others.
pub(super) fn all(
    module: &Module,
    given: &Collected,
    meter: &Meter,
) -> (BTreeMap<SmolStr, Value>, Diagnostics) {
    let (mut values, mut diagnostics) = (BTreeMap::new(), Diagnostics::new());
    for (name, variable) in &module.variables {
        match prepare(variable, given.get(name), meter) {
            Some(Ok(value)) => values.extend([(name.clone(), value)]),
            Some(Err(problem)) => diagnostics.push(problem),
            None => break,
        }
    }
    (values, diagnostics)
}

/// The final value of `var.NAME`. A variable without a given value has its default; one without either
/// was reported before. `None` where the budget is exhausted before the conversion.
pub(super) fn prepare(
    variable: &Variable,
    given: Option<&Input>,
    meter: &Meter,
) -> Option<Result<Value, Diagnostic>> {
    let work = given.map_or(1, |it| it.value.size());
    meter.charge(work).then(|| final_value(variable, given))
}

fn final_value(variable: &Variable, given: Option<&Input>) -> Result<Value, Diagnostic> {
    let value = match given {
        None => variable.default.clone(),
        Some(given) => {
            let value = variable.constraint.accept(&given.value);
            Some(value.map_err(|error| mismatch(variable, given, &error))?)
        }
    };
    let Some(value) = value else { return Err(inputs::missing(variable)) };
    if !value.is_null() || variable.is_nullable() {
        return Ok(value);
    }
    // Null means "not given" where null is not allowed.
    variable.instead_of_null().cloned().ok_or_else(|| null(variable, given))
}

fn mismatch(variable: &Variable, given: &Input, error: &ConvertError) -> Diagnostic {
    let how = match &given.origin {
        InputSource::File(_) | InputSource::Call => String::new(),
        InputSource::Environment(name) => format!(", set by the environment variable {name},"),
        InputSource::CommandLine => ", set by -var,".to_owned(),
    };
    let name = &variable.name;
    let diagnostic = Diagnostic::new(&lints::TYPE_MISMATCH, "Invalid value for input variable")
        .variable(name.clone());
    let (diagnostic, place) = if variable.is_hidden() {
        // A path or a reason may hold keys of the value.
        let secrecy = variable.secrecy();
        let detail = format!(
            "The given value is not suitable for var.{name}{how} (no details, because it is \
            {secrecy})."
        );
        (diagnostic.detail(detail), given.span())
    } else {
        let at = if error.path.is_empty() { String::new() } else { format!(" at {}", error.path) };
        let (reason, more) = (&error.reason, error.more());
        let detail =
            format!("The given value is not suitable for var.{name}{how}{at}: {reason}{more}.");
        let pointer = error.path.json_pointer();
        (diagnostic.detail(detail).path(pointer), given.locate(&error.path).value)
    };
    let diagnostic = diagnostic.at(Role::Value, place);
    diagnostic.at(Role::Declaration, variable.type_span.unwrap_or(variable.span))
}

fn null(variable: &Variable, given: Option<&Input>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lints::NULL_NOT_ALLOWED, "Required variable not set")
        .detail(format!(
            "The variable \"{}\" is required, so the value must not be null.",
            variable.name
        ))
        .variable(variable.name.clone());
    let place = given.map(Input::span);
    let diagnostic = match place {
        Some(span) => diagnostic.at(Role::Value, span),
        None => diagnostic,
    };
    diagnostic.at(Role::Declaration, variable.span)
}
