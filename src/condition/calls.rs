//! Calls of functions as terms.

use std::rc::Rc;

use super::{
    Constraint, Leaf, Region, boolean,
    context::{Context, Folded, fold_call},
    counting,
    formula::Extent,
    patterns::{address, number, text},
    place::Place,
    predicate,
    term::{Cases, Sequence, Term},
    terms,
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
                None => Cases::unknown("a call of this form", span),
            };
        }
        ("try", _) => return attempt(args, context),
        ("length", [inner]) => return length(inner, span, context),
        _ => (),
    }
    let values: Vec<Cases<'m>> = args.iter().map(|it| terms::cases(it, context)).collect();
    let constants: Option<Vec<Value>> = values.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(constants) = constants {
        return match fold_call(name, &constants, span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error if FALLIBLE.contains(&name.name.as_str()) => Cases::failure(),
            _ => unknown(&name.name, span),
        };
    }
    of_function(&name.name, &values, span, context)
}

fn unknown<'m>(name: &str, span: Span) -> Cases<'m> {
    Cases::unknown(format!("a call of `{name}` of this form"), span)
}

fn of_function<'m>(name: &str, args: &[Cases<'m>], span: Span, context: &Context<'m>) -> Cases<'m> {
    let sequence = |it| Cases::one(Term::Sequence(Rc::new(it)));
    match (name, args) {
        ("sensitive" | "nonsensitive", [it]) => it.clone(),
        ("coalesce", _) => coalesce(args, span),
        ("lookup", [map, key, default]) => lookup(map, key, Some(default), span),
        ("lookup", [map, key]) => lookup(map, key, None, span),
        ("flatten", [it]) => sequence(Sequence::Flattened(it.clone())),
        ("distinct" | "toset", [it]) => sequence(Sequence::Distinct(it.clone())),
        ("tolist", [it]) => it.map(|term| match term {
            Term::Place(place) if matches!(place.ty, Type::Set(_)) => {
                sequence(Sequence::Elements(place.clone()))
            }
            _ => Cases::one(term.clone()),
        }),
        ("tomap", [it]) => it.clone(),
        ("concat", _) => sequence(Sequence::Joined(args.to_vec())),
        ("compact", [it]) => {
            let among = vec![Value::string(""), Value::null(Type::String)];
            sequence(Sequence::Filtered { source: it.clone(), among, kept: false, span })
        }
        ("setsubtract" | "setintersection", [one, other]) => {
            selection(name == "setintersection", one, other, span)
        }
        ("keys" | "values", [it]) => it.map(|term| members(name == "keys", term, span)),
        ("lower" | "upper" | "trimspace", [it]) => it.map(|term| mapped(name, term, span)),
        ("floor" | "ceil", [it]) => it.map(|term| match term {
            Term::Place(place) if place.ty == Type::Number => {
                Cases::one(Term::Floor(place.clone()))
            }
            _ => unknown(name, span),
        }),
        ("sum", [it]) => match it.list.as_slice() {
            [(_, term)] if let Some(parts) = counting::sum_of(term, context, span) => {
                Cases::one(Term::Sum(Rc::new(parts)))
            }
            _ => unknown(name, span),
        },
        ("tostring" | "tonumber" | "tobool", [it]) => it.map(|term| converted(name, term, span)),
        ("regex", [pattern, it]) => match pattern.as_constant().and_then(|it| it.as_str()) {
            Some(pattern) => it.map(|term| matched(pattern, term, span)),
            None => Cases::unknown("a pattern that is no constant", span),
        },
        ("cidrhost" | "cidrnetmask" | "cidrsubnet", [it, rest @ ..]) => {
            it.map(|term| address(name, term, rest, span))
        }
        ("parseint", [it, base]) => {
            let base = base.as_constant().and_then(|it| it.as_number()?.to_i64());
            it.map(|term| match term {
                Term::Place(place) if place.ty == Type::String && base == Some(10) => {
                    tested(place, Leaf::or_error(Constraint::Matches(number::INTEGER.to_owned())))
                }
                _ => unknown(name, span),
            })
        }
        _ => unknown(name, span),
    }
}

/// A value that is there exactly where the leaf is true, and fails where it fails.
fn tested<'m>(place: &Place, leaf: Leaf) -> Cases<'m> {
    Cases::opaque(place.lift(leaf.when_true, false), place.lift(leaf.error, true))
}

