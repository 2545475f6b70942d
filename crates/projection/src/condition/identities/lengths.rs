//! Comparisons of lengths, such as `length(distinct(x)) == length(x)`.

use std::cell::Cell;

use crate::{
    condition::{
        context::{Context, call},
        expressions,
        identities::counts::{Zero, each_once, of_sum, presences, zero},
        membership, outcomes, patterns, quantifiers,
        quantifiers::Elements,
        relation::Comparison,
        symbolic::{Cases, Leaf, Place, Sequence, Term, Truth, leaves},
        types,
    },
    sets::{Extent, Length, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, ForExpr};
use re2::Language;
use stack::guarded;
use tf_value::{Number, Type};

/// `length(inner) OP number`
pub fn of_length<'m>(comparison: Comparison<'_, 'm>, inner: &Term<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    if let Term::Place(place) = inner {
        let variable = context.is_whole_variable(place).then_some(context.variable);
        return place.truth(leaves::compared_length(op, number, &place.ty, variable, span));
    }
    if let Term::Parts(separator, place) = inner {
        return place.truth(of_parts(op, separator, number, &place.ty, span));
    }
    if let Term::Matches(pattern, place) = inner {
        return place.truth(of_matches(comparison, pattern, number, &place.ty));
    }
    let cases = Cases::one(inner.clone());
    match zero(op, number) {
        Zero::Only => return outcomes::is_empty(&cases, context, span),
        Zero::AllBut => return outcomes::is_empty(&cases, context, span).not(),
        Zero::Always => {
            let empty = outcomes::is_empty(&cases, context, span);
            let when_true = empty.when_true.or(empty.when_false);
            return Truth { when_true, error: empty.error, ..Truth::never() };
        }
        Zero::Other => (),
    }
    if let Some(place) = each_once(inner, context) {
        return evaluated(of_length(comparison, &Term::Place(place), number), inner, context);
    }
    if let Some(parts) = presences(inner, context)
        && let Some(truth) = of_sum(op, &parts, number)
    {
        return evaluated(truth, inner, context);
    }
    filtered_length(comparison, inner, number).unwrap_or_else(|| some(comparison, &cases, number))
}

/// Restricts a comparison of a length to where the elements evaluate: `length([var.x.y])` is 1, but fails where
/// `var.x` is null.
fn evaluated<'m>(count: Truth, list: &Term<'m>, context: &Context<'m>) -> Truth {
    let runs = outcomes::runs(list, context);
    Truth {
        when_true: count.when_true.and(runs.clean.clone()),
        when_false: count.when_false.and(runs.clean),
        error: count.error.or(runs.error),
        ..count
    }
}

/// A computed list that has at least so many elements has at least one.
fn some<'m>(comparison: Comparison<'_, 'm>, cases: &Cases<'m>, number: &Number) -> Truth {
    let Comparison { op, span, context } = comparison;
    let empty = outcomes::is_empty(cases, context, span);
    let any =
        empty.when_true.clone().or(empty.when_false.clone()).losing(Reason::LengthOfList, span);
    let present = empty.when_false.losing(Reason::LengthOfList, span);
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

/// Whether a pattern is found at the start of a string, and nowhere else.
fn is_found_once(found: &ValueSet) -> bool {
    let ValueSet::Matches(pattern) = found else { return false };
    let parts = Language::parse(pattern).and_then(|it| it.parts());
    parts.is_some_and(|parts| parts.iter().all(|it| it.start))
}

/// `length(regexall(pattern, place)) OP number`
fn of_matches(comparison: Comparison<'_, '_>, pattern: &str, number: &Number, ty: &Type) -> Leaf {
    let Comparison { op, span, context } = comparison;
    let matches = match patterns::pattern(pattern, &context.releases) {
        Ok(it) => leaves::as_string(it, ty, span),
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
            when_true: matches.when_true.losing(Reason::MatchCount, span),
            when_false: Region::unknown(Reason::MatchCount, span),
            ..matches
        },
        _ => Leaf::unknown(Reason::MatchCount, span),
    }
}

