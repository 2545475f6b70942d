//! `==`, `!=` and the operators of order, between terms.

use super::{
    context::{Context, Folded},
    counting,
    patterns::text,
    sequences, sets,
    symbolic::{
        Cases, Known, Leaf, Place, Sequence, Term, Truth, as_condition,
        leaves::{converted, equality, order},
        operators::mirror,
        views::View,
    },
    terms, totals, types, unique,
};
use crate::{
    diagnostic::Span,
    sets::{Extent, Limit, Range, Region, Root, ValueSet},
    syntax::{BinaryOp, Expr},
    value::{Number, Type, Value},
};

/// A comparison, but for what is compared.
#[derive(Clone, Copy)]
pub struct Comparison<'c, 'm> {
    pub op: BinaryOp,
    pub span: Span,
    pub context: &'c Context<'m>,
}

impl<'m> Comparison<'_, 'm> {
    pub fn unknown(self, reason: &str) -> Truth {
        Truth::unknown(reason, self.span)
    }

    pub fn of_exprs(self, left: &'m Expr, right: &'m Expr) -> Truth {
        let [one, other] = [left, right].map(|it| terms::cases(it, self.context));
        let truth = self.of_cases(&one, &other);
        if truth.when_true.formula.is_true() && !truth.when_true.losses.is_empty() {
            return unique::truth(self, left, right).unwrap_or(truth);
        }
        truth
    }

    pub fn of_cases(self, left: &Cases<'m>, right: &Cases<'m>) -> Truth {
        if self.op == BinaryOp::NotEqual {
            return Comparison { op: BinaryOp::Equal, ..self }.of_cases(left, right).not();
        }
        if let Some(truth) = sums(self.op, left, right) {
            return truth;
        }
        let mut out = Truth::never();
        for (guard, left) in &left.list {
            for (other, right) in &right.list {
                let both = guard.clone().and(other.clone());
                if !both.is_nothing() {
                    out = out.or_case(&both, self.of_terms(left, right));
                }
            }
        }
        out.error = out.error.or(left.error.clone()).or(right.error.clone());
        out
    }

    fn of_terms(self, left: &Term<'m>, right: &Term<'m>) -> Truth {
        let Comparison { op, span, context } = self;
        match (left, right) {
            (Term::Unknown(reason, span, None), _) | (_, Term::Unknown(reason, span, None)) => {
                Truth::unknown(&**reason, *span)
            }
            (Term::Constant(left), Term::Constant(right)) => {
                constants(op, left, right, span, context)
            }
            (term, Term::Constant(value)) => self.with_constant(term, value),
            (Term::Constant(value), term) => match mirror(op) {
                Some(op) => Comparison { op, ..self }.with_constant(term, value),
                None => self.unknown("a comparison of this kind"),
            },
            (Term::Floor(floor), Term::Place(place)) | (Term::Place(place), Term::Floor(floor))
                if floor == place && op == BinaryOp::Equal =>
            {
                place.truth(Leaf::exactly(ValueSet::MultipleOf(1)))
            }
            (Term::Count(left), Term::Count(right)) => counting::of_two(self, left, right),
            (Term::Sequence(_), _) | (_, Term::Sequence(_)) if op == BinaryOp::Equal => {
                sets::equal(left, right, span, context)
            }
            (Term::Place(one), Term::Place(other)) => places(op, one, other, span),
            (Term::Unknown(reason, span, _), _) | (_, Term::Unknown(reason, span, _)) => {
                Truth::unknown(&**reason, *span)
            }
            _ => match (op, as_truth(left, span), as_truth(right, span)) {
                (BinaryOp::Equal, Some(left), Some(right)) => same(left, right),
                _ => self.unknown("a comparison of two values that are no constants"),
            },
        }
    }

    fn with_constant(self, term: &Term<'m>, value: &Value) -> Truth {
        let Comparison { op, span, context } = self;
        let is_equal = op == BinaryOp::Equal;
        match term {
            Term::Place(place) if is_equal => place.truth(equality::equals(value, &place.ty, span)),
            Term::Place(place) => match value.as_number() {
                Some(limit) if place.ty == Type::String => {
                    let number = place.seen(View::Number);
                    number.truth(order::compared(op, limit, &number.ty, span))
                }
                Some(limit) if place.ty == Type::Dynamic => {
                    place.truth(converted::ordered(op, limit, span))
                }
                Some(limit) => place.truth(order::compared(op, limit, &place.ty, span)),
                None => self.unknown("a limit that is no constant number"),
            },
            Term::Bool(truth) if is_equal => bool_is(truth, value),
            Term::Count(_) | Term::Total(_) => match value.as_number() {
                Some(number) => self.of_count(term, number),
                None => self.unknown("a length compared with no constant number"),
            },
            Term::Shifted(inner, by) => {
                let rest = value.as_number().and_then(|it| it.to_i64()?.checked_sub(*by));
                match rest.map(Value::int) {
                    Some(rest) => self.with_constant(inner, &rest),
                    None => self.unknown("a length compared with no constant number"),
                }
            }
            Term::Modulo(place, divisor) if is_equal => match leaving(*divisor, value) {
                Some(numbers) => place.truth(Leaf::exactly(numbers)),
                None => self.unknown("a comparison of a remainder (`%`) with this number"),
            },
            Term::Sequence(_) if is_equal && matches!(value.ty(), Type::Set(_)) => {
                sets::equal(term, &Term::Constant(value.clone()), span, context)
            }
            Term::Sequence(it) if is_equal && is_tuple(it) && is_empty_tuple(value) => {
                sequences::is_empty(&Cases::one(term.clone()), context, span)
            }
            Term::Object(_) | Term::Sequence(_) if is_equal && value.is_null() => {
                let cases = Cases::one(term.clone());
                let (defined, error) = (cases.defined(context), cases.failing(context));
                let when_true = types::null(term);
                let when_false =
                    if when_true.is_nothing() { defined } else { types::there(term, context) };
                Truth { when_true, when_false, error, ..Truth::never() }
            }
            Term::Unknown(_, _, Some(Known { null: false, .. })) if is_equal && value.is_null() => {
                Truth::constant(false)
            }
            Term::Unknown(reason, place, Some(_)) => {
                let either = Extent::unknown(&**reason, *place);
                let error = if is_equal { Extent::nothing() } else { either.clone() };
                Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() }
            }
            _ => self.unknown(&with_a_constant(term)),
        }
    }

    fn of_count(self, term: &Term<'m>, number: &Number) -> Truth {
        match term {
            Term::Count(inner) => counting::of_length(self, inner, number),
            Term::Total(parts) => totals::compared(self, parts, number),
            _ => self.unknown(&with_a_constant(term)),
        }
    }
}