fn matched<'m>(pattern: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    match term {
        Term::Place(place) if place.ty == Type::String => match text::pattern(pattern) {
            Ok(constraint) => tested(place, Leaf::or_error(constraint)),
            Err(reason) => Cases::unknown(reason, span),
        },
        Term::Place(_) => {
            Cases::unknown("a regular expression over a value converted to string", span)
        }
        Term::Constant(value) => match value.as_str() {
            Some(text) => match crate::re2::cached(pattern) {
                Ok(regex) if regex.is_match(text) => Cases::one(Term::Opaque),
                _ => Cases::failure(),
            },
            None => Cases::unknown("a regular expression over a value converted to string", span),
        },
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => Cases::unknown("a regular expression over an expression of this form", span),
    }
}

fn address<'m>(name: &str, term: &Term<'m>, rest: &[Cases<'m>], span: Span) -> Cases<'m> {
    let Term::Place(place) = term else { return unknown(name, span) };
    if place.ty != Type::String {
        return unknown(name, span);
    }
    let first = rest.first().and_then(|it| it.as_constant()?.as_number()?.to_i64());
    let (pattern, exact) = match (name, first) {
        ("cidrnetmask", _) => (address::ipv4_prefix(), true),
        ("cidrhost", Some(0)) => (address::prefix(), true),
        _ => (address::prefix(), false),
    };
    let leaf = Leaf::or_error(Constraint::Matches(pattern));
    if exact {
        return tested(place, leaf);
    }
    let reason = "a part of an address range that has to exist";
    let error = Region::unknown(reason, span);
    tested(place, Leaf { when_true: leaf.when_true.losing(reason, span), error, ..leaf })
}

fn converted<'m>(name: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    let Term::Place(place) = term else { return unknown(name, span) };
    match (name, &place.ty) {
        ("tostring", Type::String) | ("tonumber", Type::Number) | ("tobool", Type::Bool) => {
            Cases::one(term.clone())
        }
        ("tonumber", Type::String) => {
            let numeric = Constraint::Matches(number::NUMERIC.to_owned());
            let leaf = Leaf::or_error(numeric.clone());
            tested(
                place,
                Leaf {
                    when_true: Region::new(true, numeric.clone()),
                    error: Region::new(false, numeric.negated()),
                    ..leaf
                },
            )
        }
        ("tostring", Type::Number | Type::Bool) => {
            Cases::opaque(place.reachable(), place.failing())
        }
        _ => unknown(name, span),
    }
}

fn mapped<'m>(name: &str, term: &Term<'m>, span: Span) -> Cases<'m> {
    let mapping = match name {
        "lower" => text::Mapping::Lower,
        "upper" => text::Mapping::Upper,
        _ => text::Mapping::Trim,
    };
    match term {
        Term::Place(place) => Cases::one(Term::Mapped(vec![mapping], place.clone())),
        Term::Mapped(inner, place) => {
            let chain = inner.iter().copied().chain([mapping]).collect();
            Cases::one(Term::Mapped(chain, place.clone()))
        }
        Term::Unknown(..) => Cases::one(term.clone()),
        _ => unknown(name, span),
    }
}

fn members<'m>(keys: bool, term: &Term<'m>, span: Span) -> Cases<'m> {
    let sequence = |it| Cases::one(Term::Sequence(Rc::new(it)));
    match term {
        Term::Place(place) if matches!(place.ty, Type::Map(_)) => sequence(if keys {
            Sequence::Keys(place.clone())
        } else {
            Sequence::Elements(place.clone())
        }),
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
    let (source, among) = match (one.as_constant(), other.as_constant()) {
        (None, Some(among)) => (one, among),
        (Some(among), None) if kept => (other, among),
        _ => return Cases::unknown("a set operation of this form", span),
    };
    let of_strings = |it: &Term<'m>| match it {
        Term::Place(place) => place.ty.element() == Some(&Type::String),
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
        _ => Cases::unknown("a set operation of this form", span),
    }
}

/// The first that is neither null nor an empty string.
fn coalesce<'m>(args: &[Cases<'m>], span: Span) -> Cases<'m> {
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for arg in args {
        let mut skipped = Extent::nothing();
        for (guard, term) in &arg.list {
            let guard = rest.clone().and(guard.clone());
            match term {
                Term::Constant(value) if value.is_null() || value.as_str() == Some("") => {
                    skipped = skipped.or(guard);
                }
                Term::Place(place) => {
                    let empty = Constraint::OneOf(vec![Value::string("")]);
                    let (kept, left) = if place.ty == Type::String {
                        (empty.clone().negated(), empty)
                    } else {
                        (Constraint::Anything, Constraint::Nothing)
                    };
                    let present = place.lift(Region::new(false, kept), false);
                    skipped =
                        skipped.or(guard.clone().and(place.lift(Region::new(true, left), false)));
                    out.add(&guard.clone().and(present), Cases::one(term.clone()));
                    out.error = out.error.or(guard.and(place.failing()));
                }
                Term::Constant(_) | Term::Sequence(_) | Term::Object(_) => {
                    out.add(&guard, Cases::one(term.clone()));
                }
                _ => return Cases::unknown("a call of `coalesce` of this form", span),
            }
        }
        out.error = out.error.or(rest.clone().and(arg.error.clone()));
        rest = skipped;
    }
    out.error = out.error.or(rest);
    out
}

