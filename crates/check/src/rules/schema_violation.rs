//! `schema-violation`: the schema refuses a value of a `.tfvars.json` file that Terraform accepts by
//! converting it. Values in HCL files are exempt, since no JSON Schema validator reads these.

use std::cell::OnceCell;

use jsonschema::error::{ValidationError, ValidationErrorKind};
use smol_str::SmolStr;

use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use module::{
    Variable,
    inputs::{GivenValue, Input},
};
use projection::schema::{Draft, Schema, SchemaJson, SchemaOptions, is_plain};
use tf_value::{Path, Step, Value};

/// The regenerated schema as a validator of values.
pub struct Validator<'a> {
    schema: &'a Schema,
    /// Whether the schema requires more than Terraform does.
    requires_all: bool,
    /// Compiled on first use, since compiling takes longer than everything else about a module. `None`
    /// where the library cannot compile the schema, which is not a finding about an input.
    compiled: OnceCell<Option<jsonschema::Validator>>,
}

impl<'a> Validator<'a> {
    pub fn new(schema: &'a Schema, options: &SchemaOptions) -> Validator<'a> {
        Validator { schema, requires_all: options.require_all, compiled: OnceCell::new() }
    }

    /// The schema's errors for one variable's value. Errors about the whole document (other required
    /// variables) are left out. A plain value that Terraform surely accepts is accepted by the schema
    /// too.
    pub fn check(&self, variable: &Variable, input: &Input, is_accepted: bool) -> Diagnostics {
        let (GivenValue::Json(_) | GivenValue::Sealed(_)) = *input.given else { return Vec::new() };
        let value = &input.value;
        if !value.is_wholly_known() {
            return Vec::new();
        }
        if is_accepted && !self.requires_all && is_plain(value, &variable.constraint.ty) {
            return Vec::new();
        }
        let compiled = self.compiled.get_or_init(|| compile(self.schema));
        let Some(compiled) = compiled else { return Vec::new() };
        let value = SchemaJson::of(value).to_serde();
        let document = serde_json::json!({ variable.name.as_str(): value });
        let own = |it: &ValidationError<'_>| it.instance_path().as_str() != "";
        let found = compiled.iter_errors(&document).filter(own);
        found.map(|it| diagnostic(variable, input, innermost(&it))).collect()
    }
}

fn compile(schema: &Schema) -> Option<jsonschema::Validator> {
    let draft = match schema.draft() {
        Draft::Draft07 => jsonschema::Draft::Draft7,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    };
    jsonschema::options().with_draft(draft).build(&schema.to_json().to_serde()).ok()
}

/// The error inside of a choice (`anyOf` for a nullable variable): the last alternative's is the real
/// one.
fn innermost<'e>(error: &'e ValidationError<'e>) -> &'e ValidationError<'e> {
    let context = match error.kind() {
        ValidationErrorKind::AnyOf { context } => context,
        ValidationErrorKind::OneOfNotValid { context } => context,
        _ => return error,
    };
    let inner = context.last().and_then(|it| it.first());
    inner.map_or(error, |it| innermost(it))
}

fn diagnostic(variable: &Variable, input: &Input, error: &ValidationError<'_>) -> Diagnostic {
    let pointer = error.instance_path().as_str();
    // The first step is the variable itself.
    let is_shown = !variable.is_hidden();
    let (path, refused) = path(&input.value, pointer.split('/').skip(2).filter(|_| is_shown));
    let is_null = refused.is_some_and(|it| it.is_null());
    let place = input.locate(&path);
    let where_ = if path.is_empty() { String::new() } else { format!(" at {path}") };
    let summary = format!("The schema rejects the value of \"{}\"{where_}", variable.name);
    // A reason never contains the value itself, nor any key of a sensitive variable.
    let reason = if is_shown {
        format!("{}.", error.masked_with("the value"))
    } else {
        format!("No details are shown, because the variable is {}.", variable.secrecy())
    };
    Diagnostic::new(&lints::SCHEMA_VIOLATION, summary)
        .detail(reason)
        .at(Role::Value, place.value)
        .at(Role::Rule, rule_place(variable, error))
        .variable(variable.name.clone())
        .path(path.json_pointer())
        .help(if is_null { NULL } else { OTHER_TYPE })
}

/// The place of the rule behind an error: the condition for keywords that only conditions produce, the
/// type otherwise.
fn rule_place(variable: &Variable, error: &ValidationError<'_>) -> diagnostics::Span {
    let keyword = error.schema_path().as_str().rsplit('/').next().unwrap_or_default().to_owned();
    let of_type =
        ["type", "items", "prefixItems", "required", "additionalProperties", "uniqueItems"];
    let condition = variable.validations.first().map(|it| it.condition.span);
    if of_type.contains(&keyword.as_str()) || condition.is_none() {
        return variable.type_span.unwrap_or(variable.span);
    }
    condition.unwrap_or(variable.span)
}

const OTHER_TYPE: &str = "write it in the declared type; Terraform would convert it";
const NULL: &str = "leave the attribute out if it is optional(), or generate schemas with \
    nullable_all; Terraform accepts null";

/// Turns a JSON pointer into a path, by the kind of value at each step; also returns the value at its
/// end.
fn path<'a>(value: &Value, steps: impl Iterator<Item = &'a str>) -> (Path, Option<Value>) {
    let (mut at, mut path) = (Some(value.clone()), Path::default());
    for step in steps {
        let step = step.replace("~1", "/").replace("~0", "~");
        let Some(here) = at.take() else { break };
        if let Some(elements) = here.as_sequence() {
            let Ok(index) = step.parse::<usize>() else { break };
            at = elements.get(index).cloned();
            path = path.with(Step::index(index));
        } else {
            at = here.as_mapping().and_then(|it| it.get(step.as_str()).cloned());
            path = path.with(Step::Attribute(SmolStr::from(step)));
        }
    }
    (path, at)
}
