//! `length(distinct(x)) == length(x)`: no two elements are equal. For a computed x, such as
//! `[for v in var.l : v.name]`, elements that are equal as a whole are excluded, too.

use super::each_once::each_once;
use crate::{
    condition::{
        context::{Context, call},
        expressions,
        quantifiers::{self, Elements},
        relation::Comparison,
        symbolic::{Leaf, Sequence, Term, Truth},
        types,
    },
    sets::{Extent, Reason, Region, ValueSet},
};
use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind};
use stack::guarded;
use tf_value::Type;

/// `None` for another equation. Elements that are equal as a whole are equal in every part.
pub fn truth<'m>(comparison: Comparison<'_, 'm>, left: &'m Expr, right: &'m Expr) -> Option<Truth> {
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
pub fn of_counts<'m>(
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