fn lookup<'m>(
    map: &Cases<'m>,
    key: &Cases<'m>,
    default: Option<&Cases<'m>>,
    span: Span,
) -> Cases<'m> {
    let default = default.cloned().unwrap_or_else(Cases::failure);
    if let Some(key) = key.as_constant() {
        let Some(key) = key.as_str() else { return unknown("lookup", span) };
        return map.map(|term| match term {
            Term::Place(place) if matches!(place.ty, Type::Map(_)) => {
                let leaf = place.has_key(key);
                let error = place.lift(leaf.error, true);
                let mut out = Cases { list: Vec::new(), error };
                out.add(
                    &place.lift(leaf.when_true, false),
                    terms::member(&Cases::one(term.clone()), key, span),
                );
                out.add(&place.lift(leaf.when_false, false), default.clone());
                out
            }
            Term::Place(place) if let Some(object) = place.ty.as_object() => {
                if object.attributes.contains_key(key) {
                    terms::member(&Cases::one(term.clone()), key, span)
                } else {
                    default.clone()
                }
            }
            _ => unknown("lookup", span),
        });
    }
    let ([(_, Term::Place(place))], Some(table)) =
        (key.list.as_slice(), map.as_constant().and_then(|it| it.as_mapping()))
    else {
        return unknown("lookup", span);
    };
    if place.ty != Type::String {
        return unknown("lookup", span);
    }
    let keys: Vec<Value> = table.keys().map(Value::string).collect();
    let mut out = Cases { list: Vec::new(), error: place.null().or(place.failing()) };
    for (key, value) in table {
        let is_key = Constraint::OneOf(vec![Value::string(key)]);
        out.add(&place.lift(Region::new(false, is_key), false), Cases::constant(value.clone()));
    }
    let others = Constraint::OneOf(keys).negated();
    out.add(&place.lift(Region::new(false, others), false), default);
    out
}

/// The first that does not fail.
fn attempt<'m>(args: &'m [Expr], context: &Context<'m>) -> Cases<'m> {
    let mut out = Cases { list: Vec::new(), error: Extent::nothing() };
    let mut rest = Extent::everything();
    for (index, arg) in args.iter().enumerate() {
        let cases = terms::cases(arg, context);
        let (error, strict) = cases.failing();
        for (guard, term) in cases.list {
            let guard = rest.clone().and(guard);
            let term = match term {
                Term::Bool(mut truth) if index + 1 < args.len() => {
                    truth.error = Extent::nothing();
                    truth.strict = true;
                    Term::Bool(truth)
                }
                other => other,
            };
            let guard = match &term {
                Term::Bool(_) => guard,
                other => {
                    let (defined, _) = (Cases::one(other.clone()).defined(), ());
                    guard.and(defined)
                }
            };
            out.add(&guard, Cases::one(term));
        }
        rest = rest.and(error);
        if !strict && !rest.is_nothing() {
            rest = rest.losing(predicate::VERSIONS, arg.span);
        }
    }
    out.error = rest;
    out
}

fn length<'m>(inner: &'m Expr, span: Span, context: &Context<'m>) -> Cases<'m> {
    if let crate::syntax::ExprKind::Call { name, args, expand: false } =
        &super::context::bare(inner).kind
        && let [first, second] = args.as_slice()
    {
        let constant = terms::cases(first, context);
        let text = constant.as_constant().and_then(|it| it.as_str()).map(str::to_owned);
        match (name.name.as_str(), text) {
            ("regexall", Some(pattern)) => {
                return terms::cases(second, context).map(|term| match term {
                    Term::Place(place) => Cases::one(Term::Matches(pattern.clone(), place.clone())),
                    _ => unknown("regexall", span),
                });
            }
            ("split", Some(separator)) => {
                return terms::cases(second, context).map(|term| match term {
                    Term::Place(place) => Cases::one(Term::Parts(separator.clone(), place.clone())),
                    _ => unknown("split", span),
                });
            }
            _ => (),
        }
    }
    terms::cases(inner, context).map(|term| match term {
        Term::Constant(value) => {
            let name = Ident { name: "length".into(), span };
            match fold_call(&name, std::slice::from_ref(value), span) {
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
        Term::Place(_) | Term::Sequence(_) => Cases::one(Term::Count(Box::new(term.clone()))),
        Term::Object(members) => {
            let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
            Cases::constant(Value::int(size))
        }
        _ => unknown("length", span),
    })
}
