//! Finds the type that values of several types have in common, as the evaluator does, and converts them to it:
//! the branches of `var.a ? 1 : "x"` become strings.

use std::rc::Rc;

use super::{
    context::Context,
    outcomes,
    symbolic::{Cases, Known, Sequence, Term, members, views::View},
    types,
};
use crate::sets::{Extent, Reason};
use diagnostics::Span;
use stack::guarded;
use tf_eval::functions::always_converts;
use tf_value::{Type, Value, convert, unify_unsafe};

/// The most combinations of types that are tried.
const MOST: usize = 256;

/// The result for values that must have one type.
pub enum Common<'m> {
    /// Each of them as a value of that type, in their order.
    Of {
        values: Vec<Cases<'m>>,
        /// Whether no element is converted.
        kept: bool,
        /// Whether every value of their types converts.
        always: bool,
    },
    /// They have no type in common, which is an error.
    None,
    /// Their types are not known.
    Unclear,
}

/// Converts the values to the type that all have in common.
pub fn common<'m>(values: &[&Cases<'m>], span: Span, context: &Context<'m>) -> Common<'m> {
    let types: Option<Vec<Vec<Type>>> = values.iter().map(|it| of_one(it, context)).collect();
    let Some(types) = types else { return Common::Unclear };
    let count = types.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if count == 0 || count > MOST {
        return Common::Unclear;
    }
    let (mut failed, mut targets) = (0, Vec::new());
    for number in 0..count {
        let mut rest = number;
        let chosen: Vec<Type> = types
            .iter()
            .map(|of| {
                let it = of[rest % of.len()].clone();
                rest /= of.len();
                it
            })
            .collect();
        match unify_unsafe(&chosen) {
            None => failed += 1,
            Some(it) if it.undetermined => (),
            Some(it) if !targets.contains(&it.ty) => targets.push(it.ty),
            Some(_) => (),
        }
    }
    let kept = |target: &&Type| types.iter().flatten().all(|it| keeps(it, target));
    let target = match targets.as_slice() {
        [only] => Some((only, kept(&only))),
        several => several.iter().find(kept).map(|it| (it, true)),
    };
    match (failed, target) {
        (0, Some((target, kept))) => {
            let each =
                values.iter().map(|types| types.map(|it| converted(it, target, span, context)));
            let always = types.iter().flatten().all(|it| always_converts(it, target));
            Common::Of { values: each.collect(), kept, always }
        }
        (0, None) if !targets.is_empty() => Common::Unclear,
        (0, None) => {
            let values = values.iter().map(|it| (*it).clone()).collect();
            Common::Of { values, kept: true, always: true }
        }
        (failed, _) if failed == count => Common::None,
        _ => Common::Unclear,
    }
}

/// The types that a value may have, those of its nulls included; `None` where there are too many.
fn of_one<'m>(value: &Cases<'m>, context: &Context<'m>) -> Option<Vec<Type>> {
    let mut out: Vec<Type> = Vec::new();
    for (_, term) in &value.list {
        for ty in types::argument(term, context).types()? {
            if !out.contains(&ty) {
                out.push(ty);
            }
        }
    }
    Some(out)
}

/// Whether a conversion leaves each element and attribute as it is. A value of any type may be a
/// number where a string is wanted.
pub fn keeps(from: &Type, to: &Type) -> bool {
    guarded(|| match (from, to) {
        (_, Type::Dynamic) => true,
        (Type::List(from), Type::List(to))
        | (Type::Set(from), Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => keeps(from, to),
        (Type::Tuple(from), Type::List(to)) => from.iter().all(|it| keeps(it, to)),
        (Type::Object(from), Type::Map(to)) => from.attributes.values().all(|it| keeps(it, to)),
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.len() == to.len() && from.iter().zip(to.iter()).all(|(from, to)| keeps(from, to))
        }
        (Type::Object(from), Type::Object(to)) => {
            from.attributes.keys().eq(to.attributes.keys())
                && from.attributes.values().zip(to.attributes.values()).all(|(a, b)| keeps(a, b))
        }
        (from, to) => from == to,
    })
}