/// `length(split(separator, place)) OP number`
pub fn of_parts(op: BinaryOp, separator: &str, number: &Number, ty: &Type, span: Span) -> Leaf {
    let exact = number.to_u64();
    match (op, exact) {
        _ if *ty != Type::String => Leaf::unknown(Reason::ConversionToString, span),
        // Each character is a part.
        _ if separator.is_empty() => leaves::compared_length(op, number, ty, None, span),
        (BinaryOp::Equal, Some(count)) => match patterns::split_into(separator, count) {
            Some(it) => Leaf::exactly(it),
            None => Leaf::unknown(Reason::PartCount, span),
        },
        (BinaryOp::Greater, Some(1)) | (BinaryOp::GreaterOrEqual, Some(2)) => {
            Leaf::exactly(patterns::part("strcontains", separator))
        }
        (BinaryOp::Greater, Some(0)) | (BinaryOp::GreaterOrEqual, Some(0 | 1)) => {
            Leaf::of_values(Region::new(false, ValueSet::Anything), Region::nothing())
        }
        _ => Leaf::unknown(Reason::PartCount, span),
    }
}

// `length(distinct(x)) == length(x)`: no two elements are equal. For a computed x, such as
// `[for v in var.l : v.name]`, elements that are equal as a whole are excluded, too.

/// `None` for another equation. Elements that are equal as a whole are equal in every part.
pub fn distinct_length<'m>(
    comparison: Comparison<'_, 'm>,
    left: &'m Expr,
    right: &'m Expr,
) -> Option<Truth> {
    let Comparison { op, span, context } = comparison;
    let [left] = call(left, "length")?;
    let [right] = call(right, "length")?;
    let once = |it| call::<1>(it, "distinct").or_else(|| call(it, "toset"));
    let (all, [distinct]) = match (once(left), once(right)) {
        (Some(distinct), None) => (right, distinct),
        (None, Some(distinct)) => (left, distinct),
        _ => return None,
    };
    if op != BinaryOp::Equal || fingerprint(all)? != fingerprint(distinct)? {
        return None;
    }
    let mut when_true = Extent::nothing();
    for (guard, term) in expressions::cases(all, context).list {
        let unique = unique(&term, context, span).unwrap_or_else(Extent::everything);
        when_true = when_true.or(guard.and(unique));
    }
    let unknown = Extent::unknown(Reason::UniquePart, span);
    Some(Truth {
        when_true: when_true.losing(Reason::UniquePart, span),
        when_false: unknown.clone(),
        error: unknown,
        ..Truth::never()
    })
}

/// The inputs for which no two elements of the sequence can be equal, if their sources show that.
fn unique<'m>(term: &Term<'m>, context: &Context<'m>, span: Span) -> Option<Extent> {
    if let Some(place) = each_once(term, context) {
        let unique = Region::new(false, ValueSet::Unique);
        return matches!(place.ty, Type::List(_)).then(|| place.lift(unique, false));
    }
    let Term::Sequence(it) = term else { return None };
    let Sequence::Flattened(source) = &**it else { return None };
    let is_list = |term: &Term<'m>| match term {
        Term::Place(place) => matches!(place.ty, Type::List(_) | Type::Set(_)),
        term => matches!(term, Term::Sequence(_)),
    };
    let within = expressions::elements(source, context, span, &|element, _| {
        let each = element.list.iter().map(|(guard, term)| {
            let unique = unique(term, context, span).filter(|_| is_list(term));
            guard.clone().and(unique.unwrap_or_else(Extent::everything))
        });
        Elements::one(Truth { when_true: Extent::any(each), ..Truth::never() })
    });
    let within = quantifiers::all(within).when_true;
    let around = source.list.iter().map(|(guard, term)| {
        guard.clone().and(unique(term, context, span).unwrap_or_else(Extent::everything))
    });
    Some(if types::is_flat(source, context, span) {
        within.and(Extent::any(around))
    } else {
        within
    })
}

/// Prints the expression without spaces and parentheses, to compare two; `None` for forms that are not compared.
fn fingerprint(expr: &Expr) -> Option<String> {
    let mut out = String::new();
    guarded(|| write(expr, &mut out))?;
    Some(out)
}

