//! Operators: arithmetic, comparisons, logic and `condition ? then : otherwise`.

use std::rc::Rc;

use crate::{
    condition::{
        context::{Context, Folded},
        identities,
        identities::{counts, lengths},
        outcomes,
        relation::{Comparison, constants},
        symbolic::{
            Cases, Leaf, Place, Sequence, Term, Truth, leaves, term,
            truth::{is_comparison, mirror},
            views::View,
        },
        types,
        types::Common,
    },
    sets::{Extent, Limit, NumberRange, Reason, ValueSet},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use tf_eval::functions::{self, ReturnType, Ty};
use tf_value::{Number, Type, Value};

pub fn arithmetic<'m>(
    op: BinaryOp,
    left: &Cases<'m>,
    right: &Cases<'m>,
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        return match context.fold_binary(op, left, right, span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error => Cases::failure(),
            Folded::Unclear => Cases::unknown(Reason::ArithmeticWithConstants, span),
        };
    }
    if let (BinaryOp::Add, Some(one), Some(other)) = (op, left.summands(), right.summands()) {
        return Cases::one(Term::Sum(Rc::new(one.into_iter().chain(other).collect())));
    }
    if let Some(shifted) = shifted(op, left, right) {
        return shifted;
    }
    if op == BinaryOp::Add {
        return left.map(|one| right.map(|other| total(one, other, span)));
    }
    if let (BinaryOp::Modulo, [(_, Term::Place(place))], Some(divisor)) =
        (op, left.list.as_slice(), right.as_constant())
        && place.ty == Type::Number
        && let Some(divisor) = divisor.as_number().and_then(tf_value::Number::to_u64)
        && divisor > 0
    {
        return Cases::one(Term::Modulo(place.clone(), divisor));
    }
    let constant = [left, right].iter().any(|it| it.as_constant().is_some());
    Cases::unknown(Reason::Arithmetic { op, constant }, span)
}

/// A length and a whole number.
fn shifted<'m>(op: BinaryOp, left: &Cases<'m>, right: &Cases<'m>) -> Option<Cases<'m>> {
    let number = |it: &Cases<'m>| it.as_constant()?.as_number()?.to_i64();
    let (lengths, by) = match (op, number(left), number(right)) {
        (BinaryOp::Add, None, Some(by)) => (left, by),
        (BinaryOp::Add, Some(by), None) => (right, by),
        (BinaryOp::Subtract, None, Some(by)) => (left, by.checked_neg()?),
        _ => return None,
    };
    let more = |term: &Term<'m>| match term {
        Term::Count(_) => Some((term.clone(), by)),
        Term::Shifted(inner, other) => Some(((**inner).clone(), by.checked_add(*other)?)),
        _ => None,
    };
    let all_lengths = lengths.list.iter().all(|(_, it)| more(it).is_some());
    all_lengths.then(|| {
        lengths.map(|it| match more(it) {
            Some((inner, by)) => Cases::one(Term::Shifted(Box::new(inner), by)),
            None => Cases::failure(),
        })
    })
}

/// A sum of lengths.
fn total<'m>(one: &Term<'m>, other: &Term<'m>, span: Span) -> Cases<'m> {
    let lengths = |it: &Term<'m>| match it {
        Term::Count(_) => Some(vec![it.clone()]),
        Term::Total(parts) => Some(parts.to_vec()),
        _ => None,
    };
    if let (Some(one), Some(other)) = (lengths(one), lengths(other)) {
        return Cases::one(Term::Total(Rc::new([one, other].concat())));
    }
    let constant = [one, other].iter().any(|it| matches!(it, Term::Constant(_)));
    Cases::unknown(Reason::Arithmetic { op: BinaryOp::Add, constant }, span)
}

// `==`, `!=` and the operators of order, between terms.