/// Converts a value to another type. The conversion must not fail.
pub fn converted<'m>(term: &Term<'m>, to: &Type, span: Span, context: &Context<'m>) -> Cases<'m> {
    let of = types::argument(term, context).types().unwrap_or_else(|| vec![Type::Dynamic]);
    let is_kept = of.iter().all(|it| keeps(it, to));
    match term {
        Term::Constant(value) => match convert(value, to) {
            Ok(it) => Cases::constant(it),
            Err(_) => Cases::failure(),
        },
        Term::Sequence(_)
            if is_kept
                && of.iter().any(|it| matches!(it, Type::Tuple(_)))
                && matches!(to, Type::List(_)) =>
        {
            let source = vec![Cases::one(term.clone())];
            Cases::one(Term::Sequence(Rc::new(Sequence::Joined(source))))
        }
        // An object that becomes a map is an object no more, even if no attribute is converted.
        Term::Place(place)
            if let (Some(attributes), Type::Map(element)) = (members::attributes(place), to) =>
        {
            let each = attributes.into_iter().filter_map(|(key, value)| {
                let it = value.map(|it| converted(it, element, span, context));
                Some((key.as_str()?.into(), it))
            });
            let members = Term::Object(Rc::new(each.collect()));
            let mut out = Cases { list: vec![(place.not_null(), members)], error: place.failing() };
            out.add(&place.null(), Cases::constant(Value::null(to.clone())));
            out
        }
        _ if is_kept => Cases::one(term.clone()),
        Term::Place(place) if place.ty == Type::Number && *to == Type::String => {
            Cases::one(Term::Place(place.seen(View::Text)))
        }
        _ => {
            let cases = Cases::one(term.clone());
            let is_safe = of.iter().all(|it| always_converts(it, to));
            if !is_safe {
                return Cases::unknown(Reason::Converted, span);
            }
            let null = !outcomes::null(term).is_nothing();
            let known = Known { ty: to.clone(), null };
            let term = Term::Unknown(Reason::Converted, span, Some(known));
            Cases {
                list: vec![(outcomes::defined(&cases, context), term)],
                error: outcomes::failing(&cases, context),
            }
        }
    }
}

/// The value if it may be converted to a type that is not known: texts, lists and maps of them, and nulls stay what
/// they are; everything else may change, and a set may become a list.
pub fn unclear<'m>(value: &Cases<'m>, reason: &Reason, span: Span) -> Cases<'m> {
    value.map(|term| match term {
        Term::Constant(it) if it.is_null() || it.as_str().is_some() => Cases::one(term.clone()),
        Term::Constant(it) if is_empty(it) => Cases::one(term.clone()),
        Term::Place(it) if stays(&it.ty) => Cases::one(term.clone()),
        Term::Unknown(_, _, Some(known)) if known.ty == Type::String => Cases::one(term.clone()),
        Term::Unknown(reason, span, _) => Cases::unknown(reason.clone(), *span),
        _ => Cases::unknown(reason.clone(), span),
    })
}

fn stays(ty: &Type) -> bool {
    match ty {
        Type::List(element) | Type::Map(element) => **element == Type::String,
        ty => *ty == Type::String,
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_sequence().is_some_and(<[Value]>::is_empty)
        || value.as_mapping().is_some_and(std::collections::BTreeMap::is_empty)
}

/// Restricts nothing, but marks that evaluation may fail everywhere.
pub fn may_fail<'m>(mut value: Cases<'m>, reason: &Reason, span: Span) -> Cases<'m> {
    for (guard, _) in &mut value.list {
        *guard = guard.clone().losing(reason.clone(), span);
    }
    value.error = value.error.or(Extent::unknown(reason.clone(), span));
    value
}

/// Whether it is a null that takes any type.
pub fn is_untyped_null(cases: &Cases<'_>) -> bool {
    let is_null = |it: &Value| it.is_null() && *it.ty() == Type::Dynamic;
    cases.as_constant().is_some_and(is_null)
}
