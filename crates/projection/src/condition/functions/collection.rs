//! `compact`, `concat`, `distinct`, `element`, `flatten`, `slice`.

use std::rc::Rc;

use super::call::{Call, combinations};
use crate::{
    condition::{
        common_type::{Common, common, keeps},
        expressions::access,
        symbolic::{Cases, Nulls, Once, Sequence, Term, members},
        types,
    },
    sets::Extent,
};
use tf_eval::functions::Domain;
use tf_value::{Number, Type, Value};

pub fn sequence(it: Sequence<'_>) -> Cases<'_> {
    Cases::one(Term::Sequence(Rc::new(it)))
}

/// Whether a conversion of the terms to another type leaves their elements as they are.
pub fn are_kept<'m>(call: &Call<'_, 'm>, cases: &Cases<'m>, to: &Type) -> bool {
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
        .then(|| access::index(list, index, call.span, call.context))
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
            let each = each.map(|it| members::reached(list.index(it), call.span)).collect();
            let error = list.null().or(list.failing());
            let mut out = Cases { list: Vec::new(), error };
            out.add(&list.not_null(), sequence(Sequence::written(each)));
            Some(out)
        }
        _ => None,
    }
}
