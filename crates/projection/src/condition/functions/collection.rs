//! `compact`, `concat`, `distinct`, `element`, `flatten`, `slice`.

use std::rc::Rc;

use crate::{
    condition::{
        expressions,
        expressions::operators,
        functions::call::{Call, combinations},
        membership, outcomes, quantifiers,
        quantifiers::Elements,
        relation::Comparison,
        symbolic::{Cases, Nulls, Once, Sequence, Term, Truth, term},
        types,
        types::{Common, common, converted, keeps},
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use hcl::BinaryOp;
use tf_eval::functions::Domain;
use tf_value::{Number, Type, Value};

pub fn sequence(it: Sequence<'_>) -> Cases<'_> {
    Cases::one(Term::Sequence(Rc::new(it)))
}

/// Whether a conversion of the terms to another type leaves their elements as they are.
fn are_kept<'m>(call: &Call<'_, 'm>, cases: &Cases<'m>, to: &Type) -> bool {
    cases.list.iter().all(|(_, term)| {
        if let Term::Sequence(it) = term {
            let element = to.element().unwrap_or(to);
            return types::converted_elements(it, call.context).iter().all(|it| keeps(it, element));
        }
        are_all(term, call, |ty| match (ty, to) {
            (Type::List(ty) | Type::Set(ty), Type::List(to) | Type::Set(to)) => keeps(ty, to),
            (Type::Tuple(all), Type::List(to) | Type::Set(to)) => {
                all.iter().all(|it| keeps(it, to))
            }
            (ty, to) => keeps(ty, to),
        })
    })
}

/// Whether all types that the term may have pass a test.
fn are_all<'m>(term: &Term<'m>, call: &Call<'_, 'm>, test: impl Fn(&Type) -> bool) -> bool {
    types::argument(term, call.context).types().is_some_and(|it| it.iter().all(test))
}

/// Like [`are_kept`], for a conversion to elements of one type, whatever that type is.
pub fn are_alike<'m>(call: &Call<'_, 'm>, cases: &[Cases<'m>]) -> bool {
    let mut found: Vec<Type> = Vec::new();
    for term in cases.iter().flat_map(|it| &it.list).map(|it| &it.1) {
        // All elements of a collection of any type have one type.
        if let Term::Place(place) = term
            && cases.len() == 1
            && place.ty.is_collection()
        {
            continue;
        }
        if let Term::Sequence(it) = term {
            found.extend(types::converted_elements(it, call.context));
            continue;
        }
        let Some(types) = types::argument(term, call.context).types() else { return false };
        for ty in types {
            match &ty {
                Type::List(it) | Type::Set(it) | Type::Map(it) if **it == Type::Dynamic => (),
                Type::List(it) | Type::Set(it) | Type::Map(it) => found.push((**it).clone()),
                Type::Tuple(elements) => found.extend(elements.iter().cloned()),
                Type::Object(object) => found.extend(object.attributes.values().cloned()),
                Type::Dynamic => (),
                _ => return false,
            }
        }
    }
    // Two elements of a type with `any` inside may be of two types.
    let is_told = |it: &Type| !it.has_dynamic() && Some(it) == found.first();
    found.iter().all(is_told)
}

pub fn compact<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [source] = call.args else { return None };
    if !are_kept(call, source, &Type::list(Type::String)) {
        return None;
    }
    let among = vec![Value::string(""), Value::null(Type::String)];
    Some(sequence(Sequence::Filtered {
        source: source.clone(),
        among,
        kept: false,
        span: call.span,
    }))
}

/// If all arguments are lists, their elements are converted to one type.
pub fn concat<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let is_list = |cases: &Cases<'m>| {
        cases.list.iter().all(|(_, term)| are_all(term, call, |it| matches!(it, Type::List(_))))
    };
    let is_tuple = |cases: &Cases<'m>| {
        cases.list.iter().all(|(_, term)| are_all(term, call, |it| matches!(it, Type::Tuple(_))))
    };
    let joined = || sequence(Sequence::Joined(call.args.to_vec()));
    if call.args.iter().any(is_tuple) && call.args.iter().all(|it| is_tuple(it) || is_list(it)) {
        // One source alone would count as a list, as `tolist` makes it, so an empty one is added.
        let nothing = sequence(Sequence::Written(Vec::new()));
        return Some(sequence(Sequence::Joined([call.args, &[nothing]].concat())));
    }
    let args: Vec<&Cases<'m>> = call.args.iter().collect();
    match common(&args, call.span, call.context) {
        Common::Of { kept: true, .. } => Some(joined()),
        // Without a common type they become a tuple, in which each element stays as it was.
        Common::None if call.args.iter().all(is_list) => Some(joined()),
        _ => None,
    }
}

