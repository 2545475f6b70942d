//! Calls of functions as terms.

use std::rc::Rc;

use super::{
    context::{Context, Folded},
    counting, fallback, predicate, strings,
    term::{Cases, Sequence, Term},
    terms,
    views::View,
};
use crate::{
    diagnostic::Span,
    syntax::{Expr, Ident},
    value::{Type, Value},
};

/// Functions that fail for some arguments and depend on nothing else.
const FALLIBLE: [&str; 16] = [
    "regex",
    "regexall",
    "tonumber",
    "tobool",
    "tostring",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "parseint",
    "length",
    "contains",
    "lookup",
    "index",
    "element",
    "keys",
    "one",
];

pub fn cases<'m>(
    name: &Ident,
    args: &'m [Expr],
    expand: bool,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let span = expr.span;
    if expand {
        return Cases::unknown("a call with an expanded argument", span);
    }
    match (name.name.as_str(), args) {
        (
            "can" | "alltrue" | "anytrue" | "contains" | "startswith" | "endswith" | "strcontains",
            _,
        ) => {
            return match predicate::truth(&name.name, args, span, context) {
                Some(truth) => Cases::one(Term::Bool(Box::new(truth))),
                None => unknown(&name.name, span),
            };
        }
        ("try", _) => return fallback::attempt(args, context),
        ("length", [inner]) => return length(inner, span, context),
        _ => (),
    }
    let values: Vec<Cases<'m>> = args.iter().map(|it| terms::cases(it, context)).collect();
    let constants: Option<Vec<Value>> = values.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(constants) = constants {
        return match context.fold_call(name, &constants, span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error if FALLIBLE.contains(&name.name.as_str()) => Cases::failure(),
            _ => unknown(&name.name, span),
        };
    }
    of_function(&name.name, &values, span, context)
}

/// Some calls of the function are translated, and this is none of them.
pub fn unknown<'m>(name: &str, span: Span) -> Cases<'m> {
    Cases::unknown(format!("a call of `{name}` with these arguments"), span)
}

