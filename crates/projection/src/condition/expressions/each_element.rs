//! Asks a question of each element of a value and joins the answers ([`Elements`]).

use super::for_expr;
use crate::{
    condition::{
        context::Context,
        membership, outcomes,
        quantifiers::{self, Binder, Elements, Visitor},
        symbolic::{Cases, Known, Once, Place, Sequence, Term, members},
    },
    sets::{Extent, Kind, Reason, Region, ValueSet},
};
use diagnostics::Span;
use tf_value::{Type, Value, typeexpr::Defaults};

/// The key of an element of a list: a number that is not known.
fn index<'m>(span: Span) -> Cases<'m> {
    let known = Known { ty: Type::Number, null: false };
    Cases::one(Term::Unknown(Reason::ElementIndex, span, Some(known)))
}

pub fn of_term<'m>(
    term: &Term<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    if !context.spend() {
        return Elements::unknown(Reason::TooLong, span);
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
        Term::Unknown(reason, span, _) => Elements::unknown(reason.clone(), *span),
        _ => Elements::unknown(Reason::LoopOver(term.form()), span),
    }
}

/// Adds the failures of a written element: where an element of `[a, b]` fails, there is no list.
fn made<'m>(out: Elements, element: &Cases<'m>, context: &Context<'m>) -> Elements {
    let failing = outcomes::failing(element, context);
    if failing.is_nothing() {
        return out;
    }
    let error = out.error.clone().or(failing);
    Elements::never().or_case(&outcomes::defined(element, context), out).failing(error)
}

/// Joins the answers of consecutive elements.
fn gather(each: impl Iterator<Item = Elements>, span: Span, context: &Context<'_>) -> Elements {
    let mut out = Elements::none();
    for it in each {
        let Elements { all_true, some_true, all_false, some_false, clean, error } = &out;
        let all = [all_true, some_true, all_false, some_false, clean, error];
        if !context.pay(all.into_iter().map(Extent::work).sum()) {
            return Elements::unknown(Reason::TooLong, span);
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
    Elements::unknown(Reason::LoopOverConstant, span)
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
        return Elements::unknown(Reason::LoopOverType, span);
    };
    let (element, key) = context.fresh();
    let defaults: Option<Defaults> = place.child("");
    let term = Place::root(element.clone(), ty.clone(), defaults);
    let key_term = match place.ty {
        // A set's elements are their own keys.
        Type::Set(_) => Cases::one(Term::Place(term.clone())),
        Type::Map(_) => Cases::one(Term::Place(Place::root(key.clone(), Type::String, None))),
        _ => index(span),
    };
    let inner = visit(&Cases::one(Term::Place(term)), &key_term);
    inner.over(&Binder { place, from: 0, any: Kind::Object, element, key })
}

/// The elements of a value of type `any` that a `for` visits: those of an object and those of a list.
/// `flatten`, `contains` and a splat do not take objects.
pub fn of_any<'m>(place: &Place, context: &Context<'m>, visit: Visitor<'_, 'm>) -> Elements {
    let mut out = Elements::never();
    for kind in [Kind::Object, Kind::Array] {
        let (element, key) = context.fresh();
        let value = Cases::one(Term::Place(Place::of_element(element.clone())));
        let key_term = if kind == Kind::Object {
            Cases::one(Term::Place(Place::root(key.clone(), Type::String, None)))
        } else {
            index(Span::default())
        };
        let binder = Binder { place, from: 0, any: kind, element, key };
        let inner = visit(&value, &key_term).within(&binder);
        out = out.or_case(&Extent::everything(), inner);
    }
    let collections = ValueSet::either([Kind::Object, Kind::Array].map(ValueSet::Kind));
    let other = place.lift(Region::new(true, collections.negated()), true);
    out.also_failing(other)
}

/// The elements of a list from an index on, up to another one or to its end.
fn of_slice<'m>(
    list: &Place,
    (from, to): (usize, Option<usize>),
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let Some(to) = to else {
        let Some(ty) = list.ty.element() else {
            return Elements::unknown(Reason::LoopOverType, span);
        };
        let (element, key) = context.fresh();
        let term = Place::root(element.clone(), ty.clone(), list.child(""));
        let no_key = Cases::unknown(Reason::ElementIndex, span);
        let inner = visit(&Cases::one(Term::Place(term)), &no_key);
        return inner.over(&Binder { place: list, from, any: Kind::Object, element, key });
    };
    let each = (from..to).zip(0_i64..).map(|(index, key)| {
        let element = members::reached(list.index(index), span);
        visit(&element, &Cases::constant(Value::int(key)))
    });
    let inner = gather(each, span, context);
    let (enough, error) = list.with_at_least(to);
    let out = Elements::never().or_case(&enough, inner);
    out.also_failing(error)
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
        return Elements::unknown(Reason::LongSeparator, span);
    };
    let (element, _) = context.fresh();
    let term = Term::Place(Place::root(element.clone(), Type::String, None));
    let no_key = Cases::unknown(Reason::ElementIndex, span);
    quantifiers::over_parts(place, separator, &element, visit(&Cases::one(term), &no_key))
}

