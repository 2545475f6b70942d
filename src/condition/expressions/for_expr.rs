//! `[for … : …]` and `{for … : … => …}`.

use std::cell::{Cell, RefCell};

use super::for_keys::{self, Keys};
use crate::{
    condition::{
        context::Context,
        outcomes,
        quantifiers::{Elements, Visitor},
        symbolic::{Cases, Term, Truth},
    },
    diagnostic::Span,
    sets::{Assignments, Extent, Region, ValueSet},
    syntax::ForExpr,
};

pub fn elements<'m>(
    context: &Context<'m>,
    it: &'m ForExpr,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let source = super::cases(&it.collection, context);
    let outside = RefCell::new(Vec::new());
    let is_visited = Cell::new(false);
    let keys = Keys::default();
    let out = super::elements_of_loop(&source, context, span, &|element, key| {
        is_visited.set(true);
        let bound = [element, key];
        let inside = bound_in(context, it, element, key);
        let value = super::cases(&it.value, &inside);
        let out = match &it.key {
            Some(key) => {
                let key = super::cases(key, &inside);
                let value = if it.group { for_keys::grouped(&value, &inside) } else { value };
                keys.fit(visit(&value, &key), &key, &inside)
            }
            None => visit(&value, &Cases::unknown("the index of an element", span)),
        };
        match &it.condition {
            Some(condition) => {
                let condition = super::truth(condition, &inside);
                // A known element is there.
                if element.as_constant().is_none() {
                    outside.borrow_mut().extend(failing_outside(&condition, &bound));
                }
                out.only_if(condition)
            }
            None => out,
        }
    });
    if let (false, Some(condition)) = (is_visited.get(), &it.condition) {
        let any = Cases::unknown("an element of no elements", span);
        let condition = super::truth(condition, &bound_in(context, it, &any, &any));
        outside.borrow_mut().extend(failing_outside(&condition, &[]));
    }
    let out = if it.group { out } else { keys.once(out, it, &source) };
    // Not joined: a union may be written in other parts than its operands.
    let missing = [outcomes::failing(&source, context), without_source(&source)];
    let is_missing = |part| missing.iter().any(|it| it.formula.has_part(part));
    if outside.into_inner().iter().all(is_missing) {
        return out;
    }
    out.losing("a filter that fails although there is no element", span)
}

/// What the body of a loop refers to, for one element and its key.
fn bound_in<'m>(
    context: &Context<'m>,
    it: &'m ForExpr,
    element: &Cases<'m>,
    key: &Cases<'m>,
) -> Context<'m> {
    let mut inside = context.clone();
    if let Some(name) = &it.key_name {
        inside = inside.bind(&name.name, key.clone());
    }
    inside.bind(&it.value_name.name, element.clone())
}

/// Where the source is null or cannot be reached: the loop fails there.
fn without_source(source: &Cases<'_>) -> Extent {
    let missing = source.list.iter().filter_map(|(guard, it)| match it {
        Term::Place(place) => {
            let null = Region::new(true, ValueSet::Nothing);
            Some(guard.clone().and(place.lift(null, true)))
        }
        _ => None,
    });
    Extent::any(missing)
}

/// Where a filter fails whatever the element is. Terraform asks it once without any element.
fn failing_outside(condition: &Truth, bound: &[&Cases<'_>]) -> Vec<Assignments> {
    let places = bound.iter().flat_map(|it| &it.list);
    let roots: Vec<_> = places.filter_map(|(_, it)| it.root()).collect();
    let parts = condition.error.formula.parts();
    parts.into_iter().filter(|it| !it.roots().iter().any(|it| roots.contains(&it))).collect()
}