pub fn truth<'m>(comparison: Comparison<'_, 'm>, left: &'m Expr, right: &'m Expr) -> Truth {
    let [one, other] = [left, right].map(|it| super::cases(it, comparison.context));
    let truth = of_cases(comparison, &one, &other);
    if truth.when_true.formula.is_true() && !truth.when_true.losses.is_empty() {
        return lengths::distinct_length(comparison, left, right).unwrap_or(truth);
    }
    truth
}

/// Compares two values, case by case.
pub fn of_cases<'m>(comparison: Comparison<'_, 'm>, left: &Cases<'m>, right: &Cases<'m>) -> Truth {
    if comparison.op == BinaryOp::NotEqual {
        let equal = Comparison { op: BinaryOp::Equal, ..comparison };
        return of_cases(equal, left, right).not();
    }
    if let Some(truth) = sums(comparison.op, left, right) {
        return truth;
    }
    let mut all = Vec::new();
    for (guard, left) in &left.list {
        for (other, right) in &right.list {
            let both = guard.clone().and(other.clone());
            if !both.is_nothing() {
                all.push((both, comparison.of_terms(left, right)));
            }
        }
    }
    let mut out = Truth::of_cases(all);
    out.error = out.error.or(left.error.clone()).or(right.error.clone());
    out
}

impl<'m> Comparison<'_, 'm> {
    fn of_terms(self, left: &Term<'m>, right: &Term<'m>) -> Truth {
        let Comparison { op, span, context } = self;
        match (left, right) {
            (Term::Unknown(reason, span, None), _) | (_, Term::Unknown(reason, span, None)) => {
                Truth::unknown(reason.clone(), *span)
            }
            (Term::Constant(left), Term::Constant(right)) => {
                constants(op, left, right, span, context)
            }
            (term, Term::Constant(value)) => self.with_constant(term, value),
            (Term::Constant(value), term) => match mirror(op) {
                Some(op) => Comparison { op, ..self }.with_constant(term, value),
                None => self.unknown(Reason::Comparison),
            },
            (Term::Floor(floor), Term::Place(place)) | (Term::Place(place), Term::Floor(floor))
                if floor == place && op == BinaryOp::Equal =>
            {
                place.truth(Leaf::exactly(ValueSet::MultipleOf(1)))
            }
            (Term::Count(left), Term::Count(right)) => lengths::same_length(self, left, right),
            (Term::Sequence(_), _) | (_, Term::Sequence(_)) if op == BinaryOp::Equal => {
                identities::set_equality(left, right, span, context)
            }
            (Term::Place(one), Term::Place(other)) => places(op, one, other, span),
            (Term::Unknown(reason, span, _), _) | (_, Term::Unknown(reason, span, _)) => {
                Truth::unknown(reason.clone(), *span)
            }
            _ => match (op, as_truth(left, span), as_truth(right, span)) {
                (BinaryOp::Equal, Some(left), Some(right)) => same(left, right),
                _ => self.unknown(Reason::ComparisonOfTwo),
            },
        }
    }

    fn with_constant(self, term: &Term<'m>, value: &Value) -> Truth {
        let Comparison { op, span, context } = self;
        let is_equal = op == BinaryOp::Equal;
        match term {
            Term::Place(place) if is_equal && place.is_unified() && !value.is_null() => {
                place.truth(leaves::equals_if_kept(value, span))
            }
            Term::Place(place) if is_equal => place.truth(leaves::equals(value, &place.ty, span)),
            Term::Place(place) => match value.as_number() {
                Some(limit) if place.ty == Type::String => {
                    let number = place.seen(View::Number);
                    number.truth(leaves::compared(op, limit, &number.ty, span))
                }
                Some(limit) if place.ty == Type::Dynamic => {
                    place.truth(leaves::ordered(op, limit, span))
                }
                Some(limit) => place.truth(leaves::compared(op, limit, &place.ty, span)),
                None => self.unknown(Reason::ComputedLimit),
            },
            Term::Bool(truth) if is_equal => bool_is(truth, value),
            Term::Count(_) | Term::Total(_) => match value.as_number() {
                Some(number) => self.of_count(term, number),
                None => self.unknown(Reason::LengthWithoutNumber),
            },
            Term::Sum(parts) => value
                .as_number()
                .and_then(|number| counts::of_sum(op, parts, number))
                .unwrap_or_else(|| self.unknown(Reason::ComparisonOf(term.form()))),
            Term::Tally(positive) => match value.as_number() {
                Some(number) => counts::tally(self, positive, number),
                None => self.unknown(Reason::ComparisonOf(term.form())),
            },
            Term::Shifted(inner, by) => {
                let rest = value.as_number().and_then(|it| it.to_i64()?.checked_sub(*by));
                match rest.map(Value::int) {
                    Some(rest) => self.with_constant(inner, &rest),
                    None => self.unknown(Reason::LengthWithoutNumber),
                }
            }
            Term::Modulo(place, divisor) if is_equal => match leaving(*divisor, value) {
                Some(numbers) => place.truth(Leaf::exactly(numbers)),
                None => self.unknown(Reason::RemainderWithNumber),
            },
            Term::Sequence(_) if is_equal && matches!(value.ty(), Type::Set(_)) => {
                identities::set_equality(term, &Term::Constant(value.clone()), span, context)
            }
            Term::Sequence(it) if is_equal && is_tuple(it) && is_empty_tuple(value) => {
                outcomes::is_empty(&Cases::one(term.clone()), context, span)
            }
            Term::Object(_) | Term::Sequence(_) if is_equal && value.is_null() => {
                let cases = Cases::one(term.clone());
                let (defined, error) =
                    (outcomes::defined(&cases, context), outcomes::failing(&cases, context));
                let when_true = outcomes::null(term);
                let when_false =
                    if when_true.is_nothing() { defined } else { outcomes::there(term, context) };
                Truth { when_true, when_false, error, ..Truth::never() }
            }
            Term::Unknown(_, _, Some(known)) if is_equal && known.is_unlike(value) => {
                Truth::constant(false)
            }
            Term::Unknown(reason, place, Some(_)) => {
                let either = Extent::unknown(reason.clone(), *place);
                let error = if is_equal { Extent::nothing() } else { either.clone() };
                Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() }
            }
            _ => self.unknown(Reason::ComparisonOf(term.form())),
        }
    }

    fn of_count(self, term: &Term<'m>, number: &Number) -> Truth {
        match term {
            Term::Count(inner) => lengths::of_length(self, inner, number),
            Term::Total(parts) => lengths::sum_of_lengths(self, parts, number),
            _ => self.unknown(Reason::ComparisonOf(term.form())),
        }
    }
}

