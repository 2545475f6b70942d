//! Inverse images of sets of strings.

use crate::sets::ValueSet;
use stack::guarded;
use tf_value::Value;

/// A set of strings, and whether it is exact; otherwise it is too large.
pub struct Preimage {
    pub values: ValueSet,
    pub exact: bool,
}

impl Preimage {
    pub fn exact(values: ValueSet) -> Option<Preimage> {
        Some(Preimage { values, exact: true })
    }
}

/// The inverse image of a set, made from those of its atoms. `domain` is the set for which the function has a
/// result.
pub fn by_parts(
    constraint: &ValueSet,
    domain: &dyn Fn() -> ValueSet,
    atom: &dyn Fn(&ValueSet) -> Option<Preimage>,
) -> Option<Preimage> {
    let inner = |it: &ValueSet| by_parts(it, domain, atom);
    guarded(|| match constraint {
        ValueSet::Anything => Preimage::exact(domain()),
        ValueSet::Nothing => Preimage::exact(ValueSet::Nothing),
        ValueSet::Not(it) => {
            let it = inner(it).filter(|it| it.exact)?;
            Preimage::exact(ValueSet::all([domain(), it.values.negated()]))
        }
        // A conjunct that cannot be written only makes the set larger.
        ValueSet::All(parts) => {
            let inner_parts: Vec<_> = parts.iter().filter_map(inner).collect();
            let exact = inner_parts.len() == parts.len() && inner_parts.iter().all(|it| it.exact);
            let none = inner_parts.is_empty().then(domain);
            let values = ValueSet::all(inner_parts.into_iter().map(|it| it.values).chain(none));
            Some(Preimage { values, exact })
        }
        ValueSet::Either(parts) => {
            let parts: Vec<_> = parts.iter().map(inner).collect::<Option<_>>()?;
            let exact = parts.iter().all(|it| it.exact);
            let values = ValueSet::either(parts.into_iter().map(|it| it.values));
            Some(Preimage { values, exact })
        }
        one => atom(one),
    })
}

pub fn strings(values: &[Value]) -> Option<Vec<&str>> {
    values.iter().map(Value::as_str).collect()
}

/// Whole texts, each given as a pattern.
pub fn whole(bodies: &[String]) -> ValueSet {
    match bodies {
        [] => ValueSet::Nothing,
        [one] => ValueSet::Matches(format!("^{one}$")),
        many => ValueSet::Matches(format!("^(?:{})$", many.join("|"))),
    }
}
