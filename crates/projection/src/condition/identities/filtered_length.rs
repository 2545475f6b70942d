//! `length([for … if …]) OP number`: how many elements of a list a filter keeps.

use crate::{
    condition::{
        expressions, outcomes,
        relation::Comparison,
        symbolic::{Cases, Leaf, Place, Sequence, Term, Truth},
    },
    sets::{Length, Reason, ValueSet},
};
use hcl::BinaryOp;
use tf_value::{Number, Type};

/// `length([for x in list : … if P]) OP number`, for a schema that can count elements. `None` if P is not about
/// the element alone, or not exact: the number of elements in a set that is too large proves nothing.
pub fn truth<'m>(
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