fn with_a_constant(term: &Term<'_>) -> String {
    format!("a comparison of {} with a constant", term.form())
}

/// A sum of `? 1 : 0` beside a number.
fn sums(op: BinaryOp, left: &Cases<'_>, right: &Cases<'_>) -> Option<Truth> {
    let number = |it: &Cases<'_>| it.as_constant().and_then(|it| it.as_number()).cloned();
    match (number(left), number(right)) {
        (None, Some(number)) => counting::of_sum(op, &left.summands()?, &number),
        (Some(number), None) => counting::of_sum(mirror(op)?, &right.summands()?, &number),
        _ => None,
    }
}

/// Two values that are no constants: what can be said is where there are any.
fn places(op: BinaryOp, one: &Place, other: &Place, span: Span) -> Truth {
    let reason = "a comparison of two values that are no constants";
    if op == BinaryOp::Equal {
        if one.ty == Type::Bool && other.ty == Type::Bool {
            let truth = |it: &Place| it.truth(Leaf::of_bool());
            return same(truth(one), truth(other));
        }
        if let Some(truth) = fixed(one, other, span).or_else(|| fixed(other, one, span)) {
            return truth;
        }
        let error = one.failing().or(other.failing());
        let either = Extent::unknown(reason, span);
        return Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() };
    }
    if one.ty != Type::Number || other.ty != Type::Number {
        return Truth::unknown(reason, span);
    }
    let both = one.not_null().and(other.not_null()).losing(reason, span);
    let missing = [one.null(), one.failing(), other.null(), other.failing()];
    Truth {
        when_true: both.clone(),
        when_false: both,
        error: Extent::any(missing),
        ..Truth::never()
    }
}

/// `x == trimspace(x)`, `x == lower(x)`: strings that a function leaves as they are.
fn fixed(place: &Place, seen: &Place, span: Span) -> Option<Truth> {
    let is = |view| *seen == place.seen(view);
    let without = |pattern: &str| ValueSet::Matches(pattern.to_owned()).negated();
    let changed = match () {
        () if is(View::Trim(None)) => {
            let pattern = format!("^{space}|{space}$", space = text::SPACE);
            return Some(place.truth(Leaf::exactly(without(&pattern))));
        }
        () if is(View::Lower) => "[A-Z]",
        () if is(View::Upper) => "[a-z]",
        () => return None,
    };
    let reason = "a comparison of letters in either case beyond ASCII";
    let when_true = Region::new(false, without(changed)).losing(reason, span);
    Some(place.truth(Leaf::of_values(when_true, Region::unknown(reason, span))))
}

fn as_truth(term: &Term<'_>, span: Span) -> Option<Truth> {
    match term {
        Term::Bool(truth) => Some((**truth).clone()),
        Term::Place(place) if place.ty == Type::Bool => {
            Some(as_condition::of_cases(&Cases::one(term.clone()), span))
        }
        _ => None,
    }
}

