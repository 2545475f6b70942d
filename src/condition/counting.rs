//! `length(…)` and sums compared with numbers and with one another.

use super::{
    alike, boolean,
    comparison::{Comparison, is_among, is_whole_variable},
    context::Context,
    filtered,
    patterns::text,
    sequences,
    symbolic::{
        Cases, Leaf, Place, Sequence, Term, Truth,
        leaves::{converted, length},
        members,
    },
    terms,
};
use crate::{
    diagnostic::Span,
    re2::Language,
    sets::{Extent, Region, ValueSet},
    syntax::BinaryOp,
    value::{Number, Type, Value},
};

/// What a comparison says about whether a count is zero.
#[derive(Clone, Copy, PartialEq)]
enum Zero {
    /// True for zero and nothing else.
    Only,
    /// True for all but zero.
    AllBut,
    Always,
    Other,
}

fn zero(op: BinaryOp, number: &Number) -> Zero {
    let exact = number.to_i64();
    match (op, exact) {
        (BinaryOp::Equal | BinaryOp::LessOrEqual, Some(0)) | (BinaryOp::Less, Some(1)) => {
            Zero::Only
        }
        (BinaryOp::NotEqual | BinaryOp::Greater, Some(0)) | (BinaryOp::GreaterOrEqual, Some(1)) => {
            Zero::AllBut
        }
        (BinaryOp::GreaterOrEqual, Some(n)) if n <= 0 => Zero::Always,
        _ => Zero::Other,
    }
}

/// `length(inner) OP number`
pub fn of_length<'m>(comparison: Comparison<'_, 'm>, inner: &Term<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    if let Term::Place(place) = inner {
        let variable = is_whole_variable(place, context).then_some(context.variable);
        return place.truth(length::compared(op, number, &place.ty, variable, span));
    }
    if let Term::Parts(separator, place) = inner {
        return place.truth(of_parts(op, separator, number, &place.ty, span));
    }
    if let Term::Matches(pattern, place) = inner {
        return place.truth(of_matches(comparison, pattern, number, &place.ty));
    }
    let cases = Cases::one(inner.clone());
    match zero(op, number) {
        Zero::Only => return sequences::is_empty(&cases, context, span),
        Zero::AllBut => return sequences::is_empty(&cases, context, span).not(),
        Zero::Always => {
            let empty = sequences::is_empty(&cases, context, span);
            let when_true = empty.when_true.or(empty.when_false);
            return Truth { when_true, error: empty.error, ..Truth::never() };
        }
        Zero::Other => (),
    }
    if let Some(place) = each_once(inner, context) {
        let count = of_length(comparison, &Term::Place(place), number);
        let runs = sequences::runs(inner, context);
        return Truth {
            when_true: count.when_true.and(runs.clean.clone()),
            when_false: count.when_false.and(runs.clean),
            error: count.error.or(runs.error),
            ..count
        };
    }
    if let Some(parts) = presences(inner, context)
        && let Some(truth) = of_sum(op, &parts, number)
    {
        return truth;
    }
    filtered::counted(comparison, inner, number).unwrap_or_else(|| some(comparison, &cases, number))
}

/// A computed list that has at least so many elements has at least one.
fn some<'m>(comparison: Comparison<'_, 'm>, cases: &Cases<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    let reason = "the length of a computed list";
    let empty = sequences::is_empty(cases, context, span);
    let any = empty.when_true.clone().or(empty.when_false.clone()).losing(reason, span);
    let present = empty.when_false.losing(reason, span);
    let positive = number.compare(&Number::from_i64(0)).is_gt();
    let (when_true, when_false) = match op {
        BinaryOp::Equal | BinaryOp::GreaterOrEqual | BinaryOp::Greater if positive => {
            (present, any)
        }
        BinaryOp::LessOrEqual | BinaryOp::Less if positive => (any, present),
        _ => (any.clone(), any),
    };
    Truth { when_true, when_false, error: empty.error, ..Truth::never() }
}