pub fn distinct<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [source] = call.args else { return None };
    are_alike(call, call.args).then(|| sequence(Sequence::Distinct(source.clone(), Once::List)))
}

/// `element(list, index)`, whose index wraps around at the end. The first element exists unless the list is
/// empty.
pub fn element<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [list, index] = call.args else { return None };
    let first = index.as_constant().and_then(|it| it.as_number()).is_some_and(Number::is_zero);
    let is_list = |term: &Term<'m>| match term {
        Term::Place(place) => matches!(place.ty, Type::List(_)),
        Term::Parts(..) => true,
        _ => false,
    };
    (first && list.list.iter().all(|(_, it)| is_list(it)))
        .then(|| expressions::index(list, index, call.span, call.context))
}

pub fn flatten<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [source] = call.args else { return None };
    let may_be_list = source.list.iter().all(|(_, it)| it.may_be_list());
    may_be_list.then(|| sequence(Sequence::Flattened(source.clone())))
}

/// `slice(list, from, to)` with constants, or up to the length of the list itself.
pub fn slice<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let error = Extent::any(call.args.iter().map(|it| it.error.clone()));
    let mut out = Cases { list: Vec::new(), error };
    for it in combinations(call.function, call.args, call.context)? {
        let [list, from, to] = it.args.as_slice() else { return None };
        let part = match it.domain {
            Domain::Always => Cases::failure(),
            _ => match [list, from, to].map(|it| it.as_constant().cloned()) {
                [Some(list), Some(from), Some(to)] => call.of_constants(&[list, from, to]),
                _ => part_of(call, list, from, to)?,
            },
        };
        out.add(&it.guard, part);
    }
    Some(out)
}

fn part_of<'m>(
    call: &Call<'_, 'm>,
    list: &Cases<'m>,
    from: &Cases<'m>,
    to: &Cases<'m>,
) -> Option<Cases<'m>> {
    /// The most places that are distinguished.
    const MOST: usize = 40;
    let [(_, Term::Place(list))] = list.list.as_slice() else { return None };
    let index = |it: &Cases<'m>| usize::try_from(it.as_constant()?.as_number()?.to_u64()?).ok();
    let from = index(from)?;
    let to = match to.list.as_slice() {
        [(_, Term::Count(of))] if matches!(&**of, Term::Place(it) if it == list) => None,
        _ => Some(index(to)?),
    };
    let size = list.ty.as_tuple().map(<[Type]>::len);
    if to.or(size).is_some_and(|to| to < from || size.is_some_and(|it| it < to)) {
        return Some(Cases::failure());
    }
    // A schema names each place up to the last one.
    if to.or(size).unwrap_or(from) > MOST {
        return None;
    }
    match (&list.ty, to) {
        (Type::List(_), None) if from == 0 => {
            Some(sequence(Sequence::Elements(list.clone(), Nulls::Fail)))
        }
        (Type::List(_), to) => Some(sequence(Sequence::Slice { list: list.clone(), from, to })),
        (Type::Tuple(_), to) => {
            let each = from..to.or(size)?;
            let each = each.map(|it| term::reached(list.index(it), call.span)).collect();
            let error = list.null().or(list.failing());
            let mut out = Cases { list: Vec::new(), error };
            out.add(&list.not_null(), sequence(Sequence::written(each)));
            Some(out)
        }
        _ => None,
    }
}

pub fn keys<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [map] = call.args else { return None };
    Some(map.map(|term| members(true, term, call)))
}

pub fn values<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [map] = call.args else { return None };
    Some(map.map(|term| members(false, term, call)))
}

