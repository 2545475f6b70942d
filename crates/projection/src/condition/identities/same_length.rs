//! `length(x) == length(y)`: two lists over the same elements are equally long where neither filters out
//! more than the other.

use std::cell::Cell;

use super::{distinct_length, each_once::each_once};
use crate::{
    condition::{
        context::Context,
        expressions, membership, outcomes,
        quantifiers::{self, Elements},
        relation::Comparison,
        symbolic::{Cases, Sequence, Term, Truth},
        types,
    },
    sets::Reason,
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, ForExpr};
use stack::guarded;

/// `length(left) OP length(right)`
pub fn truth<'m>(comparison: Comparison<'_, 'm>, left: &Term<'m>, right: &Term<'m>) -> Truth {
    let Comparison { op, span, context } = comparison;
    let unknown = || comparison.unknown(Reason::ComparisonOfLengths);
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
    distinct_length::of_counts(left, right, span, context)
        .or_else(|| distinct_length::of_counts(right, left, span, context))
        .or_else(|| filtered(left, right, span, context))
        .or_else(|| filtered(right, left, span, context))
        .or_else(|| compacted(comparison, left, right))
        .or_else(|| compacted(comparison, right, left))
        .unwrap_or_else(unknown)
}

/// `length(left) == length(right)`, where the left one has the filters of the right one and more: true
/// where those hold for every element of the right one. `None` for lists of other elements.
fn filtered<'m>(
    left: &Term<'m>,
    right: &Term<'m>,
    span: Span,
    context: &Context<'m>,
) -> Option<Truth> {
    let kept = quantifiers::all(kept(left, right, false, span, context)?);
    let (one, other) = (outcomes::runs(left, context), outcomes::runs(right, context));
    let clean = one.clean.and(other.clean);
    Some(Truth {
        when_true: kept.when_true.and(clean.clone()),
        when_false: kept.when_false.and(clean),
        error: kept.error.or(one.error).or(other.error),
        ..Truth::never()
    })
}

/// `length(compact([for s in var.x : P ? "x" : ""])) == length(var.x)`: the lists are equally long only if
/// `compact` removes nothing. Two compacted lists are not compared: to ask for each element what the other list
/// removes would double the work with every nested `compact`.
fn compacted<'m>(
    comparison: Comparison<'_, 'm>,
    left: &Term<'m>,
    right: &Term<'m>,
) -> Option<Truth> {
    let Term::Sequence(it) = left else { return None };
    let Sequence::Filtered { source, among, kept, span } = &**it else { return None };
    let is_filtered =
        matches!(right, Term::Sequence(it) if matches!(**it, Sequence::Filtered { .. }));
    if is_filtered || !comparison.context.spend() {
        return None;
    }
    let source_term = single(source)?;
    let whole = guarded(|| truth(comparison, source_term, right));
    if !whole.when_false.is_nothing() || !is_exact(&whole) {
        return None;
    }
    let context = comparison.context;
    let each = expressions::elements(source, context, *span, &|element, _| {
        let is_in = membership::is_among(element, among, *span, context);
        Elements::one(if *kept { is_in } else { is_in.not() })
    });
    let all = quantifiers::all(each);
    Some(Truth {
        when_true: whole.when_true.clone().and(all.when_true),
        when_false: whole.when_true.and(all.when_false),
        error: whole.error.or(all.error),
        ..Truth::never()
    })
}

/// A `for` without keys, and where it is read.
type Loop<'m> = (Context<'m>, &'m ForExpr);

