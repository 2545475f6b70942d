//! `source[*].…`

use std::rc::Rc;

use crate::{
    condition::{
        context::Context,
        outcomes,
        symbolic::{Cases, Place, Sequence, Term},
        types,
    },
    sets::Reason,
};
use diagnostics::Span;
use hcl::Expr;
use tf_value::Type;

pub fn splat<'m>(source: &'m Expr, each: &'m Expr, span: Span, context: &Context<'m>) -> Cases<'m> {
    super::cases(source, context).map(|term| {
        let sequence = |source| {
            let it = Sequence::Splat(context.names.clone(), Cases::one(source), each);
            Cases::one(Term::Sequence(Rc::new(it)))
        };
        if fails_for_every_element(term, each, context) {
            return Cases::failure();
        }
        match term {
            // Only a null that is not a list becomes an empty list.
            Term::Place(place) if matches!(place.ty, Type::List(_) | Type::Set(_)) => {
                sequence(term.clone())
            }
            Term::Sequence(it) if !matches!(&**it, Sequence::For(_, it) if it.key.is_some()) => {
                sequence(term.clone())
            }
            _ => Cases::unknown(Reason::SplatOver(term.form()), span),
        }
    })
}

/// Whether the elements of a list or set are of a type for which `each` always fails. Terraform tries an
/// unknown element of that type where there are none: `var.x[*].a` of strings fails for `[]`, too.
fn fails_for_every_element<'m>(source: &Term<'m>, each: &'m Expr, context: &Context<'m>) -> bool {
    let ty = types::of_term(source, context);
    let (Type::List(element) | Type::Set(element)) = &ty else {
        return false;
    };
    let (root, _) = context.fresh();
    let element = Cases::one(Term::Place(Place::root(root, (**element).clone(), None)));
    let inside = context.within(&context.names.with_item(element));
    outcomes::defined(&super::cases(each, &inside), &inside).is_nothing()
}