fn members<'m>(keys: bool, term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match term {
        Term::Place(place) if matches!(place.ty, Type::Map(_)) => sequence(if keys {
            Sequence::Keys(place.clone())
        } else {
            Sequence::Elements(place.clone(), Nulls::Fail)
        }),
        Term::Place(place) if keys && place.ty == Type::Dynamic => {
            sequence(Sequence::Keys(place.clone()))
        }
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        Term::Constant(value) => call.of_constants(std::slice::from_ref(value)),
        Term::Place(place) => match term::attributes(place) {
            Some(attributes) => {
                let element = |(key, it): (Value, Cases<'m>)| {
                    if keys { Cases::constant(key) } else { it }
                };
                let written = Sequence::written(attributes.into_iter().map(element).collect());
                let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
                out.add(&place.not_null(), sequence(written));
                out
            }
            None => call.untranslated(),
        },
        Term::Object(members) => {
            let element = |(key, it): &(smol_str::SmolStr, Cases<'m>)| {
                if keys { Cases::constant(Value::string(key)) } else { it.clone() }
            };
            let written = sequence(Sequence::written(members.iter().map(element).collect()));
            // The values evaluate, too.
            let cases = Cases::one(term.clone());
            let mut out =
                Cases { list: Vec::new(), error: outcomes::failing(&cases, call.context) };
            out.add(&outcomes::defined(&cases, call.context), written);
            out
        }
        _ => call.untranslated(),
    }
}

pub fn length<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [value] = call.args else { return None };
    Some(value.map(|term| of_term(term, call)))
}

fn of_term<'m>(term: &Term<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match term {
        Term::Constant(value) => call.of_constants(std::slice::from_ref(value)),
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        Term::Place(place)
            if let Some(object) = place.ty.as_object()
                && !call.context.is_whole_variable(place) =>
        {
            let size = i64::try_from(object.attributes.len()).unwrap_or(i64::MAX);
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            out.add(&place.not_null(), Cases::constant(Value::int(size)));
            out
        }
        Term::Sequence(it)
            if let Sequence::Slice { list, from, to } = &**it
                && let Ok(less) = i64::try_from(*from) =>
        {
            let count = match to {
                Some(to) => {
                    Term::Constant(Value::int(i64::try_from(to - from).unwrap_or(i64::MAX)))
                }
                None => {
                    Term::Shifted(Box::new(Term::Count(Term::Place(list.clone()).into())), -less)
                }
            };
            let (enough, error) = list.with_at_least(to.unwrap_or(*from));
            let mut out = Cases { list: Vec::new(), error };
            out.add(&enough, Cases::one(count));
            out
        }
        // The elements of a collection of any type may have been converted to strings, which have a length.
        Term::Place(place) if place.ty == Type::Dynamic && place.is_unified() => {
            call.untranslated()
        }
        Term::Place(_) | Term::Sequence(_) | Term::Parts(..) | Term::Matches(..) => {
            Cases::one(Term::Count(Box::new(term.clone())))
        }
        Term::Object(members) => {
            let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
            let cases = Cases::one(term.clone());
            let mut out =
                Cases { list: Vec::new(), error: outcomes::failing(&cases, call.context) };
            out.add(&outcomes::defined(&cases, call.context), Cases::constant(Value::int(size)));
            out
        }
        _ => call.untranslated(),
    }
}

/// `lookup(map, key, default)`; the default is converted to the type of the map's elements.
pub fn lookup<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let ([map, key], default) = call.args.split_at(call.args.len().min(2)) else { return None };
    let default = match default {
        [] => None,
        [one] => Some(one),
        // Too many arguments are an error, although none of them is.
        _ => return None,
    };
    if let Some(key) = key.as_constant() {
        let key = key.as_str()?;
        let mut out = Cases { list: Vec::new(), error: map.error.clone() };
        for (guard, term) in &map.list {
            out.add(guard, of_key(term, key, default, call)?);
        }
        return Some(out);
    }
    let ([(_, Term::Place(place))], Some(table)) = (key.list.as_slice(), map.as_constant()) else {
        return None;
    };
    let members = table.as_mapping()?;
    if place.ty != Type::String {
        return None;
    }
    let keys: Vec<Value> = members.keys().map(Value::string).collect();
    let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
    for (key, value) in members {
        let is_key = ValueSet::OneOf(vec![Value::string(key)]);
        out.add(&place.lift(Region::new(false, is_key), false), Cases::constant(value.clone()));
    }
    let others = ValueSet::OneOf(keys).negated();
    let element = default.map(|it| of_element(table.ty(), it, call));
    out.add(&place.lift(Region::new(false, others), false), otherwise(element.as_ref()));
    Some(failing_with(out, element.as_ref(), call))
}