fn of_function<'m>(name: &str, args: &[Cases<'m>], span: Span, context: &Context<'m>) -> Cases<'m> {
    let sequence = |it| Cases::one(Term::Sequence(Rc::new(it)));
    match (name, args) {
        ("sensitive" | "nonsensitive", [it]) => it.clone(),
        ("coalesce", _) => fallback::coalesce(args, span),
        ("lookup", [map, key, default]) => fallback::lookup(map, key, Some(default), span),
        ("lookup", [map, key]) => fallback::lookup(map, key, None, span),
        ("flatten", [it]) => sequence(Sequence::Flattened(it.clone())),
        ("distinct" | "toset", [it]) => sequence(Sequence::Distinct(it.clone())),
        ("tolist", [it]) => it.map(|term| match term {
            Term::Place(place) if matches!(place.ty, Type::Set(_)) => {
                sequence(Sequence::Elements(place.clone()))
            }
            _ => Cases::one(term.clone()),
        }),
        ("tomap", [it]) => it.clone(),
        ("concat", _) => joined(args, span),
        ("compact", [it]) => {
            let among = vec![Value::string(""), Value::null(Type::String)];
            sequence(Sequence::Filtered { source: it.clone(), among, kept: false, span })
        }
        ("setsubtract" | "setintersection", [one, other]) => {
            selection(name == "setintersection", one, other, span)
        }
        ("setunion", [one, other]) => sequence(Sequence::Distinct(Cases::one(Term::Sequence(
            Rc::new(Sequence::Joined(vec![one.clone(), other.clone()])),
        )))),
        ("keys" | "values", [it]) => it.map(|term| members(name == "keys", term, span)),
        ("lower", [it]) => it.map(|term| strings::seen(name, View::Lower, term, span)),
        ("upper", [it]) => it.map(|term| strings::seen(name, View::Upper, term, span)),
        ("trimspace", [it]) => it.map(|term| strings::seen(name, View::Trim, term, span)),
        ("strrev", [it]) => it.map(|term| strings::seen(name, View::Reverse, term, span)),
        ("substr", [it, offset, length]) => {
            it.map(|term| strings::substr(term, offset, length, span))
        }
        ("split", [separator, it]) => {
            match separator.as_constant().and_then(|it| it.as_str()).map(str::to_owned) {
                Some(separator) => it.map(|term| match term {
                    Term::Place(place) if place.ty == Type::String => {
                        Cases::one(Term::Parts(separator.clone(), place.clone()))
                    }
                    Term::Unknown(..) => Cases::one(term.clone()),
                    _ => unknown(name, span),
                }),
                None => Cases::unknown("a separator that is no constant", span),
            }
        }
        ("element", [list, index]) => terms::element(list, index, span),
        ("index", [list, it]) => fallback::position(list, it, span),
        ("floor" | "ceil", [it]) => it.map(|term| match term {
            Term::Place(place) if place.ty == Type::Number => {
                Cases::one(Term::Floor(place.clone()))
            }
            _ => unknown(name, span),
        }),
        ("sum", [it]) => match it.list.as_slice() {
            [(_, term)] if let Some(parts) = counting::sum_of(term, context) => {
                Cases::one(Term::Sum(Rc::new(parts)))
            }
            _ => unknown(name, span),
        },
        ("tostring" | "tonumber" | "tobool", [it]) => {
            it.map(|term| strings::converted(name, term, span))
        }
        ("regex", [pattern, it]) => match pattern.as_constant().and_then(|it| it.as_str()) {
            Some(pattern) => it.map(|term| strings::matched(pattern, term, span)),
            None => Cases::unknown("a pattern that is no constant", span),
        },
        ("cidrhost" | "cidrnetmask" | "cidrsubnet", [it, rest @ ..]) => {
            it.map(|term| strings::address(name, term, rest, span))
        }
        ("base64decode" | "jsondecode", [it]) => it.map(|term| strings::decoded(name, term, span)),
        ("timeadd", [it, other]) | ("formatdate", [other, it]) => {
            let sample = Value::string("2024-01-01T00:00:00Z");
            let ident = Ident { name: name.into(), span };
            let reads = other.as_constant().is_some_and(|other| {
                let args = match name {
                    "timeadd" => [sample, other.clone()],
                    _ => [other.clone(), sample],
                };
                matches!(context.fold_call(&ident, &args, span), Folded::Value(_))
            });
            if !reads {
                return unknown(name, span);
            }
            it.map(|term| strings::decoded(name, term, span))
        }
        ("parseint", [it, base]) => {
            let base = base.as_constant().and_then(|it| it.as_number()?.to_i64());
            match base {
                Some(10) => it.map(|term| strings::seen(name, View::Integer, term, span)),
                _ => unknown(name, span),
            }
        }
        _ => Cases::unknown(format!("a call of `{name}`"), span),
    }
}

/// `concat`, which takes lists and no sets.
fn joined<'m>(args: &[Cases<'m>], span: Span) -> Cases<'m> {
    let is_set = |term: &Term<'m>| match term {
        Term::Place(place) => matches!(place.ty, Type::Set(_)),
        Term::Constant(value) => matches!(value.ty(), Type::Set(_)),
        _ => false,
    };
    let is_unclear = |term: &Term<'m>| match term {
        Term::Sequence(it) => matches!(&**it, Sequence::Distinct(_)),
        _ => false,
    };
    let some =
        |arg: &Cases<'m>, test: &dyn Fn(&Term<'m>) -> bool| arg.list.iter().any(|(_, it)| test(it));
    if args.iter().any(|it| it.list.len() == 1 && some(it, &is_set)) {
        return Cases::failure();
    }
    if args.iter().any(|it| some(it, &is_set) || some(it, &is_unclear)) {
        return unknown("concat", span);
    }
    Cases::one(Term::Sequence(Rc::new(Sequence::Joined(args.to_vec()))))
}

