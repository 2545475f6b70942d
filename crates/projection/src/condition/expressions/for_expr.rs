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
    sets::{Assignments, ConstraintRoot, Extent, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::ForExpr;

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
            None => visit(&value, &Cases::unknown(Reason::ElementIndex, span)),
        };
        match &it.condition {
            Some(condition) => {
                let condition = super::truth(condition, &inside);
                // A constant element certainly exists.
                if element.as_constant().is_none() {
                    let bound = roots_of(&bound, source.list.len() == 1);
                    outside.borrow_mut().extend(failing_outside(&condition, &bound));
                }
                out.only_if(condition)
            }
            None => out,
        }
    });
    if let (false, Some(condition)) = (is_visited.get(), &it.condition) {
        let any = Cases::unknown(Reason::NoElement, span);
        let condition = super::truth(condition, &bound_in(context, it, &any, &any));
        outside.borrow_mut().extend(failing_outside(&condition, &[]));
    }
    let out = if it.group { out } else { keys.once(out, it, &source) };
    // The sets are not joined: a union may be written in other parts than its operands.
    let missing = [outcomes::failing(&source, context), without_source(&source)];
    let is_missing = |part| missing.iter().any(|it| it.formula.has_part(part));
    let outside = outside.into_inner();
    if outside.iter().all(is_missing) {
        return out;
    }
    let error = out.error.clone().or(Extent::any(outside.into_iter().map(Extent::new)));
    out.failing(error).losing(&Reason::FilterOfNothing, span)
}

/// The context of the loop's body, for one element and its key.
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

/// The inputs for which the source is null or cannot be reached, so that the loop fails.
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

/// The roots of the element and of its key. A variable is one of them only if the element exists in any case,
/// as in `[var.a, var.b]`.
fn roots_of(bound: &[&Cases<'_>], is_there: bool) -> Vec<ConstraintRoot> {
    let roots = bound.iter().flat_map(|it| &it.list).filter_map(|(_, it)| it.root());
    roots.filter(|it| is_there || !matches!(it, ConstraintRoot::Variable(_))).cloned().collect()
}

/// Where a filter may fail whatever the element is. Terraform evaluates it once with an unknown element, for
/// which `v > 3` does not fail, but `v > var.least` fails if `var.least` is null.
fn failing_outside(condition: &Truth, bound: &[ConstraintRoot]) -> Vec<Assignments> {
    let is_about_others = |part: &Assignments| {
        let roots = part.roots();
        roots.is_empty() || roots.iter().any(|it| !bound.contains(it))
    };
    let parts = condition.error.formula.parts().into_iter().filter(is_about_others);
    parts.map(|it| it.without(bound)).collect()
}
