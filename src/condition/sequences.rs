//! What the elements of an expression give together.

use std::cell::{Cell, RefCell};

use super::{
    boolean, comparison,
    context::{Context, TOO_LONG},
    keyed::{self, Keys},
    quantifiers::{self, Binder, Elements},
    symbolic::{Cases, Place, Sequence, Term, Truth, members},
    terms,
};
use crate::{
    diagnostic::Span,
    sets::{Assignments, Extent},
    syntax::ForExpr,
    typeexpr::Defaults,
    value::{Type, Value},
};

/// Asks every element; it is given the element and its key or index.
type Visitor<'a, 'm> = &'a dyn Fn(&Cases<'m>, &Cases<'m>) -> Elements;

pub fn elements<'m>(
    source: &Cases<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let mut out = Elements::never();
    for (guard, term) in &source.list {
        let inner =
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || of_term(term, context, span, visit));
        out = out.or_case(guard, inner);
    }
    out.error = out.error.or(source.error.clone());
    out
}

fn of_term<'m>(
    term: &Term<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    if !context.spend() {
        return Elements::unknown(TOO_LONG, span);
    }
    match term {
        Term::Place(place) => of_place(place, context, span, visit),
        Term::Sequence(it) => of_sequence(it, context, span, visit),
        Term::Object(members) => {
            let each = members.iter().map(|(key, it)| {
                made(visit(it, &Cases::constant(Value::string(key))), it, context)
            });
            gather(each, span, context)
        }
        Term::Constant(value) => of_constant(value, context, span, visit),
        Term::Parts(separator, place) => of_parts(separator, place, context, span, visit),
        Term::Unknown(reason, span, _) => Elements::unknown(reason, *span),
        _ => Elements::unknown(&format!("a loop over {}", term.form()), span),
    }
}

/// What an element that is written gives: where it fails, there is nothing that it could be part of.
fn made<'m>(out: Elements, element: &Cases<'m>, context: &Context<'m>) -> Elements {
    let failing = element.failing(context);
    if failing.is_nothing() {
        return out;
    }
    let error = out.error.clone().or(failing);
    Elements::never().or_case(&element.defined(context), out).failing(error)
}

/// All of these elements.
fn gather(each: impl Iterator<Item = Elements>, span: Span, context: &Context<'_>) -> Elements {
    let mut out = Elements::none();
    for it in each {
        let Elements { all_true, some_true, all_false, some_false, clean, error } = &out;
        let all = [all_true, some_true, all_false, some_false, clean, error];
        if !context.pay(all.into_iter().map(Extent::work).sum()) {
            return Elements::unknown(TOO_LONG, span);
        }
        out = out.then(it);
    }
    out
}

fn of_constant<'m>(
    value: &Value,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    if let Some(elements) = value.as_sequence() {
        let is_set = matches!(value.ty(), Type::Set(_));
        let each = elements.iter().zip(0_i64..).map(|(it, index)| {
            let key = if is_set { it.clone() } else { Value::int(index) };
            visit(&Cases::constant(it.clone()), &Cases::constant(key))
        });
        return gather(each, span, context);
    }
    if let Some(members) = value.as_mapping() {
        let each = members.iter().map(|(key, it)| {
            visit(&Cases::constant(it.clone()), &Cases::constant(Value::string(key)))
        });
        return gather(each, span, context);
    }
    if value.is_null() {
        return Elements { error: Extent::everything(), ..Elements::never() };
    }
    Elements::unknown("a loop over a constant of this type", span)
}

