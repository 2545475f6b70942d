//! `templatestring`.

use super::text;
use crate::{
    functions::{Context, Failure, Function, Param, ReturnType, Ty},
    value::{Type, Value, convert},
};

/// Which expressions may stand for the template is not the function's matter: the evaluation of
/// the call sees to it.
pub const TEMPLATESTRING: Function = Function {
    name: "templatestring",
    description: "Renders a template that another object gives, with the given variables.",
    params: &[Param::new("template", Ty::String), Param::new("vars", Ty::Any)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::String),
    body,
};

/// The result is a string even where the template is a single expression of another type.
fn body(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let Some(variables) = args.get(1) else { return Err(Failure::call("vars are missing")) };
    let name = "<templatestring argument>";
    let result = context.host.render_template(name, text(args, 0), variables)?;
    if result.is_null() {
        return Err(Failure::call("the result of the template is null"));
    }
    convert(&result, &Type::String)
        .map_err(|it| Failure::call(format!("invalid template result: {}", it.reason)))
}
