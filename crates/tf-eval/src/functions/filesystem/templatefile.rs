//! `templatefile`: a file rendered as a template.

use super::location::read_text;
use crate::functions::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "templatefile",
    "Reads a file and renders its contents as a template with variables.",
    &[Param::new("path", Ty::String), Param::new("vars", Ty::Any)],
    ReturnType::Fixed(Ty::Any),
    body,
)
.depends_on(DependsOn::Machine);

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let path = text(&args[0]);
    let template = read_text(context, path)?;
    if !matches!(args[1].ty(), Type::Object(_) | Type::Map(_)) {
        return Err(Failure::argument(1, "the variables must be a map or an object"));
    }
    context.host.render_template(path, &template, &args[1])
}