fn write(expr: &Expr, out: &mut String) -> Option<()> {
    let list = |name: &str, parts: &[&Expr], out: &mut String| {
        out.push_str(name);
        out.push('(');
        for part in parts {
            out.push_str(&fingerprint(part)?);
            out.push(',');
        }
        out.push(')');
        Some(())
    };
    match &expr.bare().kind {
        ExprKind::Number(it) => out.push_str(it),
        ExprKind::String(it) => out.push_str(&format!("{it:?}")),
        ExprKind::Bool(it) => out.push_str(&it.to_string()),
        ExprKind::Null => out.push_str("null"),
        ExprKind::Variable(it) => out.push_str(it),
        ExprKind::SplatItem => out.push('*'),
        ExprKind::GetAttr { base, name } => list(&format!(".{}", name.name), &[base], out)?,
        ExprKind::Index { base, key, .. } => list("[]", &[base, key], out)?,
        ExprKind::Splat { kind, source, each, .. } => {
            list(&format!("{kind:?}"), &[source, each], out)?;
        }
        ExprKind::Call { name, args, expand: false } => {
            list(&name.name, &args.iter().collect::<Vec<_>>(), out)?;
        }
        ExprKind::Unary { op, operand } => list(&format!("{op:?}"), &[operand], out)?,
        ExprKind::Binary { op, left, right, .. } => list(op.as_str(), &[left, right], out)?,
        ExprKind::Conditional { condition, then, otherwise } => {
            list("?", &[condition, then, otherwise], out)?;
        }
        ExprKind::Tuple(elements) => list("", &elements.iter().collect::<Vec<_>>(), out)?,
        // `[for v in x : v]` has the elements of `x`.
        ExprKind::For(it)
            if it.key.is_none()
                && it.condition.is_none()
                && matches!(&it.value.kind, ExprKind::Variable(name) if *name == it.value_name.name) =>
        {
            return write(&it.collection, out);
        }
        ExprKind::For(it) if it.key.is_none() => {
            let key = it.key_name.as_ref().map_or("", |it| it.name.as_str());
            let mut parts = vec![&it.collection, &it.value];
            parts.extend(it.condition.as_ref());
            list(&format!("for {key},{}", it.value_name.name), &parts, out)?;
        }
        _ => return None,
    }
    Some(())
}

/// `length(distinct(x)) == length(x)`: no two are equal.
fn of_counts<'m>(
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
        Leaf::of_values(
            unique.losing(Reason::UniquePart, span),
            Region::unknown(Reason::UniquePart, span),
        )
    };
    Some(place.truth(leaf))
}

// `length([for … if …]) OP number`: how many elements of a list a filter keeps.

/// `length([for x in list : … if P]) OP number`, for a schema that can count elements. `None` if P is not about
/// the element alone, or not exact: the number of elements in a set that is too large proves nothing.
fn filtered_length<'m>(
    comparison: Comparison<'_, 'm>,
    inner: &Term<'m>,
    number: &Number,
) -> Option<Truth> {
    let Comparison { op, span, context } = comparison;
    let Term::Sequence(it) = inner else { return None };
    let Sequence::For(names, it) = &**it else { return None };
    let condition = it.condition.as_ref().filter(|_| it.key.is_none() && context.counts)?;
    let mut inside = context.within(names);
    let source = expressions::cases(&it.collection, &inside);
    let [(_, Term::Place(place))] = source.list.as_slice() else { return None };
    let (Type::List(ty) | Type::Set(ty)) = &place.ty else { return None };
    if **ty == Type::Dynamic {
        return None;
    }
    let (root, _) = context.fresh();
    let element = Place::root(root.clone(), (**ty).clone(), place.child(""));
    let element = Cases::one(Term::Place(element));
    if let Some(name) = &it.key_name {
        // A set's elements are their own keys.
        let is_set = matches!(place.ty, Type::Set(_));
        let index = || Cases::unknown(Reason::ElementIndex, span);
        inside = inside.bind(&name.name, if is_set { element.clone() } else { index() });
    }
    inside = inside.bind(&it.value_name.name, element);
    let kept = expressions::truth(condition, &inside).when_true;
    if !kept.losses.is_empty() {
        return None;
    }
    let (_, values) = kept.formula.of_root(&root)?;
    let count = ValueSet::Count(bounds(op, number)?, Box::new(values.without_null()));
    let truth = place.truth(Leaf::exactly(count));
    let runs = outcomes::runs(inner, context);
    Some(Truth {
        when_true: truth.when_true.and(runs.clean.clone()),
        when_false: truth.when_false.and(runs.clean),
        error: truth.error.or(runs.error),
        ..truth
    })
}