/// The collection of which a sequence has one element for each.
pub fn each_once<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Place> {
    match term {
        Term::Place(place) => Some(place.clone()),
        Term::Sequence(it) => match &**it {
            Sequence::Elements(place, _) | Sequence::Keys(place) => Some(place.clone()),
            Sequence::For(names, it) if it.condition.is_none() && it.key.is_none() => {
                match terms::cases(&it.collection, &context.within(names)).list.as_slice() {
                    [(_, source)] => each_once(source, context),
                    _ => None,
                }
            }
            Sequence::Splat(_, source, _) => match source.list.as_slice() {
                [(_, source)] => each_once(source, context),
                _ => None,
            },
            Sequence::Flattened(source) => match source.list.as_slice() {
                [(_, term)] if sequences::is_flat(source, context, Span::default()) => {
                    each_once(term, context)
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// A finite sequence: whether each of its elements is there.
fn presences<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Truth>> {
    Some(enumerate(term, context)?.into_iter().map(|(present, _)| present).collect())
}

type Entry<'m> = (Truth, (Cases<'m>, Cases<'m>));

fn enumerate<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Entry<'m>>> {
    const MAX: usize = 40;
    let always = |(key, it): &(Value, Cases<'m>)| {
        (Truth::constant(true), (it.clone(), Cases::constant(key.clone())))
    };
    let entries: Vec<Entry<'m>> = match term {
        Term::Place(place) => members::attributes(place)?.iter().map(always).collect(),
        Term::Constant(value) => match (value.as_sequence(), value.as_mapping()) {
            (Some(elements), _) => {
                let keyed = elements.iter().zip(0_i64..);
                keyed.map(|(it, n)| always(&(Value::int(n), Cases::constant(it.clone())))).collect()
            }
            (_, Some(members)) => members
                .iter()
                .map(|(key, it)| always(&(Value::string(key), Cases::constant(it.clone()))))
                .collect(),
            _ => return None,
        },
        Term::Object(members) => {
            members.iter().map(|(key, it)| always(&(Value::string(key), it.clone()))).collect()
        }
        Term::Sequence(it) => match &**it {
            Sequence::Written(elements) => elements.iter().map(always).collect(),
            Sequence::Filtered { source, among, kept, span } => {
                let [(_, source)] = source.list.as_slice() else { return None };
                let inner = enumerate(source, context)?;
                let filtered = inner.into_iter().map(|(present, entry)| {
                    let is_in = is_among(&entry.0, among, *span, context);
                    let is_in = if *kept { is_in } else { is_in.not() };
                    (present.and(is_in), entry)
                });
                filtered.collect()
            }
            Sequence::For(names, it) if it.key.is_none() => {
                let around = context.within(names);
                let source = terms::cases(&it.collection, &around);
                let [(_, source)] = source.list.as_slice() else { return None };
                let mut out = Vec::new();
                for (present, (element, key)) in enumerate(source, context)? {
                    let mut inside = around.clone();
                    if let Some(name) = &it.key_name {
                        inside = inside.bind(&name.name, key.clone());
                    }
                    inside = inside.bind(&it.value_name.name, element);
                    let kept = match &it.condition {
                        Some(condition) => boolean::truth(condition, &inside),
                        None => Truth::constant(true),
                    };
                    out.push((present.and(kept), (terms::cases(&it.value, &inside), key)));
                }
                out
            }
            _ => return None,
        },
        _ => return None,
    };
    (entries.len() <= MAX).then_some(entries)
}

/// `sum([…])` of a finite sequence of `? 1 : 0`.
pub fn sum_of<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Truth>> {
    let mut out = Vec::new();
    let entries = enumerate(term, context)?;
    // Nothing has no sum.
    let is_there = |present: &Truth| present.when_true == Extent::everything();
    if !entries.iter().any(|(present, _)| is_there(present)) {
        return None;
    }
    for (present, (value, _)) in entries {
        for part in value.summands()? {
            out.push(present.clone().and(part));
        }
    }
    Some(out)
}

/// How many are true, compared with a number; `None` when there are too many cases.
pub fn of_sum(op: BinaryOp, parts: &[Truth], number: &Number) -> Option<Truth> {
    let count = i64::try_from(parts.len()).ok()?;
    let number = number.to_i64()?;
    let at_least = |n: i64| bound(parts, n, true);
    let at_most = |n: i64| bound(parts, count - n, false);
    let (yes, no) = match op {
        BinaryOp::Equal => (
            at_least(number)?.and(at_most(number)?),
            at_most(number - 1)?.or(at_least(number + 1)?),
        ),
        BinaryOp::NotEqual => {
            return Some(of_sum(BinaryOp::Equal, parts, &Number::from_i64(number))?.not());
        }
        BinaryOp::GreaterOrEqual => (at_least(number)?, at_most(number - 1)?),
        BinaryOp::Greater => (at_least(number + 1)?, at_most(number)?),
        BinaryOp::LessOrEqual => (at_most(number)?, at_least(number + 1)?),
        BinaryOp::Less => (at_most(number - 1)?, at_least(number)?),
        _ => return None,
    };
    let fails = |it: &Truth| it.error.clone().or(it.null.clone());
    let error = Extent::any(parts.iter().map(fails));
    // A part that fails does so beside any number of others.
    let unsure = parts.iter().filter(|it| !fails(it).is_nothing());
    let there = Extent::all(unsure.map(|it| it.when_true.clone().or(it.when_false.clone())));
    let (when_true, when_false) = (there.clone().and(yes), there.and(no));
    Some(Truth { when_true, when_false, error, ..Truth::never() })
}

/// At least `n` of the parts are true (or false).
fn bound(parts: &[Truth], n: i64, truth: bool) -> Option<Extent> {
    const MAX: usize = 130;
    let Ok(n) = usize::try_from(n) else { return Some(Extent::everything()) };
    if n > parts.len() {
        return Some(Extent::nothing());
    }
    let side = |it: &Truth| if truth { it.when_true.clone() } else { it.when_false.clone() };
    // The shorter of "some n of them" and "of any (k - n + 1) one".
    let dual = parts.len() - n + 1;
    if n <= dual {
        let groups = choices(parts.len(), n, MAX)?;
        let all =
            |group: Vec<usize>| Extent::all(group.iter().filter_map(|it| parts.get(*it)).map(side));
        return Some(Extent::any(groups.into_iter().map(all)));
    }
    let groups = choices(parts.len(), dual, MAX)?;
    let any =
        |group: Vec<usize>| Extent::any(group.iter().filter_map(|it| parts.get(*it)).map(side));
    Some(Extent::all(groups.into_iter().map(any)))
}

/// Every choice of `n` out of `count`, when they are not too many.
fn choices(count: usize, n: usize, max: usize) -> Option<Vec<Vec<usize>>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        let longer = |it: &Vec<usize>| {
            let start = it.last().map_or(0, |last| last + 1);
            let it = it.clone();
            (start..count).map(move |next| it.iter().copied().chain([next]).collect())
        };
        out = out.iter().flat_map(longer).collect();
        if out.len() > max * 4 {
            return None;
        }
    }
    (out.len() <= max).then_some(out)
}

/// Whether a pattern is found at the start of a string, and nowhere else.
fn is_found_once(found: &ValueSet) -> bool {
    let ValueSet::Matches(pattern) = found else { return false };
    let parts = Language::parse(pattern).and_then(|it| it.parts());
    parts.is_some_and(|it| it.iter().all(|it| it.start))
}

/// `length(regexall(pattern, place)) OP number`
fn of_matches(comparison: Comparison<'_, '_>, pattern: &str, number: &Number, ty: &Type) -> Leaf {
    let Comparison { op, span, context } = comparison;
    let matches = match text::pattern(pattern, &context.releases) {
        Ok(it) => converted::as_string(it, ty, span),
        Err(reason) => return Leaf::unknown(reason, span),
    };
    let once = is_found_once(&matches.when_true.values);
    match (zero(op, number), op, number.to_i64()) {
        (Zero::Only, ..) => matches.not(),
        (Zero::AllBut, ..) => matches,
        (Zero::Always, ..) => {
            Leaf::of_values(Region::new(false, ValueSet::Anything), Region::nothing())
        }
        (_, BinaryOp::Equal, Some(1)) if once => matches,
        (_, BinaryOp::Equal | BinaryOp::GreaterOrEqual | BinaryOp::Greater, Some(1..)) => Leaf {
            when_true: matches.when_true.losing("the number of matches", span),
            when_false: Region::unknown("the number of matches", span),
            ..matches
        },
        _ => Leaf::unknown("the number of matches", span),
    }
}

/// `length(split(separator, place)) OP number`
pub fn of_parts(op: BinaryOp, separator: &str, number: &Number, ty: &Type, span: Span) -> Leaf {
    let exact = number.to_u64();
    match (op, exact) {
        _ if *ty != Type::String => Leaf::unknown("a conversion to string", span),
        // Each character is a part.
        _ if separator.is_empty() => length::compared(op, number, ty, None, span),
        (BinaryOp::Equal, Some(count)) => match text::split_into(separator, count) {
            Some(it) => Leaf::exactly(it),
            None => Leaf::unknown("the number of parts of a string", span),
        },
        (BinaryOp::Greater, Some(1)) | (BinaryOp::GreaterOrEqual, Some(2)) => {
            Leaf::exactly(text::part("strcontains", separator))
        }
        (BinaryOp::Greater, Some(0)) | (BinaryOp::GreaterOrEqual, Some(0 | 1)) => {
            Leaf::of_values(Region::new(false, ValueSet::Anything), Region::nothing())
        }
        _ => Leaf::unknown("the number of parts of a string", span),
    }
}

/// `length(left) OP length(right)`
pub fn of_two<'m>(comparison: Comparison<'_, 'm>, left: &Term<'m>, right: &Term<'m>) -> Truth {
    let Comparison { op, span, context } = comparison;
    let unknown = || comparison.unknown("a comparison of two lengths");
    if op != BinaryOp::Equal {
        return unknown();
    }
    if let (Term::Place(one), Term::Place(other)) = (left, right)
        && one == other
    {
        return Truth {
            when_true: one.not_null(),
            error: one.null().or(one.failing()),
            ..Truth::never()
        };
    }
    distinct(left, right, span, context)
        .or_else(|| distinct(right, left, span, context))
        .or_else(|| alike::filtered(left, right, span, context))
        .or_else(|| alike::filtered(right, left, span, context))
        .unwrap_or_else(unknown)
}

/// `length(distinct(x)) == length(x)`: no two are equal.
fn distinct<'m>(
    left: &Term<'m>,
    right: &Term<'m>,
    span: Span,
    context: &Context<'m>,
) -> Option<Truth> {
    let Term::Sequence(it) = left else { return None };
    let Sequence::Distinct(source, _) = &**it else { return None };
    let [(_, source)] = source.list.as_slice() else { return None };
    let place = each_once(source, context)?;
    if each_once(right, context)? != place || !matches!(place.ty, Type::List(_)) {
        return None;
    }
    let whole = matches!(source, Term::Place(_));
    let unique = Region::new(false, ValueSet::Unique);
    let leaf = if whole && place.ty.element().is_some_and(Type::is_primitive) {
        Leaf::of_values(unique, Region::new(false, ValueSet::Unique.negated()))
    } else {
        let reason = "the uniqueness of a part of each element";
        Leaf::of_values(unique.losing(reason, span), Region::unknown(reason, span))
    };
    Some(place.truth(leaf))
}
