//! `name(…)`: calls of functions.

use crate::{
    condition::{
        context::{Context, Folded},
        functions::{self as readers, fallback},
        symbolic::Cases,
    },
    sets::Reason,
};
use hcl::{Expr, Ident};
use tf_eval::functions::{self, DependsOn};
use tf_value::Value;

/// A call as it is written.
pub fn cases<'m>(
    name: &Ident,
    args: &'m [Expr],
    expand: bool,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let span = expr.span;
    if expand {
        return Cases::unknown(Reason::ExpandedArgument, span);
    }
    let plain = name.name.strip_prefix("core::").unwrap_or(&name.name);
    match (plain, args) {
        ("can", [inner]) => return fallback::can(inner, context),
        ("try", _) => return fallback::attempt(args, context),
        _ => (),
    }
    let values: Vec<Cases<'m>> = args.iter().map(|it| super::cases(it, context)).collect();
    let Some(function) = functions::lookup(plain) else {
        if plain.starts_with("provider::") {
            return Cases::unknown(Reason::Call(plain.into()), span);
        }
        // A call of an unknown function is an error, which `can` catches.
        return Cases::failure();
    };
    if function.depends_on == DependsOn::Expressions {
        return Cases::unknown(Reason::Call(plain.into()), span);
    }
    let constants: Option<Vec<Value>> = values.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(constants) = constants {
        match context.fold_call(name, &constants, span) {
            Folded::Value(value) => return Cases::constant(value),
            Folded::Error if function.depends_on == DependsOn::Arguments => {
                return Cases::failure();
            }
            _ => return Cases::unknown(Reason::CallWithThese(plain.into()), span),
        }
    }
    readers::cases(function, &values, span, context)
}
