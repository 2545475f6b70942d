//! `source[*].…`

use std::rc::Rc;

use crate::{
    condition::{
        context::Context,
        symbolic::{Cases, Sequence, Term},
    },
    diagnostic::Span,
    syntax::Expr,
    value::Type,
};

pub fn splat<'m>(source: &'m Expr, each: &'m Expr, span: Span, context: &Context<'m>) -> Cases<'m> {
    super::cases(source, context).map(|term| {
        let sequence = |source| {
            let it = Sequence::Splat(context.names.clone(), Cases::one(source), each);
            Cases::one(Term::Sequence(Rc::new(it)))
        };
        match term {
            // Only what is no list becomes one of nothing when it is null.
            Term::Place(place) if matches!(place.ty, Type::List(_) | Type::Set(_)) => {
                sequence(term.clone())
            }
            Term::Sequence(it) if !matches!(&**it, Sequence::For(_, it) if it.key.is_some()) => {
                sequence(term.clone())
            }
            _ => Cases::unknown(format!("a splat over {}", term.form()), span),
        }
    })
}