/// Compares a sum of `? 1 : 0` with a number.
fn sums(op: BinaryOp, left: &Cases<'_>, right: &Cases<'_>) -> Option<Truth> {
    let number = |cases: &Cases<'_>| cases.as_constant().and_then(|it| it.as_number()).cloned();
    match (number(left), number(right)) {
        (None, Some(number)) => counts::of_sum(op, &left.summands()?, &number),
        (Some(number), None) => counts::of_sum(mirror(op)?, &right.summands()?, &number),
        _ => None,
    }
}

/// Compares two places. No keyword of JSON Schema does that, so mostly only their presence is known.
fn places(op: BinaryOp, one: &Place, other: &Place, span: Span) -> Truth {
    if op == BinaryOp::Equal && one == other {
        let (when_true, error) = (one.reachable(), one.failing());
        return Truth { when_true, error, ..Truth::never() };
    }
    if op == BinaryOp::Equal {
        if one.ty == Type::Bool && other.ty == Type::Bool {
            let truth = |it: &Place| it.truth(Leaf::of_bool());
            return same(truth(one), truth(other));
        }
        if let Some(truth) = identities::unchanged_by(one, other, span)
            .or_else(|| identities::unchanged_by(other, one, span))
        {
            return truth;
        }
        let error = one.failing().or(other.failing());
        let either = Extent::unknown(Reason::ComparisonOfTwo, span);
        return Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() };
    }
    if one.ty != Type::Number || other.ty != Type::Number {
        return Truth::unknown(Reason::ComparisonOfTwo, span);
    }
    let both = one.not_null().and(other.not_null()).losing(Reason::ComparisonOfTwo, span);
    let missing = [one.null(), one.failing(), other.null(), other.failing()];
    Truth {
        when_true: both.clone(),
        when_false: both,
        error: Extent::any(missing),
        ..Truth::never()
    }
}

