//! How many of some conditions are true, written as a sum.

use std::cell::Cell;

use crate::{
    condition::{
        context::Context,
        expressions,
        membership::is_among,
        outcomes,
        quantifiers::Elements,
        relation::Comparison,
        symbolic::{Cases, Place, Sequence, Term, Truth, term},
        types,
    },
    sets::{Extent, Reason},
};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::{Number, Value};

/// How a comparison treats a count of zero: `n > 0` is `AllBut`.
#[derive(Clone, Copy, PartialEq)]
pub enum Zero {
    /// True for zero and nothing else.
    Only,
    /// True for all but zero.
    AllBut,
    Always,
    Other,
}

pub fn zero(op: BinaryOp, number: &Number) -> Zero {
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

// `(a ? 1 : 0) + (b ? 1 : 0) OP number`: how many of some conditions are true.

/// `sum([…])` of a finite sequence of `? 1 : 0`.
pub fn sum_of<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Truth>> {
    let mut out = Vec::new();
    let entries = enumerate(term, context)?;
    // The sum of an empty list is an error.
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

/// Compares the number of true conditions with a number; `None` when there are too many cases.
pub fn of_sum(op: BinaryOp, parts: &[Truth], number: &Number) -> Option<Truth> {
    let count = i64::try_from(parts.len()).ok()?;
    let number = number.to_i64()?;
    let at_least = |number: i64| bound(parts, number, true);
    let at_most = |number: i64| bound(parts, count - number, false);
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
    // If a part fails the sum fails, whatever the other parts are.
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
    // The shorter form: "some `n` of the `k` parts", or "at least one of any `k - n + 1` parts".
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

// `sum([for x in list : P(x) ? 0 : 1]) OP number`: a sum over any number of elements, known only to be zero
// or more.

/// Whether the sum of a list of zeros and ones is above zero; `None` for a list of other elements. The sum of
/// an empty list is an error.
pub fn is_positive<'m>(list: &Cases<'m>, span: Span, context: &Context<'m>) -> Option<Truth> {
    if !list.list.iter().all(|(_, it)| it.is_list()) {
        return None;
    }
    let counted = Cell::new(true);
    let each = expressions::elements(list, context, span, &|value, _| {
        let part = value.summands().as_deref().and_then(|it| match it {
            [part] => Some(part.clone()),
            _ => None,
        });
        counted.set(counted.get() && part.is_some());
        Elements::one(part.unwrap_or_else(|| Truth::unknown(Reason::SumOfValues, span)))
    });
    if !counted.get() {
        return None;
    }
    let empty = match list.list.as_slice() {
        [(_, term)] if let Some(place) = collection(term, context) => {
            let [when_true, when_false] = [true, false].map(|it| place.emptiness(it));
            Truth { when_true, when_false, ..Truth::never() }
        }
        _ => outcomes::is_empty(list, context, span),
    };
    Some(Truth {
        when_true: each.some_true.and(each.clean),
        when_false: each.all_false.and(empty.when_false),
        error: each.error.or(empty.error).or(empty.when_true),
        ..Truth::never()
    })
}

/// The collection with one summand for each element.
fn collection<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Place> {
    each_once(term, context).filter(|it| it.ty.is_collection())
}

/// Compares such a sum with a number.
pub fn tally(comparison: Comparison<'_, '_>, positive: &Truth, number: &Number) -> Truth {
    let Comparison { op, span, .. } = comparison;
    let positive = positive.clone();
    match zero(op, number) {
        Zero::Only => positive.not(),
        Zero::AllBut => positive,
        Zero::Always => {
            Truth { when_true: positive.defined(), error: positive.error, ..Truth::never() }
        }
        Zero::Other => {
            let either = positive.defined().losing(Reason::Tally, span);
            let error = positive.error;
            Truth { when_true: either.clone(), when_false: either, error, ..Truth::never() }
        }
    }
}

// Lists with one element for each element of a collection, such as `[for v in var.l : v.name]`.

/// Finds that collection: for the list above, `var.l`.
pub fn each_once<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Place> {
    match term {
        Term::Place(place) => Some(place.clone()),
        Term::Sequence(it) => match &**it {
            Sequence::Elements(place, _) | Sequence::Keys(place) => Some(place.clone()),
            Sequence::For(names, it) if it.condition.is_none() && it.key.is_none() => {
                match expressions::cases(&it.collection, &context.within(names)).list.as_slice() {
                    [(_, source)] => each_once(source, context),
                    _ => None,
                }
            }
            Sequence::Splat(_, source, _) => match source.list.as_slice() {
                [(_, source)] => each_once(source, context),
                _ => None,
            },
            Sequence::Flattened(source) => match source.list.as_slice() {
                [(_, term)] if types::is_flat(source, context, Span::default()) => {
                    each_once(term, context)
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

// Sequences with a known number of elements. Each element may be filtered out.

/// For each element of a finite sequence, whether it is there.
pub fn presences<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Truth>> {
    Some(enumerate(term, context)?.into_iter().map(|(present, _)| present).collect())
}

/// Whether an element is there; the element, and its key.
type Entry<'m> = (Truth, (Cases<'m>, Cases<'m>));

pub fn enumerate<'m>(term: &Term<'m>, context: &Context<'m>) -> Option<Vec<Entry<'m>>> {
    const MAX: usize = 40;
    let always = |(key, it): &(Value, Cases<'m>)| {
        (Truth::constant(true), (it.clone(), Cases::constant(key.clone())))
    };
    let entries: Vec<Entry<'m>> = match term {
        Term::Place(place) => term::attributes(place)?.iter().map(always).collect(),
        Term::Constant(value) => match (value.as_sequence(), value.as_mapping()) {
            (Some(elements), _) => {
                let keyed = elements.iter().zip(0_i64..);
                keyed
                    .map(|(it, index)| always(&(Value::int(index), Cases::constant(it.clone()))))
                    .collect()
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
                let source = expressions::cases(&it.collection, &around);
                let [(_, source)] = source.list.as_slice() else { return None };
                let mut out = Vec::new();
                for (present, (element, key)) in enumerate(source, context)? {
                    let mut inside = around.clone();
                    if let Some(name) = &it.key_name {
                        inside = inside.bind(&name.name, key.clone());
                    }
                    inside = inside.bind(&it.value_name.name, element);
                    let kept = match &it.condition {
                        Some(condition) => expressions::truth(condition, &inside),
                        None => Truth::constant(true),
                    };
                    out.push((present.and(kept), (expressions::cases(&it.value, &inside), key)));
                }
                out
            }
            _ => return None,
        },
        _ => return None,
    };
    (entries.len() <= MAX).then_some(entries)
}