/// Whether the left list keeps each element that the right one keeps. `flat`: nested lists are taken apart.
fn kept<'m>(
    left: &Term<'m>,
    right: &Term<'m>,
    flat: bool,
    span: Span,
    context: &Context<'m>,
) -> Option<Elements> {
    let plain = |it: &Cases<'m>| types::is_flat(it, context, span);
    match (flattened(left), flattened(right)) {
        (Some(one), Some(other)) => return kept(single(one)?, single(other)?, true, span, context),
        (Some(one), None) if plain(one) => return kept(single(one)?, right, flat, span, context),
        (None, Some(other)) if plain(other) => {
            return kept(left, single(other)?, flat, span, context);
        }
        (None, None) => (),
        _ => return None,
    }
    let same = |one, other| Some(each_once(one, context)? == each_once(other, context)?);
    let Some((inside, left)) = as_loop(left, context) else {
        return same(left, right)?.then(Elements::none);
    };
    let other = as_loop(right, context);
    let source = expressions::cases(&left.collection, &inside);
    let other_source = match &other {
        Some((inside, it)) => expressions::cases(&it.collection, inside),
        None => Cases::one(right.clone()),
    };
    // The filter of the right list is also evaluated for the elements of the left one.
    let asks = flat || other.as_ref().is_some_and(|(_, it)| it.condition.is_some());
    let is_same = match (single(&source)?, single(&other_source)?) {
        (Term::Place(one), Term::Place(other)) if one == other => true,
        (one, other) => !asks && same(one, other)?,
    };
    if !is_same {
        return None;
    }
    let told = Cell::new(true);
    let out = expressions::elements(&source, &inside, span, &|element, key| {
        let one = bound(&inside, left, element, key);
        let other = other.as_ref().map(|(inside, it)| (bound(inside, it, element, key), *it));
        let mine = filters(left, &one);
        let theirs = other.as_ref().map(|(inside, it)| filters(it, inside)).unwrap_or_default();
        let known = |it: &Truth| mine.contains(it) && is_exact(it);
        told.set(told.get() && theirs.iter().all(known));
        let all = |it: Vec<Truth>| it.into_iter().fold(Truth::constant(true), Truth::and);
        let more = mine.iter().filter(|it| !theirs.contains(it)).cloned().collect();
        let mut out = Elements::one(all(more));
        if flat {
            let value = expressions::cases(&left.value, &one);
            let other_value =
                other.as_ref().map(|(inside, it)| expressions::cases(&it.value, inside));
            match inner(&value, other_value.as_ref(), span, context) {
                Some(inner) => out = out.then(inner),
                None => told.set(false),
            }
        }
        out.only_if(all(theirs))
    });
    told.get().then_some(out)
}

/// The lists that `flatten` takes apart in this list; there may be none.
fn inner<'m>(
    value: &Cases<'m>,
    other: Option<&Cases<'m>>,
    span: Span,
    context: &Context<'m>,
) -> Option<Elements> {
    let has_list = |cases: &Cases<'m>| cases.list.iter().any(|(_, it)| it.may_be_list());
    match (has_list(value), has_list(other?)) {
        (false, false) => Some(Elements::none()),
        (true, true) => kept(single(value)?, single(other?)?, true, span, context),
        _ => None,
    }
}

fn flattened<'t, 'm>(term: &'t Term<'m>) -> Option<&'t Cases<'m>> {
    let Term::Sequence(it) = term else { return None };
    if let Sequence::Flattened(source) = &**it { Some(source) } else { None }
}

fn as_loop<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Loop<'m>> {
    let Term::Sequence(it) = term else { return None };
    match &**it {
        Sequence::For(names, it) if it.key.is_none() => Some((context.within(names), it)),
        _ => None,
    }
}

fn single<'t, 'm>(cases: &'t Cases<'m>) -> Option<&'t Term<'m>> {
    if let [(_, term)] = cases.list.as_slice() { Some(term) } else { None }
}

fn bound<'m>(
    inside: &Context<'m>,
    it: &ForExpr,
    element: &Cases<'m>,
    key: &Cases<'m>,
) -> Context<'m> {
    let inside = match &it.key_name {
        Some(name) => inside.bind(&name.name, key.clone()),
        None => inside.clone(),
    };
    inside.bind(&it.value_name.name, element.clone())
}

/// The operands of a filter's `&&`.
fn filters<'m>(it: &'m ForExpr, inside: &Context<'m>) -> Vec<Truth> {
    let mut out = Vec::new();
    let mut rest: Vec<&Expr> = it.condition.iter().collect();
    while let Some(expr) = rest.pop() {
        match &expr.bare().kind {
            ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                rest.extend([&**right, &**left]);
            }
            _ => out.push(expressions::truth(expr, inside)),
        }
    }
    out
}

fn is_exact(truth: &Truth) -> bool {
    let Truth { when_true, when_false, null, error, .. } = truth;
    [when_true, when_false, null, error].iter().all(|it| it.losses.is_empty())
}