fn of_place<'m>(
    place: &Place,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    if let Some(attributes) = members::attributes(place) {
        let each = attributes.iter().map(|(key, it)| visit(it, &Cases::constant(key.clone())));
        let inner = gather(each, span, context);
        let mut out = Elements::never().or_case(&place.not_null(), inner);
        out.error = out.error.or(place.null()).or(place.failing());
        return out;
    }
    let Some(ty) = place.ty.element() else {
        return Elements::unknown("a loop over a value of this type", span);
    };
    let (element, key) = context.fresh();
    let defaults: Option<Defaults> = place.child("");
    let term = Place::root(element.clone(), ty.clone(), defaults);
    let key_term = match place.ty {
        // A set's elements are their own keys.
        Type::Set(_) => Cases::one(Term::Place(term.clone())),
        Type::Map(_) => Cases::one(Term::Place(Place::root(key.clone(), Type::String, None))),
        _ => Cases::unknown("the index of an element", span),
    };
    let inner = visit(&Cases::one(Term::Place(term)), &key_term);
    inner.over(&Binder { place, element, key })
}

fn of_parts<'m>(
    separator: &str,
    place: &Place,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let mut chars = separator.chars();
    let (Some(separator), None) = (chars.next(), chars.next()) else {
        return Elements::unknown("a separator of several characters", span);
    };
    let (element, _) = context.fresh();
    let term = Term::Place(Place::root(element.clone(), Type::String, None));
    let no_key = Cases::unknown("the index of an element", span);
    quantifiers::over(place, separator, &element, visit(&Cases::one(term), &no_key))
}

pub fn of_sequence<'m>(
    sequence: &Sequence<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let no_key = || Cases::unknown("the index of an element", span);
    match sequence {
        Sequence::Elements(place, _) => of_place(place, context, span, visit),
        Sequence::Keys(place) => {
            let (element, key) = context.fresh();
            let term = Cases::one(Term::Place(Place::root(key.clone(), Type::String, None)));
            visit(&term, &no_key()).over(&Binder { place, element, key })
        }
        Sequence::Written(elements) => {
            let each = elements
                .iter()
                .map(|(key, it)| made(visit(it, &Cases::constant(key.clone())), it, context));
            gather(each, span, context)
        }
        Sequence::For(names, it) => of_for(&context.within(names), it, span, visit),
        Sequence::Splat(names, source, each) => elements(source, context, span, &|element, _| {
            let inside = context.within(&names.with_item(element.clone()));
            visit(&terms::cases(each, &inside), &no_key())
        }),
        Sequence::Flattened(source) => {
            elements(source, context, span, &|element, _| flattened(element, context, span, visit))
        }
        Sequence::Joined(sources) => {
            let each = sources.iter().map(|it| elements(it, context, span, visit));
            gather(each, span, context)
        }
        Sequence::Filtered { source, among, kept, span } => {
            elements(source, context, *span, &|element, key| {
                let is_in = comparison::is_among(element, among, *span, context);
                visit(element, key).only_if(if *kept { is_in } else { is_in.not() })
            })
        }
        Sequence::Distinct(source, _) => elements(source, context, span, visit),
    }
}

fn of_for<'m>(
    context: &Context<'m>,
    it: &'m ForExpr,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let source = terms::cases(&it.collection, context);
    let outside = RefCell::new(Vec::new());
    let keys = Keys::default();
    let out = elements(&source, context, span, &|element, key| {
        let bound = [element, key];
        let mut inside = context.clone();
        if let Some(name) = &it.key_name {
            inside = inside.bind(&name.name, key.clone());
        }
        inside = inside.bind(&it.value_name.name, element.clone());
        let value = terms::cases(&it.value, &inside);
        let out = match &it.key {
            Some(key) => {
                let key = terms::cases(key, &inside);
                let value = if it.group { keyed::grouped(&value, &inside) } else { value };
                keys.fit(visit(&value, &key), &key, &inside)
            }
            None => visit(&value, &Cases::unknown("the index of an element", span)),
        };
        match &it.condition {
            Some(condition) => {
                let condition = boolean::truth(condition, &inside);
                // A known element is there.
                if element.as_constant().is_none() {
                    outside.borrow_mut().extend(failing_outside(&condition, &bound));
                }
                out.only_if(condition)
            }
            None => out,
        }
    });
    let out = if it.group { out } else { keys.once(out, it, &source) };
    let source = source.failing(context).formula;
    if outside.into_inner().iter().all(|it| source.has_part(it)) {
        return out;
    }
    out.losing("a filter that fails although there is no element", span)
}

