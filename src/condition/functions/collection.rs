//! `compact`, `concat`, `distinct`, `element`, `flatten`.

use std::rc::Rc;

use super::call::Call;
use crate::{
    condition::{
        common_type::{Common, common, keeps},
        expressions::access,
        symbolic::{Cases, Once, Sequence, Term},
        types,
    },
    value::{Number, Type, Value},
};

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
        types::argument(term, call.context).types().iter().all(|it| match (it, to) {
            (Type::List(it) | Type::Set(it), Type::List(to) | Type::Set(to)) => keeps(it, to),
            (Type::Tuple(it), Type::List(to) | Type::Set(to)) => it.iter().all(|it| keeps(it, to)),
            (it, to) => keeps(it, to),
        })
    })
}

/// As [`are_kept`], for a list or set of elements of one type, whichever it is.
pub fn are_alike<'m>(call: &Call<'_, 'm>, cases: &[Cases<'m>]) -> bool {
    let mut found: Vec<Type> = Vec::new();
    for term in cases.iter().flat_map(|it| &it.list).map(|it| &it.1) {
        // Of a collection of any type all elements have one.
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
        for ty in types::argument(term, call.context).types() {
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
    let is_told = |it: &Type| *it != Type::Dynamic && Some(it) == found.first();
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

/// Where all are lists, their elements are converted to one type.
pub fn concat<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let is_list = |it: &Cases<'m>| {
        it.list.iter().all(|(_, it)| {
            types::argument(it, call.context).types().iter().all(|it| matches!(it, Type::List(_)))
        })
    };
    let is_tuple = |it: &Cases<'m>| {
        it.list.iter().all(|(_, it)| {
            types::argument(it, call.context).types().iter().all(|it| matches!(it, Type::Tuple(_)))
        })
    };
    let joined = || sequence(Sequence::Joined(call.args.to_vec()));
    if call.args.iter().any(is_tuple) && call.args.iter().all(|it| is_tuple(it) || is_list(it)) {
        return Some(joined());
    }
    let args: Vec<&Cases<'m>> = call.args.iter().collect();
    match common(&args, call.span, call.context) {
        Common::Of { kept: true, .. } => Some(joined()),
        // Without a type in common they become a tuple, of which each element is as it was.
        Common::None if call.args.iter().all(is_list) => Some(joined()),
        _ => None,
    }
}

pub fn distinct<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [source] = call.args else { return None };
    are_alike(call, call.args).then(|| sequence(Sequence::Distinct(source.clone(), Once::List)))
}

/// `element(list, index)`, which starts again at the end. The first is there unless it is empty.
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
    Some(sequence(Sequence::Flattened(source.clone())))
}
