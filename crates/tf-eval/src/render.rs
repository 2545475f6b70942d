//! Renders the templates of `templatefile` and `templatestring`, whose root names are given variables.

use smol_str::SmolStr;

use super::{NoData, Scope, evaluator::Evaluator, nested, references::for_each_root_of_template};
use crate::functions::{Failure, Host};
use diagnostics::Sources;
use hcl::{Expr, is_identifier, parse_template};
use release::{Release, changes};
use tf_value::{Type, Value, quoted};

/// The index of the variables among the parameters of both functions.
const VARIABLES: usize = 1;

/// The base work of reading a template; its length adds to it.
const TEMPLATE: u64 = 16;

/// Renders a template; `name` is its name in messages. The result is a string, or the value of a
/// template that is a single interpolation.
pub(super) fn render(
    name: &str,
    text: &str,
    variables: &Value,
    host: &dyn Host,
    release: Release,
) -> Result<Value, Failure> {
    let Some(given) = names(variables)? else { return Ok(Value::unknown(Type::Dynamic)) };
    host.spend(TEMPLATE + text.len() as u64 / 4)?;
    let mut sources = Sources::new();
    let file = sources.add(name, text.as_bytes().to_vec());
    let (expr, errors) = parse_template(file, text.as_bytes(), 0);
    if let Some(error) = errors.first() {
        return Err(nested::failure("", error, &sources));
    }
    check_names(&expr, &given, &sources)?;
    let scope = Scope { data: &NoData, host, release };
    let mut evaluator = Evaluator::new(&scope);
    evaluator.names = given;
    let evaluation = evaluator.run(&expr);
    match evaluation.diagnostics.first() {
        Some(error) => Err(nested::failure("", error, &sources)),
        None if evaluation.value.is_null() && release.has(&changes::TEMPLATE_NOT_NULL) => {
            Err(Failure::call("the result of the template is null"))
        }
        None => Ok(evaluation.value),
    }
}

/// The variables by name; `None` if they are unknown.
fn names(variables: &Value) -> Result<Option<Vec<(SmolStr, Value)>>, Failure> {
    if !matches!(variables.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic) {
        return Err(Failure::argument(VARIABLES, "invalid vars value: must be a map"));
    }
    let Some(mapping) = variables.as_mapping() else { return Ok(None) };
    if let Some(name) = mapping.keys().find(|it| !is_identifier(it)) {
        let message = format!(
            "{} is not a name for a template variable: use a letter or underscore, followed by \
            letters, digits, underscores and dashes",
            quoted(name)
        );
        return Err(Failure::argument(VARIABLES, message));
    }
    Ok(Some(mapping.iter().map(|(name, it)| (name.clone(), it.clone())).collect()))
}

fn check_names(expr: &Expr, given: &[(SmolStr, Value)], sources: &Sources) -> Result<(), Failure> {
    let bound: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
    let mut first = None;
    for_each_root_of_template(expr, &bound, &mut |root| _ = first.get_or_insert(root));
    match first {
        None => Ok(()),
        Some(root) => {
            let (name, at) = (quoted(root.name), sources.display(root.span));
            let message = format!("vars map does not contain key {name}, referenced at {at}");
            Err(Failure::argument(VARIABLES, message))
        }
    }
}