fn of_key<'m>(
    term: &Term<'m>,
    key: &str,
    default: Option<&Cases<'m>>,
    call: &Call<'_, 'm>,
) -> Option<Cases<'m>> {
    let member = || expressions::member(&Cases::one(term.clone()), key, call.span, call.context);
    let place = match term {
        Term::Place(it) => it,
        Term::Object(members) => {
            let is_there = members.iter().any(|(name, _)| name == key);
            // The object may have become a map, to whose elements the default must convert.
            let is_told = default.is_none() || is_there && !is_given(default);
            let unknown = || Cases::unknown(Reason::UnlikeDefault, call.span);
            return Some(if is_told { member() } else { unknown() });
        }
        _ => return None,
    };
    if matches!(place.ty, Type::Map(_)) || place.ty == Type::Dynamic && !place.is_unified() {
        let has_key = place.has_key(key);
        let mut out = Cases { list: Vec::new(), error: has_key.error };
        let element = default.map(|it| of_element(&place.ty, it, call));
        out.add(&has_key.when_true, member());
        out.add(&has_key.when_false, otherwise(element.as_ref()));
        return Some(if is_of_unlike(&place.ty, default) {
            unlike(failing_with(out, default, call), call)
        } else {
            failing_with(out, element.as_ref(), call)
        });
    }
    let object = place.ty.as_object()?;
    Some(if object.attributes.contains_key(key) {
        failing_with(member(), default, call)
    } else {
        let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
        out.add(&place.not_null(), otherwise(default));
        out
    })
}

/// Whether there is a default for a map whose element type depends on its values.
fn is_of_unlike(ty: &Type, default: Option<&Cases<'_>>) -> bool {
    ty.element().is_some_and(Type::has_dynamic) && is_given(default)
}

/// Whether there is a default other than null, which every type has.
fn is_given(default: Option<&Cases<'_>>) -> bool {
    default.is_some_and(|it| !it.as_constant().is_some_and(Value::is_null))
}

/// The default must be of the elements' type even if it is not needed: `lookup({ a = true }, "a", 1)` fails.
fn unlike<'m>(mut cases: Cases<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    for (guard, _) in &mut cases.list {
        *guard = guard.clone().losing(Reason::UnlikeDefault, call.span);
    }
    cases.error = cases.error.or(Extent::unknown(Reason::UnlikeDefault, call.span));
    cases
}

/// A default that fails makes the call fail even if it is not needed.
fn failing_with<'m>(
    mut cases: Cases<'m>,
    default: Option<&Cases<'m>>,
    call: &Call<'_, 'm>,
) -> Cases<'m> {
    let error = default.map_or_else(Extent::nothing, |it| outcomes::failing(it, call.context));
    if error.is_nothing() {
        return cases;
    }
    let defined = default.map_or_else(Extent::everything, |it| outcomes::defined(it, call.context));
    for (guard, _) in &mut cases.list {
        *guard = guard.clone().and(defined.clone());
    }
    cases.error = cases.error.or(error);
    cases
}

/// What is given where the key is not there; a failure without a default.
fn otherwise<'m>(default: Option<&Cases<'m>>) -> Cases<'m> {
    default.cloned().unwrap_or_else(Cases::failure)
}

/// For a map, the default converted to the type of its elements. The conversion may fail even if the default is not
/// needed. For an object, the default itself.
fn of_element<'m>(ty: &Type, default: &Cases<'m>, call: &Call<'_, 'm>) -> Cases<'m> {
    match ty {
        // The default is converted to the type that the elements got.
        Type::Map(element) if element.has_dynamic() => default.map(|it| match it {
            Term::Constant(value) if value.is_null() => Cases::one(it.clone()),
            _ => Cases::unknown(Reason::UnlikeDefault, call.span),
        }),
        Type::Map(element) => {
            default.map(|it| converted(it, &element.without_optional(), call.span, call.context))
        }
        _ => default.clone(),
    }
}

