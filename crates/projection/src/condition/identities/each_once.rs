//! Lists with one element for each element of a collection, such as `[for v in var.l : v.name]`.

use crate::condition::{
    context::Context,
    expressions,
    symbolic::{Place, Sequence, Term},
    types,
};
use diagnostics::Span;

/// Finds that collection: for the list above, `var.l`.
pub fn each_once<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Place> {
    match term {
        Term::Place(place) => Some(place.clone()),
        Term::Sequence(it) => match &**it {
            Sequence::Elements(place, _) | Sequence::Keys(place) => Some(place.clone()),
            Sequence::For(names, it) if it.condition.is_none() && it.key.is_none() => {
                match expressions::cases(&it.collection, &context.within(names)).list.as_slice() {
                    [(_, source)] => each_once(source, context),
                    _ => None,
                }
            }
            Sequence::Splat(_, source, _) => match source.list.as_slice() {
                [(_, source)] => each_once(source, context),
                _ => None,
            },
            Sequence::Flattened(source) => match source.list.as_slice() {
                [(_, term)] if types::is_flat(source, context, Span::default()) => {
                    each_once(term, context)
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
