//! `encode_expr` and `encode_tfvars`.

use super::hcl::Writer;
use crate::functions::{CallContext, Failure, Function, Param, ReturnType, Ty};
use hcl::is_identifier;
use release::changes;
use tf_value::{Refinements, Type, Value, quoted};

const VALUE: Param = Param::new("value", Ty::Any).unknown().dynamic();

pub const ENCODE_EXPR: Function = Function::pure(
    "encode_expr",
    "Encodes a value as a Terraform expression.",
    &[VALUE],
    ReturnType::Fixed(Ty::String),
    encode_expr,
);

pub const ENCODE_TFVARS: Function = Function::pure(
    "encode_tfvars",
    "Encodes an object as the text of a values file.",
    &[VALUE],
    ReturnType::Fixed(Ty::String),
    encode_tfvars,
);

fn encode_expr(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::unknown_not_null(Type::String)) };
    check_known(context, value)?;
    if !value.is_wholly_known() {
        let prefix = beginning(value).into();
        let refinements = Refinements { not_null: true, prefix, ..Refinements::default() };
        return Ok(Value::unknown(Type::String).refined(refinements));
    }
    let mut writer = Writer::default();
    writer.value(value);
    finish(context, writer)
}

/// Refuses a value that is not completely known: OpenTofu does not write it, even though a plan may know it.
fn check_known(context: &CallContext<'_>, value: &Value) -> Result<(), Failure> {
    let is_partly_known =
        value.is_known() && !value.is_wholly_known() && !value.deep_marks().is_undecided();
    if is_partly_known && context.release.has(&changes::ENCODES_WHOLE_OBJECTS) {
        return Err(Failure::call("not all of the value is known"));
    }
    Ok(())
}

/// The certain beginning of the text of a value that is not completely known.
fn beginning(value: &Value) -> &'static str {
    let is_there = value.is_known() || value.refinements().is_some_and(|it| it.not_null);
    match value.ty() {
        Type::Object(_) | Type::Map(_) if is_there => "{",
        Type::Tuple(_) | Type::List(_) | Type::Set(_) if is_there => "[",
        Type::String if is_there => "\"",
        _ => "",
    }
}

fn encode_tfvars(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let [value] = args else { return Ok(Value::unknown_not_null(Type::String)) };
    check_known(context, value)?;
    if !value.is_wholly_known() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let takes_maps = !context.release.has(&changes::ENCODES_WHOLE_OBJECTS);
    let mapping =
        value.as_mapping().filter(|_| takes_maps || matches!(value.ty(), Type::Object(_)));
    let Some(mapping) = mapping else {
        let message = "the value must be an object, whose attributes' names become the variables'";
        return Err(Failure::call(message));
    };
    let mut writer = Writer::default();
    for (name, it) in mapping {
        if !is_identifier(name) {
            let message = format!("{} is not a valid name for a variable", quoted(name));
            return Err(Failure::Call(message));
        }
        writer.attribute(name, it);
    }
    finish(context, writer)
}

fn finish(context: &CallContext<'_>, writer: Writer) -> Result<Value, Failure> {
    context.host.spend(writer.size() as u64 / 8)?;
    let text = writer.finish();
    context.host.spend(text.len() as u64 / 16)?;
    Ok(Value::string(text))
}