pub fn contains<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let ([list, needle], span, context) = (call.args, call.span, call.context) else { return None };
    let equal = Comparison { op: BinaryOp::Equal, span, context };
    let mut out = Truth::never();
    for (guard, term) in &list.list {
        let truth = match term {
            Term::Constant(value) => match value.as_sequence() {
                Some(values) => membership::is_in(needle, values, span, context),
                None => Truth::unknown(Reason::MembershipInConstant, span),
            },
            Term::Sequence(it)
                if let Sequence::Keys(place) = &**it
                    && let Some(key) = needle.as_constant().and_then(|it| it.as_str()) =>
            {
                place.has_key(key)
            }
            Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
            // There may be too many types to distinguish, but none of them is a list.
            _ if !term.may_be_list() => Truth { error: Extent::everything(), ..Truth::never() },
            _ => {
                let one = Cases::one(term.clone());
                quantifiers::any(expressions::elements(&one, context, span, &|element, _| {
                    Elements::one(operators::of_cases(equal, element, needle))
                }))
            }
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(list.error.clone());
    // The value is evaluated even if the list has no element.
    let is_compared = |term: &Term<'m>| {
        let keys = |it: &Sequence<'m>| matches!(it, Sequence::Keys(_));
        !matches!(term, Term::Constant(_)) && !matches!(term, Term::Sequence(it) if keys(it))
    };
    if list.list.iter().any(|(_, it)| is_compared(it)) {
        let (mut ok, mut error) = (Extent::nothing(), outcomes::failing(needle, context));
        for (guard, term) in &needle.list {
            ok = ok.or(guard.clone().and(outcomes::there(term, context)));
            error = error.or(guard.clone().and(outcomes::null(term)));
        }
        if call.domain != Domain::Total && !error.is_nothing() {
            out = Truth { error: out.error.clone().or(error), ..Truth::never().or_case(&ok, out) };
        }
    }
    Some(Cases::one(Term::Bool(Box::new(out))))
}

/// `index(list, value)` of a list of constants: the place of the first that is equal.
pub fn index<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [list, value] = call.args else { return None };
    let list = list.as_constant()?.as_sequence()?;
    Some(value.map(|term| match term {
        Term::Place(place) if place.ty.is_primitive() && !place.is_unified() => {
            let mut seen = Vec::new();
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            for (value, index) in list.iter().zip(0_i64..) {
                if !seen.contains(value) && value.ty() == &place.ty && !value.is_null() {
                    let here = ValueSet::OneOf(vec![value.clone()]);
                    let here = place.lift(Region::new(false, here), false);
                    out.add(&here, Cases::constant(Value::int(index)));
                    seen.push(value.clone());
                }
            }
            let others = ValueSet::OneOf(seen).negated();
            out.error = out.error.or(place.lift(Region::new(false, others), false));
            out
        }
        Term::Unknown(_, _, None) => Cases::one(term.clone()),
        _ => call.untranslated(),
    }))
}

/// `setsubtract(x, […])` and `setintersection(x, […])`.
pub fn selection<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let kept = call.name() == "setintersection";
    let [one, other] = call.args else { return None };
    let (source, among) = match (one.as_constant(), other.as_constant()) {
        (None, Some(among)) => (one, among),
        (Some(among), None) if kept => (other, among),
        _ => return None,
    };
    let of_strings = |term: &Term<'m>| match term {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
        Term::Sequence(it) => matches!(&**it, Sequence::Keys(_)),
        Term::Constant(value) => {
            value.as_sequence().is_some_and(|texts| texts.iter().all(|it| it.as_str().is_some()))
        }
        _ => false,
    };
    let strings = among.as_sequence().filter(|texts| texts.iter().all(|it| it.as_str().is_some()));
    let among = strings.filter(|_| source.list.iter().all(|(_, it)| of_strings(it)))?.to_vec();
    let it = Sequence::Filtered { source: source.clone(), among, kept, span: call.span };
    Some(sequence(Sequence::Distinct(sequence(it), Once::Set)))
}

pub fn union<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [_, _] = call.args else { return None };
    // If there are too many types to distinguish, nothing has checked yet that no argument is a map.
    if !call.args.iter().flat_map(|it| &it.list).all(|(_, it)| it.may_be_list()) {
        return None;
    }
    let joined = Sequence::Joined(call.args.to_vec());
    are_alike(call, call.args).then(|| sequence(Sequence::Distinct(sequence(joined), Once::Set)))
}

pub fn alltrue<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    Some(whole(quantifiers::all(elements(call)?)))
}

pub fn anytrue<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    Some(whole(quantifiers::any(elements(call)?)))
}

fn elements(call: &Call<'_, '_>) -> Option<Elements> {
    let [source] = call.args else { return None };
    Some(expressions::elements(source, call.context, call.span, &|element, _| {
        Elements::one(term::as_condition(element, call.span))
    }))
}

fn whole<'m>(truth: Truth) -> Cases<'m> {
    Cases::one(Term::Bool(Box::new(truth)))
}
