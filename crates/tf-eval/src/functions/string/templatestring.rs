//! `templatestring`.

use super::text;
use crate::functions::{CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty};
use diagnostics::Sources;
use hcl::{is_too_deep, parse_template};
use tf_value::{Type, Value, convert};

/// The template's name in messages.
const NAME: &str = "<templatestring argument>";

/// The function does not restrict which expressions may be the template; the evaluation of the call
/// does.
pub const TEMPLATESTRING: Function = Function::pure(
    "templatestring",
    "Renders a template from another object with the given variables.",
    &[Param::new("template", Ty::String), Param::new("vars", Ty::Any)],
    ReturnType::Fixed(Ty::String),
    body,
)
.depends_on(DependsOn::Expressions);

/// OpenTofu's declaration: the template may be any expression, and the result is its value. The marks of
/// the variables stay in them; variables that are sensitive as a whole make OpenTofu's implementation
/// panic and recover.
pub const OF_OPENTOFU: Function = Function {
    params: &[Param::new("data", Ty::String), Param::new("vars", Ty::Any).marked()],
    returns: ReturnType::Fixed(Ty::Any),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body: |context, args, _| {
        if !args[1].marks().of_terraform().is_empty() {
            return Err(Failure::call("the variables must not be sensitive as a whole"));
        }
        context.host.render_template(NAME, text(args, 0), &args[1])
    },
    ..TEMPLATESTRING
};

/// The result is a string even where the template is a single expression of another type.
fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let Some(variables) = args.get(1) else { return Err(Failure::call("vars are missing")) };
    check_syntax(text(args, 0))?;
    let result = context.host.render_text(NAME, text(args, 0), variables)?;
    if result.is_null() {
        return Err(Failure::call("the result of the template is null"));
    }
    convert(&result, &Type::String)
        .map_err(|it| Failure::call(format!("invalid template result: {}", it.reason)))
}

/// Refuses a malformed template: unlike in `templatefile`, that is the argument's fault.
fn check_syntax(template: &str) -> Result<(), Failure> {
    let file = Sources::new().add(NAME, template.as_bytes().to_vec());
    let (_, errors) = parse_template(file, template.as_bytes(), 0);
    match errors.first() {
        None => Ok(()),
        Some(error) if is_too_deep(error) => Err(Failure::too_deep()),
        Some(error) => Err(Failure::argument(0, format!("invalid template: {}", error.summary))),
    }
}