/// The counts for which `count OP number` holds.
fn bounds(op: BinaryOp, number: &Number) -> Option<Length> {
    let number = number.to_u64()?;
    let (min, max) = match op {
        BinaryOp::Equal => (Some(number), Some(number)),
        BinaryOp::GreaterOrEqual => (Some(number), None),
        BinaryOp::Greater => (Some(number.checked_add(1)?), None),
        BinaryOp::LessOrEqual => (None, Some(number)),
        BinaryOp::Less => (None, Some(number.checked_sub(1)?)),
        _ => return None,
    };
    Some(Length { min, max })
}

// `length(x) == length(y)`: two lists over the same elements are equally long where neither filters out
// more than the other.

/// `length(left) OP length(right)`
pub fn same_length<'m>(comparison: Comparison<'_, 'm>, left: &Term<'m>, right: &Term<'m>) -> Truth {
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
    of_counts(left, right, span, context)
        .or_else(|| of_counts(right, left, span, context))
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
    let whole = guarded(|| same_length(comparison, source_term, right));
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
    let is_known = Cell::new(true);
    let out = expressions::elements(&source, &inside, span, &|element, key| {
        let one = bound(&inside, left, element, key);
        let other = other.as_ref().map(|(inside, it)| (bound(inside, it, element, key), *it));
        let mine = filters(left, &one);
        let theirs = other.as_ref().map(|(inside, it)| filters(it, inside)).unwrap_or_default();
        let known = |it: &Truth| mine.contains(it) && is_exact(it);
        is_known.set(is_known.get() && theirs.iter().all(known));
        let all = |it: Vec<Truth>| it.into_iter().fold(Truth::constant(true), Truth::and);
        let more = mine.iter().filter(|it| !theirs.contains(it)).cloned().collect();
        let mut out = Elements::one(all(more));
        if flat {
            let value = expressions::cases(&left.value, &one);
            let other_value =
                other.as_ref().map(|(inside, it)| expressions::cases(&it.value, inside));
            match inner(&value, other_value.as_ref(), span, context) {
                Some(inner) => out = out.then(inner),
                None => is_known.set(false),
            }
        }
        out.only_if(all(theirs))
    });
    is_known.get().then_some(out)
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

/// `length(a) + length(b) OP number`: no length is negative.
pub fn sum_of_lengths<'m>(
    comparison: Comparison<'_, 'm>,
    parts: &[Term<'m>],
    number: &Number,
) -> Truth {
    let Comparison { op, span, context } = comparison;
    if op == BinaryOp::NotEqual {
        let equal = Comparison { op: BinaryOp::Equal, ..comparison };
        return sum_of_lengths(equal, parts, number).not();
    }
    let each = |op, number: &Number| -> Vec<Truth> {
        let of = |it: &Term<'m>| match it {
            Term::Count(inner) => of_length(Comparison { op, ..comparison }, inner, number),
            _ => Truth::unknown(Reason::SumOfLengths, span),
        };
        parts.iter().map(of).collect()
    };
    let all = |them: Vec<Truth>| Extent::all(them.into_iter().map(|it| it.when_true));
    let any = |them: Vec<Truth>| Extent::any(them.into_iter().map(|it| it.when_true));
    let there =
        Extent::all(parts.iter().map(|it| outcomes::defined(&Cases::one(it.clone()), context)));
    let error =
        Extent::any(parts.iter().map(|it| outcomes::failing(&Cases::one(it.clone()), context)));
    let zero = Number::from_i64(0);
    let is = |wanted| number.to_i64() == Some(wanted);
    let none = all(each(BinaryOp::Equal, &zero));
    let some = there.clone().and(any(each(BinaryOp::Greater, &zero)));
    let most = |op| all(each(op, number)).losing(Reason::SumOfLengths, span);
    let open = there.losing(Reason::SumOfLengths, span);
    let (when_true, when_false) = match op {
        BinaryOp::Equal | BinaryOp::LessOrEqual if is(0) => (none, some),
        BinaryOp::Less if is(1) => (none, some),
        BinaryOp::Greater if is(0) => (some, none),
        BinaryOp::GreaterOrEqual if is(1) => (some, none),
        BinaryOp::LessOrEqual | BinaryOp::Less => (most(op), open),
        BinaryOp::Greater => (open, most(BinaryOp::LessOrEqual)),
        BinaryOp::GreaterOrEqual => (open, most(BinaryOp::Less)),
        _ => (most(BinaryOp::LessOrEqual), open),
    };
    Truth { when_true, when_false, error, ..Truth::never() }
}
