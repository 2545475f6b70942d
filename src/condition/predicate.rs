//! Calls that give a bool.

use super::{
    boolean,
    comparison::{self, Comparison},
    context::Context,
    patterns::{converted, text},
    quantify::Elements,
    sequences,
    term::{Sequence, Term},
    terms,
    truth::Truth,
};
use crate::{
    diagnostic::Span,
    syntax::{BinaryOp, Expr},
};

/// `None` for another function.
pub fn truth<'m>(name: &str, args: &'m [Expr], span: Span, context: &Context<'m>) -> Option<Truth> {
    Some(match (name, args) {
        ("can", [inner]) => can(inner, context),
        ("alltrue", [list]) => sequences::all(elements(list, span, context)),
        ("anytrue", [list]) => sequences::any(elements(list, span, context)),
        ("contains", [list, needle]) => contains(list, needle, span, context),
        ("startswith" | "endswith" | "strcontains", [subject, part]) => {
            affix(name, subject, part, span, context)
        }
        _ => return None,
    })
}

/// True where the expression gives a value, whatever it is.
fn can<'m>(inner: &'m Expr, context: &Context<'m>) -> Truth {
    let cases = terms::cases(inner, context);
    let (when_true, when_false) = (cases.defined(context), cases.failing(context));
    Truth { when_true, when_false, ..Truth::never() }
}

fn elements<'m>(list: &'m Expr, span: Span, context: &Context<'m>) -> Elements {
    let source = terms::cases(list, context);
    sequences::elements(&source, context, span, &|element, _| {
        Elements::one(boolean::of_cases(element, span))
    })
}

fn contains<'m>(list: &'m Expr, needle: &'m Expr, span: Span, context: &Context<'m>) -> Truth {
    let needle = terms::cases(needle, context);
    let list = terms::cases(list, context);
    let equal = Comparison { op: BinaryOp::Equal, span, context };
    let mut out = Truth::never();
    for (guard, term) in &list.list {
        let truth = match term {
            Term::Constant(value) => match value.as_sequence() {
                Some(values) => comparison::is_in(&needle, values, span, context),
                None => Truth::unknown("membership in a constant that is no list", span),
            },
            Term::Sequence(it)
                if let Sequence::Keys(place) = &**it
                    && let Some(key) = needle.as_constant().and_then(|it| it.as_str()) =>
            {
                place.has_key(key)
            }
            Term::Unknown(reason, span) => Truth::unknown(&**reason, *span),
            _ => {
                let one = super::term::Cases::one(term.clone());
                sequences::any(sequences::elements(&one, context, span, &|element, _| {
                    Elements::one(equal.of_cases(element, &needle))
                }))
            }
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(list.error.clone());
    out
}

fn affix<'m>(
    name: &str,
    subject: &'m Expr,
    part: &'m Expr,
    span: Span,
    context: &Context<'m>,
) -> Truth {
    let part = terms::cases(part, context);
    let Some(part) = part.as_constant().and_then(|it| it.as_str()) else {
        return Truth::unknown("a part of a string that is no constant", span);
    };
    let constraint = text::part(name, part);
    let subject = terms::cases(subject, context);
    let mut out = Truth::never();
    for (guard, term) in &subject.list {
        let truth = match term {
            Term::Place(place) => {
                place.truth(converted::as_string(constraint.clone(), &place.ty, span))
            }
            Term::Constant(value) => match value.as_str() {
                Some(text) => Truth::constant(match name {
                    "startswith" => text.starts_with(part),
                    "endswith" => text.ends_with(part),
                    _ => text.contains(part),
                }),
                None => Truth::unknown("a conversion to string", span),
            },
            _ => Truth::unknown(format!("a call of `{name}` over {}", term.form()), span),
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(subject.error.clone());
    out
}