/// Where a filter fails whatever the element is. Terraform asks it once without any element.
fn failing_outside(condition: &Truth, bound: &[&Cases<'_>]) -> Vec<Assignments> {
    let places = bound.iter().flat_map(|it| &it.list);
    let roots: Vec<_> = places.filter_map(|(_, it)| it.root()).collect();
    let parts = condition.error.formula.parts();
    parts.into_iter().filter(|it| !it.roots().iter().any(|it| roots.contains(&it))).collect()
}

/// `flatten` takes lists apart at every depth and keeps everything else.
fn flattened<'m>(
    element: &Cases<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let no_key = Cases::unknown("the index of an element", span);
    let mut out = Elements::never();
    for (guard, term) in &element.list {
        let is_list = is_list(term);
        let one = Cases::one(term.clone());
        if let Term::Place(place) = term
            && is_list
        {
            // A null is no list, and stays an element.
            let null = Cases::constant(Value::null(Type::Dynamic));
            out = out.or_case(&guard.clone().and(place.null()), visit(&null, &no_key));
            let inner = elements(&one, context, span, &|it, _| flattened(it, context, span, visit));
            out = out.or_case(&guard.clone().and(place.not_null()), inner);
            out.error = out.error.or(guard.clone().and(place.failing()));
            continue;
        }
        let inner = if is_list {
            elements(&one, context, span, &|it, _| flattened(it, context, span, visit))
        } else {
            visit(&one, &no_key)
        };
        out = out.or_case(guard, inner);
    }
    out.error = out.error.or(element.error.clone());
    out
}

/// Whether the term is a list, which `flatten` takes apart.
pub fn is_list(term: &Term<'_>) -> bool {
    match term {
        Term::Place(place) => matches!(place.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)),
        Term::Sequence(it) => !matches!(&**it, Sequence::For(_, it) if it.key.is_some()),
        Term::Constant(value) => value.as_sequence().is_some(),
        _ => false,
    }
}

/// Whether no element is a list, so that `flatten` changes nothing.
pub fn is_flat<'m>(source: &Cases<'m>, context: &Context<'m>, span: Span) -> bool {
    let told = Cell::new(true);
    elements(source, context, span, &|element, _| {
        let plain = |term: &Term<'m>| match term {
            Term::Place(place) => place.ty != Type::Dynamic && !is_list(term),
            Term::Unknown(..) => false,
            _ => !is_list(term),
        };
        told.set(told.get() && element.list.iter().all(|(_, it)| plain(it)));
        Elements::none()
    });
    told.get()
}

/// Whether the elements evaluate.
pub fn runs<'m>(term: &Term<'m>, context: &Context<'m>) -> Elements {
    elements(&Cases::one(term.clone()), context, Span::default(), &|value, _| {
        present(value, context)
    })
}

/// An element that is there, whatever it is.
fn present<'m>(value: &Cases<'m>, context: &Context<'m>) -> Elements {
    let (when_false, error) = (value.defined(context), value.failing(context));
    Elements::one(Truth { when_false, error, ..Truth::never() })
}

/// Whether there is no element.
pub fn is_empty<'m>(source: &Cases<'m>, context: &Context<'m>, span: Span) -> Truth {
    if let [(guard, Term::Place(place))] = source.list.as_slice() {
        let empty = place.emptiness(true);
        let when_false = place.emptiness(false);
        let error = place.null().or(place.failing()).or(source.error.clone());
        let truth = Truth {
            when_true: guard.clone().and(empty),
            when_false: guard.clone().and(when_false),
            error,
            ..Truth::never()
        };
        if place.ty.is_collection() {
            return truth;
        }
    }
    quantifiers::all(elements(source, context, span, &|value, _| present(value, context)))
}
