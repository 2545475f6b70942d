//! Values used as conditions: `var.enabled` in `alltrue([var.enabled])`.

use super::{
    leaf::Leaf,
    term::{Cases, Term},
    truth::Truth,
};
use crate::sets::Reason;
use diagnostics::Span;
use tf_value::{Type, Value, convert};

/// Takes a value for a condition, case by case.
pub fn of_cases(cases: &Cases<'_>, span: Span) -> Truth {
    let mut out = Truth::never();
    for (guard, term) in &cases.list {
        out = out.or_case(guard, of_term(term, span));
    }
    out.error = out.error.or(cases.error.clone());
    out
}

fn of_term(term: &Term<'_>, span: Span) -> Truth {
    match term {
        Term::Bool(truth) => (**truth).clone(),
        Term::Constant(value) => constant(value),
        Term::Place(place) if place.ty == Type::Bool => place.truth(Leaf::of_bool()),
        Term::Place(_) => Truth::unknown(Reason::ConversionToBool, span),
        // A list is not a condition: an error.
        Term::Sequence(_) | Term::Object(_) => Truth::failure(),
        Term::Unknown(reason, span, _) => Truth::unknown(reason.clone(), *span),
        _ => Truth::unknown(Reason::AsCondition(term.form()), span),
    }
}

fn constant(value: &Value) -> Truth {
    if value.is_null() {
        return Truth::null();
    }
    match convert(value, &Type::Bool).ok().and_then(|it| it.as_bool()) {
        Some(it) => Truth::constant(it),
        None => Truth::failure(),
    }
}