/// Both true, both false, or both null.
fn same(left: Truth, right: Truth) -> Truth {
    let both = |a: &Extent, b: &Extent| a.clone().and(b.clone());
    let yes = both(&left.when_true, &right.when_true)
        .or(both(&left.when_false, &right.when_false))
        .or(both(&left.null, &right.null));
    let no = both(&left.when_true, &right.when_false)
        .or(both(&left.when_false, &right.when_true))
        .or(both(&left.null, &right.when_true.clone().or(right.when_false.clone())))
        .or(both(&right.null, &left.when_true.clone().or(left.when_false.clone())));
    Truth { when_true: yes, when_false: no, error: left.error.or(right.error), ..Truth::never() }
}

fn constants(
    op: BinaryOp,
    left: &Value,
    right: &Value,
    span: Span,
    context: &Context<'_>,
) -> Truth {
    match context.fold_binary(op, left, right, span) {
        Folded::Value(value) => match value.as_bool() {
            Some(it) => Truth::constant(it),
            None => Truth::unknown("a comparison of these constants", span),
        },
        Folded::Error => Truth::failure(),
        Folded::Unclear => Truth::unknown("a comparison of these constants", span),
    }
}

/// The numbers that divided by `divisor` leave `rest`, which has the sign of what is divided.
fn leaving(divisor: u64, rest: &Value) -> Option<ValueSet> {
    let rest = rest.as_number()?.to_i64()?;
    if rest == 0 {
        return Some(ValueSet::MultipleOf(divisor));
    }
    if rest.unsigned_abs() >= divisor {
        return Some(ValueSet::Nothing);
    }
    // Only odd numbers are all that is no multiple.
    let odd = [ValueSet::MultipleOf(1), ValueSet::MultipleOf(2).negated()];
    let limit = Some(Limit { value: Number::from_i64(0), inclusive: false });
    let range = match rest {
        1 => Range { lower: limit, upper: None },
        _ => Range { lower: None, upper: limit },
    };
    (divisor == 2).then(|| ValueSet::all(odd.into_iter().chain([ValueSet::Range(range)])))
}

fn is_tuple(sequence: &Sequence<'_>) -> bool {
    match sequence {
        Sequence::For(_, it) => it.key.is_none(),
        Sequence::Flattened(_) | Sequence::Written(_) => true,
        _ => false,
    }
}

fn is_empty_tuple(value: &Value) -> bool {
    matches!(value.ty(), Type::Tuple(elements) if elements.is_empty())
}

fn bool_is(truth: &Truth, value: &Value) -> Truth {
    let Truth { when_true, when_false, null, error, .. } = truth.clone();
    let (yes, no) = match value.as_bool() {
        Some(true) => (when_true, when_false.or(null)),
        Some(false) => (when_false, when_true.or(null)),
        None if value.is_null() => (null, when_true.or(when_false)),
        None => (Extent::nothing(), when_true.or(when_false).or(null)),
    };
    Truth { when_true: yes, when_false: no, error, ..Truth::never() }
}

/// Whether the term is among constants, by `==`.
pub fn is_among(subject: &Cases<'_>, values: &[Value], span: Span, context: &Context<'_>) -> Truth {
    among(subject, values, span, false, context)
}

/// As [`is_among`], but null is an error, as for `contains`.
pub fn is_in(subject: &Cases<'_>, values: &[Value], span: Span, context: &Context<'_>) -> Truth {
    among(subject, values, span, true, context)
}

fn among(
    subject: &Cases<'_>,
    values: &[Value],
    span: Span,
    strict: bool,
    context: &Context<'_>,
) -> Truth {
    let mut out = Truth::never();
    for (guard, term) in &subject.list {
        let truth = match term {
            Term::Place(place) => {
                if place.is_unified() {
                    let reason = "a comparison of elements that may have been converted";
                    out = out.or_case(guard, Truth::unknown(reason, span));
                    continue;
                }
                let leaf = leaf_among(values, &place.ty, span);
                place.truth(if strict { leaf.not_null() } else { leaf })
            }
            Term::Constant(value) if strict && value.is_null() => Truth::failure(),
            Term::Constant(value) => {
                let each = values.iter();
                let each = each.map(|it| constants(BinaryOp::Equal, value, it, span, context));
                each.fold(Truth::constant(false), Truth::or)
            }
            Term::Unknown(reason, span, _) => Truth::unknown(&**reason, *span),
            _ => Truth::unknown(format!("membership of {}", term.form()), span),
        };
        out = out.or_case(guard, truth);
    }
    out.error = out.error.or(subject.error.clone());
    out
}

fn leaf_among(values: &[Value], ty: &Type, span: Span) -> Leaf {
    let each = values.iter().map(|it| equality::equals(it, ty, span));
    let start = Leaf::total(Region::nothing(), Region::everything());
    each.fold(start, |all, one| {
        Leaf::total(all.when_true.or(one.when_true), all.when_false.and(one.when_false))
    })
}

/// The variable whose whole value the place is.
pub fn is_whole_variable(place: &Place, context: &Context<'_>) -> bool {
    place.is_root() && place.root == Root::Variable(context.variable.name.clone())
}
