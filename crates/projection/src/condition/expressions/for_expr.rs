//! `[for … : …]` and `{for … : … => …}`.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use crate::{
    condition::{
        context::Context,
        membership, outcomes, quantifiers,
        quantifiers::{Binder, Elements, Visitor},
        symbolic::{Cases, Known, Once, Place, Sequence, Term, Truth, term},
        types,
    },
    sets::{Assignments, ConstraintRoot, Extent, Kind, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::{Expr, ExprKind, ForExpr};
use tf_eval::functions::{self, Domain};
use tf_value::{Type, Value, typeexpr::Defaults};

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
                let value = if it.group { grouped(&value, &inside) } else { value };
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

// `{for … : key => value}`: it fails for a key that is null or no string, and for two that are equal.

/// The keys of one loop, where they are constants.
#[derive(Default)]
pub struct Keys {
    seen: RefCell<Vec<Option<Value>>>,
}

impl Keys {
    /// Restricts the elements to where the key is a string other than null.
    pub fn fit<'m>(&self, out: Elements, key: &Cases<'m>, context: &Context<'m>) -> Elements {
        self.seen.borrow_mut().push(key.as_constant().cloned());
        let (mut ok, mut error) = (Extent::nothing(), key.error.clone());
        for (guard, term) in &key.list {
            let argument = types::argument(term, context);
            let tostring = functions::lookup("tostring");
            let domain =
                tostring.map_or(Domain::Partial, |it| context.releases.domain(it, &[argument]));
            let (fit, unfit) = match domain {
                Domain::Always => (Extent::nothing(), Extent::everything()),
                Domain::Partial => {
                    let unknown = Extent::unknown(Reason::ForKey, Span::default());
                    (unknown.clone(), unknown)
                }
                Domain::Total | Domain::FailsOnNull(_) => {
                    let failing = outcomes::failing(&Cases::one(term.clone()), context);
                    (outcomes::there(term, context), failing.or(outcomes::null(term)))
                }
            };
            ok = ok.or(guard.clone().and(fit));
            error = error.or(guard.clone().and(unfit));
        }
        Elements::never().or_case(&ok, out.clone()).failing(out.error.or(error))
    }

    /// Restricts the elements to where no two keys are equal.
    pub fn once(&self, out: Elements, it: &ForExpr, source: &Cases<'_>) -> Elements {
        let Some(key) = &it.key else { return out };
        let is = |name: &hcl::Ident| matches!(&key.bare().kind, ExprKind::Variable(found) if *found == name.name);
        let of_keys = it.key_name.as_ref().is_some_and(is);
        let of_values = is(&it.value_name);
        if of_keys || of_values && source.list.iter().all(|(_, it)| has_each_once(it)) {
            return out;
        }
        if let [(_, Term::Place(place))] = source.list.as_slice()
            && of_values
            && it.condition.is_none()
            && matches!(&place.ty, Type::List(element) if element.is_primitive())
        {
            let unique = place.lift(Region::new(false, ValueSet::Unique), false);
            let equal = place.lift(Region::new(false, ValueSet::Unique.negated()), false);
            return Elements::never().or_case(&unique, out.clone()).failing(out.error.or(equal));
        }
        if source.list.iter().all(|(_, it)| is_finite(it)) && self.are_told_apart() {
            return out;
        }
        let unknown = Extent::unknown(Reason::EqualKeys, Span::default());
        let lost = out.clone().losing(&Reason::EqualKeys, Span::default());
        Elements {
            all_true: lost.all_true,
            all_false: lost.all_false,
            clean: lost.clean,
            error: out.error.or(unknown),
            ..out
        }
    }

    /// Whether all keys are constants and no two are equal.
    fn are_told_apart(&self) -> bool {
        let seen = self.seen.borrow();
        let texts: Option<Vec<&str>> =
            seen.iter().map(|it| it.as_ref().and_then(Value::as_str)).collect();
        texts.is_some_and(|it| it.iter().enumerate().all(|(at, text)| !it[..at].contains(text)))
    }
}

/// Whether each element was visited on its own, so that all keys were seen.
fn is_finite(term: &Term<'_>) -> bool {
    match term {
        Term::Constant(_) | Term::Object(_) => true,
        Term::Place(place) => place.ty.as_object().is_some(),
        Term::Sequence(it) => matches!(&**it, Sequence::Written(_)),
        _ => false,
    }
}

fn has_each_once(term: &Term<'_>) -> bool {
    match term {
        Term::Place(place) => matches!(place.ty, Type::Set(_)),
        Term::Sequence(it) => {
            matches!(&**it, Sequence::Keys(_) | Sequence::Distinct(_, Once::Set | Once::Converted))
        }
        Term::Constant(value) => matches!(value.ty(), Type::Set(_)),
        _ => false,
    }
}

/// The lists that `...` gathers by key; only their presence is known.
pub fn grouped<'m>(value: &Cases<'m>, context: &Context<'m>) -> Cases<'m> {
    let known = Known { ty: Type::Dynamic, null: false };
    Cases::opaque(outcomes::defined(value, context), outcomes::failing(value, context), known)
}

// Asks a question of each element of a value and joins the answers ([`Elements`]).

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
    /// So many are joined one by one.
    const FEW: usize = 16;
    let join = |one: Elements, other: Elements| {
        context.pay(one.work() + other.work()).then(|| one.then(other))
    };
    // Larger ones are joined with those of their size, so that none is copied with each of the others.
    let mut joined: Vec<(usize, Elements)> = Vec::new();
    for it in each {
        let mut last = (1, it);
        while let Some((count, before)) = joined.pop_if(|it| it.0 < FEW || it.0 == last.0) {
            let Some(both) = join(before, last.1) else {
                return Elements::unknown(Reason::TooLong, span);
            };
            last = (count + last.0, both);
        }
        joined.push(last);
    }
    let mut out = Elements::none();
    while let Some((_, before)) = joined.pop() {
        let Some(both) = join(before, out) else {
            return Elements::unknown(Reason::TooLong, span);
        };
        out = both;
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
    if let Some(attributes) = term::attributes(place) {
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
        let element = term::reached(list.index(index), span);
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
        Sequence::For(names, it) => elements(&context.within(names), it, span, visit),
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

// `source[*].…`

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