fn members<'m>(keys: bool, term: &Term<'m>, span: Span) -> Cases<'m> {
    let sequence = |it| Cases::one(Term::Sequence(Rc::new(it)));
    match term {
        Term::Place(place) if matches!(place.ty, Type::Map(_)) => sequence(if keys {
            Sequence::Keys(place.clone())
        } else {
            Sequence::Elements(place.clone())
        }),
        Term::Place(place) if keys && place.ty == Type::Dynamic => {
            sequence(Sequence::Keys(place.clone()))
        }
        Term::Unknown(..) => Cases::one(term.clone()),
        Term::Place(place) => match terms::attributes(place) {
            Some(attributes) => {
                let element = |(key, it): (Value, Cases<'m>)| {
                    if keys { Cases::constant(key) } else { it }
                };
                let written = terms::written(attributes.into_iter().map(element).collect());
                let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
                out.add(&place.not_null(), sequence(written));
                out
            }
            None => unknown("keys", span),
        },
        Term::Object(members) => {
            let element = |(key, it): &(smol_str::SmolStr, Cases<'m>)| {
                if keys { Cases::constant(Value::string(key)) } else { it.clone() }
            };
            sequence(terms::written(members.iter().map(element).collect()))
        }
        _ => unknown("keys", span),
    }
}

/// `setsubtract(x, […])` and `setintersection(x, […])`.
fn selection<'m>(kept: bool, one: &Cases<'m>, other: &Cases<'m>, span: Span) -> Cases<'m> {
    let untranslated = || unknown(if kept { "setintersection" } else { "setsubtract" }, span);
    let (source, among) = match (one.as_constant(), other.as_constant()) {
        (None, Some(among)) => (one, among),
        (Some(among), None) if kept => (other, among),
        _ => return untranslated(),
    };
    let of_strings = |it: &Term<'m>| match it {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
        Term::Sequence(it) => matches!(&**it, Sequence::Keys(_)),
        Term::Constant(value) => {
            value.as_sequence().is_some_and(|it| it.iter().all(|it| it.as_str().is_some()))
        }
        _ => false,
    };
    let strings = among.as_sequence().filter(|it| it.iter().all(|it| it.as_str().is_some()));
    match strings {
        Some(among) if source.list.iter().all(|(_, it)| of_strings(it)) => {
            let among = among.to_vec();
            let it = Sequence::Filtered { source: source.clone(), among, kept, span };
            Cases::one(Term::Sequence(Rc::new(Sequence::Distinct(Cases::one(Term::Sequence(
                Rc::new(it),
            ))))))
        }
        _ => untranslated(),
    }
}

fn length<'m>(inner: &'m Expr, span: Span, context: &Context<'m>) -> Cases<'m> {
    if let crate::syntax::ExprKind::Call { name, args, expand: false } =
        &super::context::bare(inner).kind
        && let [first, second] = args.as_slice()
    {
        let constant = terms::cases(first, context);
        let text = constant.as_constant().and_then(|it| it.as_str()).map(str::to_owned);
        if let ("regexall", Some(pattern)) = (name.name.as_str(), text) {
            return terms::cases(second, context).map(|term| match term {
                Term::Place(place) => Cases::one(Term::Matches(pattern.clone(), place.clone())),
                _ => unknown("regexall", span),
            });
        }
    }
    terms::cases(inner, context).map(|term| match term {
        Term::Constant(value) => {
            let name = Ident { name: "length".into(), span };
            match context.fold_call(&name, std::slice::from_ref(value), span) {
                Folded::Value(value) => Cases::constant(value),
                Folded::Error => Cases::failure(),
                Folded::Unclear => unknown("length", span),
            }
        }
        Term::Unknown(..) => Cases::one(term.clone()),
        Term::Place(place)
            if let Some(object) = place.ty.as_object()
                && !super::comparison::is_whole_variable(place, context) =>
        {
            let size = i64::try_from(object.attributes.len()).unwrap_or(i64::MAX);
            let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
            out.add(&place.not_null(), Cases::constant(Value::int(size)));
            out
        }
        Term::Place(_) | Term::Sequence(_) | Term::Parts(..) => {
            Cases::one(Term::Count(Box::new(term.clone())))
        }
        Term::Object(members) => {
            let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
            Cases::constant(Value::int(size))
        }
        _ => unknown("length", span),
    })
}
