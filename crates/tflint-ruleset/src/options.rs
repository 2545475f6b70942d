//! Values in tflint's configuration. They come as source text, of HCL or of JSON.

use super::wire::{Attribute, Position};
use diagnostics::{Diagnostic, Diagnostics, FileId};
use hcl::{json, parse_value};
use module::inputs::{GivenValue, is_json_file};
use release::Release;
use tf_eval::Meter;
use tf_value::{Type, Value, convert};

/// A list of strings. Errors: what is wrong and where.
pub(super) fn texts(attribute: &Attribute) -> Result<Vec<String>, String> {
    let wrong = || misfit(attribute, "a list of strings");
    let value = constant(attribute)?;
    let list = convert(&value, &Type::list(Type::String)).map_err(|_| wrong())?;
    let elements = list.as_sequence().ok_or_else(wrong)?.iter();
    elements.map(|it| it.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

/// A bool. Errors: what is wrong and where.
pub(super) fn truth(attribute: &Attribute) -> Result<bool, String> {
    let wrong = || misfit(attribute, "true or false");
    let value = convert(&constant(attribute)?, &Type::Bool).map_err(|_| wrong())?;
    value.as_bool().ok_or_else(wrong)
}

fn constant(attribute: &Attribute) -> Result<Value, String> {
    let expression = attribute.expression.clone().unwrap_or_default();
    let range = expression.range.unwrap_or_default();
    let (given, mut problems) = if is_json_file(&range.filename) {
        let (value, problems) = json::parse(FileId::default(), &expression.source);
        (GivenValue::Json(value), problems)
    } else {
        let (expr, problems) = parse_value(FileId::default(), &expression.source, 0);
        (GivenValue::Expr(expr), problems)
    };
    let (value, more) = given.evaluate(true, Release::NEWEST, &Meter::default());
    problems.extend(more);
    if problems.is_empty() { Ok(value) } else { Err(complain(attribute, &text(&problems))) }
}

fn text(problems: &Diagnostics) -> String {
    problems.first().map(Diagnostic::message).unwrap_or_default()
}

fn misfit(attribute: &Attribute, expected: &str) -> String {
    complain(attribute, &format!("it must be {expected}"))
}

/// `.tflint.hcl:3:15: "var_files": it must be a list of strings`
fn complain(attribute: &Attribute, what: &str) -> String {
    let range = attribute.expression.as_ref().and_then(|it| it.range.clone()).unwrap_or_default();
    let Position { line, column, .. } = range.start.unwrap_or_default();
    format!("{}:{line}:{column}: \"{}\": {what}", range.filename, attribute.name)
}