pub fn of_sequence<'m>(
    sequence: &Sequence<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let no_key = || Cases::unknown(Reason::ElementIndex, span);
    // A list that is made from other values has new indexes; the keys of these do not count.
    let index = || index(span);
    match sequence {
        // It is a list and has indexes, even if the place has other keys.
        Sequence::Elements(place, _) => {
            of_place(place, context, span, &|element, _| visit(element, &no_key()))
        }
        Sequence::Keys(place) => {
            let (element, key) = context.fresh();
            let term = Cases::one(Term::Place(Place::root(key.clone(), Type::String, None)));
            visit(&term, &no_key()).over(&Binder {
                place,
                from: 0,
                any: Kind::Object,
                element,
                key,
            })
        }
        Sequence::Slice { list, from, to } => of_slice(list, (*from, *to), context, span, visit),
        Sequence::Written(elements) => {
            let each = elements
                .iter()
                .map(|(key, it)| made(visit(it, &Cases::constant(key.clone())), it, context));
            gather(each, span, context)
        }
        Sequence::For(names, it) => for_expr::elements(&context.within(names), it, span, visit),
        Sequence::Splat(names, source, each) => {
            super::elements(source, context, span, &|element, _| {
                let inside = context.within(&names.with_item(element.clone()));
                visit(&super::cases(each, &inside), &no_key())
            })
        }
        Sequence::Flattened(source) => super::elements(source, context, span, &|element, _| {
            flattened(element, context, span, visit)
        }),
        Sequence::Joined(sources) => {
            let visit: Visitor<'_, 'm> = &|element, _| visit(element, &index());
            let each = sources.iter().map(|it| super::elements(it, context, span, visit));
            gather(each, span, context)
        }
        Sequence::Filtered { source, among, kept, span } => {
            super::elements(source, context, *span, &|element, _| {
                let is_in = membership::is_among(element, among, *span, context);
                visit(element, &index()).only_if(if *kept { is_in } else { is_in.not() })
            })
        }
        Sequence::Distinct(source, Once::List) => {
            super::elements(source, context, span, &|element, _| visit(element, &index()))
        }
        // A set's elements are their own keys.
        Sequence::Distinct(source, Once::Set | Once::Converted) => {
            super::elements(source, context, span, &|element, _| visit(element, element))
        }
    }
}

/// `flatten` takes lists apart at every depth and keeps everything else.
fn flattened<'m>(
    element: &Cases<'m>,
    context: &Context<'m>,
    span: Span,
    visit: Visitor<'_, 'm>,
) -> Elements {
    let no_key = Cases::unknown(Reason::ElementIndex, span);
    let keep = |it: &Cases<'m>| visit(it, &no_key);
    let unknown = || Elements::unknown(Reason::FlattenOfAny, span);
    let mut out = Elements::never();
    for (guard, term) in &element.list {
        let one = Cases::one(term.clone());
        let take_apart =
            || super::elements(&one, context, span, &|it, _| flattened(it, context, span, visit));
        let inner = match term {
            // A null is not a list, and stays an element.
            Term::Place(place) if term.is_list() => Elements::never()
                .or_case(&place.null(), keep(&Cases::constant(Value::null(Type::Dynamic))))
                .or_case(&place.not_null(), take_apart())
                .also_failing(place.failing()),
            Term::Place(place) if term.may_be_list() => {
                let array = ValueSet::Kind(Kind::Array);
                let other = place.lift(Region::new(true, array.clone().negated()), false);
                let array = place.lift(Region::new(false, array), false);
                Elements::never()
                    .or_case(&other, keep(&one))
                    .or_case(&array, unknown())
                    .also_failing(place.failing())
            }
            _ if term.is_list() => take_apart(),
            _ if term.may_be_list() => unknown(),
            _ => keep(&one),
        };
        out = out.or_case(guard, inner);
    }
    out.also_failing(element.error.clone())
}
