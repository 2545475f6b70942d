//! `templatestring`.

use super::text;
use crate::functions::{Function, Param, ReturnType, Ty};

/// Which expressions may stand for the template is not the function's matter: the evaluation of
/// the call sees to it.
pub const TEMPLATESTRING: Function = Function {
    name: "templatestring",
    description: "Renders a template that another object gives, with the given variables.",
    params: &[Param::new("template", Ty::String), Param::new("vars", Ty::Any)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Any),
    body: |context, args, _| {
        let Some(variables) = args.get(1) else {
            return Err(crate::functions::Failure::call("vars are missing"));
        };
        context.host.render_template("template", text(args, 0), variables)
    },
};