fn as_truth(term: &Term<'_>, span: Span) -> Option<Truth> {
    match term {
        Term::Bool(truth) => Some((**truth).clone()),
        Term::Place(place) if place.ty == Type::Bool => {
            Some(term::as_condition(&Cases::one(term.clone()), span))
        }
        _ => None,
    }
}

/// True where both are true, both are false, or both are null.
fn same(left: Truth, right: Truth) -> Truth {
    // Each set is needed twice, so that a chain of comparisons doubles with each. What was given up stays so.
    let is_given_up = |truth: &Truth| {
        let mut losses = truth.when_true.losses.iter().chain(&truth.when_false.losses);
        losses.any(|it| it.reason == Reason::TooManyCases)
    };
    if is_given_up(&left) || is_given_up(&right) {
        return Truth::unknown(Reason::TooManyCases, Span::default());
    }
    let both = |one: &Extent, other: &Extent| one.clone().and(other.clone());
    let yes = both(&left.when_true, &right.when_true)
        .or(both(&left.when_false, &right.when_false))
        .or(both(&left.null, &right.null));
    let no = both(&left.when_true, &right.when_false)
        .or(both(&left.when_false, &right.when_true))
        .or(both(&left.null, &right.when_true.clone().or(right.when_false.clone())))
        .or(both(&right.null, &left.when_true.clone().or(left.when_false.clone())));
    Truth { when_true: yes, when_false: no, error: left.error.or(right.error), ..Truth::never() }
}

/// The numbers `n` with `n % divisor == rest`; `rest` has the sign of `n`.
fn leaving(divisor: u64, rest: &Value) -> Option<ValueSet> {
    let rest = rest.as_number()?.to_i64()?;
    if rest == 0 {
        return Some(ValueSet::MultipleOf(divisor));
    }
    if rest.unsigned_abs() >= divisor {
        return Some(ValueSet::Nothing);
    }
    // Only for 2 are all other numbers of one remainder: the odd numbers.
    let odd = [ValueSet::MultipleOf(1), ValueSet::MultipleOf(2).negated()];
    let limit = Some(Limit { value: Number::from_i64(0), inclusive: false });
    let range = match rest {
        1 => NumberRange { lower: limit, upper: None },
        _ => NumberRange { lower: None, upper: limit },
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

/// `a && b && …`, `a || b || …`: joins the operands in halves, since joining takes time that grows with the
/// square of their size. `None` where that is too much work.
pub fn chain<'m>(op: BinaryOp, expr: &'m Expr, context: &Context<'m>) -> Option<Truth> {
    let mut operands = Vec::new();
    let mut first = expr;
    while let ExprKind::Binary { op: inner, left, right, .. } = &first.kind
        && *inner == op
    {
        operands.push(&**right);
        first = left.bare();
        if !context.spend() {
            return None;
        }
    }
    operands.push(first);
    operands.reverse();
    let read = |operand: &&'m Expr| {
        let beside = || identities::beside(operand, &operands, context);
        let beside = (op == BinaryOp::And).then(beside).flatten();
        beside.unwrap_or_else(|| super::truth(operand, context))
    };
    let mut truths: Vec<Truth> = operands.iter().map(read).collect();
    while truths.len() > 1 {
        let mut pairs = std::mem::take(&mut truths).into_iter();
        while let Some(left) = pairs.next() {
            let Some(right) = pairs.next() else {
                truths.push(left);
                break;
            };
            let is_paid = context.pay(left.work() + right.work());
            if !is_paid || !context.spend_on_parts(left.parts() + right.parts()) {
                return None;
            }
            truths.push(match (op, context.decides) {
                (BinaryOp::And, true) => left.and_decided(right),
                (BinaryOp::And, false) => left.and(right),
                (_, true) => left.or_decided(right),
                (_, false) => left.or(right),
            });
        }
    }
    truths.pop()
}

