//! Sequences with a known number of elements. Each element may be filtered out.

use crate::condition::{
    context::Context,
    expressions,
    membership::is_among,
    symbolic::{Cases, Sequence, Term, Truth, members},
};
use tf_value::Value;

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
        Term::Place(place) => members::attributes(place)?.iter().map(always).collect(),
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
