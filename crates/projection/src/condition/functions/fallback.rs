//! `can` and `try`, which read their arguments themselves.

use crate::{
    condition::{
        context::Context,
        expressions, outcomes,
        symbolic::{Cases, Term, Truth},
        types,
    },
    sets::Extent,
};
use hcl::Expr;
use tf_value::Type;

/// True where the expression evaluates, whatever its value is.
pub fn can<'m>(inner: &'m Expr, context: &Context<'m>) -> Cases<'m> {
    let cases = expressions::cases(inner, context);
    let when_false = outcomes::failing(&cases, context);
    let when_true = outcomes::defined(&cases, context);
    let defined = Truth { when_true, error: when_false.clone(), ..Truth::never() };
    let defined = if context.is_kleene() { defined } else { defined.before_kleene() };
    let truth = Truth { when_true: defined.when_true, when_false, ..Truth::never() };
    Cases::one(Term::Bool(Box::new(truth)))
}

/// The first argument that does not fail.
pub fn attempt<'m>(args: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    if let [first, fallback] = args
        && let Some(fallback) = context.constant(fallback).and_then(|it| it.as_bool())
        && types::of_cases(&expressions::cases(first, context), context) == Some(Type::Bool)
    {
        let truth = expressions::truth(first, context);
        let truth = truth.or_else(fallback, context.is_kleene());
        return Cases::one(Term::Bool(Box::new(truth)));
    }
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        let cases = expressions::cases(arg, context);
        let error = outcomes::failing(&cases, context);
        for (guard, term) in cases.list {
            let guard = rest.clone().and(guard);
            let term = match term {
                Term::Bool(truth) if index + 1 < args.len() => {
                    let mut truth =
                        if context.is_kleene() { *truth } else { truth.before_kleene() };
                    truth.error = Extent::nothing();
                    Term::Bool(Box::new(truth))
                }
                other => other,
            };
            let guard = match &term {
                Term::Bool(_) => guard,
                other => guard.and(outcomes::defined(&Cases::one(other.clone()), context)),
            };
            out.add(&guard, Cases::one(term));
        }
        rest = rest.and(error);
    }
    out.error = rest;
    out
}