// `condition ? then : otherwise`

pub fn cases<'m>(
    condition: &'m Expr,
    then: &'m Expr,
    otherwise: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let decision = super::truth(condition, context);
    let (then, otherwise) = branches([then, otherwise], condition.span, context);
    let mut out = Cases { list: Vec::new(), error: decision.error.or(decision.null) };
    out.add(&decision.when_true, then);
    out.add(&decision.when_false, otherwise);
    out
}

/// Reads the conditional as a condition.
pub fn conditional_truth<'m>(
    [condition, then, otherwise]: [&'m Expr; 3],
    expr: &'m Expr,
    context: &Context<'m>,
) -> Truth {
    let decision = super::truth(condition, context);
    if [then, otherwise].into_iter().all(|it| is_bool(it, context))
        || have_common_type([then, otherwise], expr.span, context)
    {
        return decision.choose(super::truth(then, context), super::truth(otherwise, context));
    }
    term::as_condition(&super::cases(expr, context), expr.span)
}

/// Whether the expression is a bool whenever it evaluates.
fn is_bool<'m>(expr: &'m Expr, context: &Context<'m>) -> bool {
    match &expr.bare().kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Conditional { then, otherwise, .. } => {
            is_bool(then, context) && is_bool(otherwise, context)
        }
        ExprKind::Call { name, .. } => {
            let found = functions::lookup(&name.name);
            found.is_some_and(|it| matches!(it.returns, ReturnType::Fixed(Ty::Bool)))
                || types::of_cases(&super::cases(expr, context), context) == Some(Type::Bool)
        }
        _ => types::of_cases(&super::cases(expr, context), context) == Some(Type::Bool),
    }
}

/// Whether the branches of a conditional may have a type in common. A bool among them may be converted to
/// a string, but as a condition it is converted back.
fn have_common_type<'m>(branches: [&'m Expr; 2], span: Span, context: &Context<'m>) -> bool {
    let branches = branches.map(|it| super::cases(it, context));
    let [then, otherwise] = &branches;
    branches.iter().any(types::is_untyped_null)
        || !matches!(types::common(&[then, otherwise], span, context), Common::None)
}

/// Converts the branches of a conditional to one type. Both are evaluated; a branch that fails has no type and
/// does not change the other one.
fn branches<'m>(
    [then, otherwise]: [&'m Expr; 2],
    span: Span,
    context: &Context<'m>,
) -> (Cases<'m>, Cases<'m>) {
    let (then, otherwise) = (super::cases(then, context), super::cases(otherwise, context));
    let both = [&then, &otherwise];
    if both.into_iter().any(types::is_untyped_null) {
        return (then, otherwise);
    }
    let never_fails = || both.into_iter().all(|it| outcomes::failing(it, context).is_nothing());
    let unclear = |it: &Cases<'m>| types::unclear(it, &Reason::BranchesOfTwoTypes, span);
    let may_fail = |it: &Cases<'m>| types::may_fail(unclear(it), &Reason::BranchesOfTwoTypes, span);
    let unconverted = |it: &Cases<'m>| {
        let it = unclear(it);
        Cases { error: it.error.or(Extent::unknown(Reason::BranchesOfTwoTypes, span)), ..it }
    };
    match types::common(&both, span, context) {
        Common::Of { values, kept, .. } if kept || never_fails() => {
            let [then, otherwise] = values.try_into().unwrap_or([then, otherwise]);
            (then, otherwise)
        }
        // Where one fails the other is not converted.
        Common::Of { always: true, .. } => (unconverted(&then), unconverted(&otherwise)),
        Common::None if never_fails() => (Cases::failure(), Cases::failure()),
        // They may have no type in common, or a value may not convert to it.
        _ => (may_fail(&then), may_fail(&otherwise)),
    }
}
