//! The order in which unification tries several types: the most general one first.

use std::cmp::Ordering;

use crate::Type;
use stack::guarded;

/// The indices of the types, most general first; incomparable types keep their order.
pub(super) fn order(types: &[&Type]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut above = vec![0usize; types.len()];
    for (i, left) in types.iter().enumerate() {
        for (j, right) in types.iter().enumerate().skip(i + 1) {
            let (general, special) = match compare(left, right) {
                Ordering::Less => (i, j),
                Ordering::Greater => (j, i),
                Ordering::Equal => continue,
            };
            below[general].push(special);
            above[special] += 1;
        }
    }
    let mut result: Vec<usize> = (0..types.len()).filter(|it| above[*it] == 0).collect();
    let mut next = 0;
    while let Some(&index) = result.get(next) {
        next += 1;
        for &special in &below[index] {
            above[special] -= 1;
            if above[special] == 0 {
                result.push(special);
            }
        }
    }
    result
}

/// The order of two types: `Less` if `left` is the more general one.
fn compare(left: &Type, right: &Type) -> Ordering {
    guarded(|| match (left, right) {
        (Type::List(left), Type::List(right))
        | (Type::Set(left), Type::Set(right))
        | (Type::Map(left), Type::Map(right)) => compare(left, right),
        (Type::Object(left), Type::Object(right)) => {
            if !left.attributes.keys().eq(right.attributes.keys()) {
                return Ordering::Equal;
            }
            all(left.attributes.values().zip(right.attributes.values()))
        }
        (Type::Tuple(left), Type::Tuple(right)) if left.len() == right.len() => {
            all(left.iter().zip(right.iter()))
        }
        _ if is_more_general(left, right) => Ordering::Less,
        _ if is_more_general(right, left) => Ordering::Greater,
        _ => Ordering::Equal,
    })
}

/// Whether `left` is more general, for types of different kinds. An unknown type is the least general.
fn is_more_general(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Dynamic, Type::Dynamic) => false,
        (_, Type::Dynamic)
        | (Type::String, Type::Number | Type::Bool)
        | (Type::Tuple(_) | Type::List(_), Type::Set(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_)) => true,
        _ => false,
    }
}

/// The order on which all comparable pairs agree.
fn all<'a>(pairs: impl Iterator<Item = (&'a Type, &'a Type)>) -> Ordering {
    let mut result = Ordering::Equal;
    for (left, right) in pairs {
        match (compare(left, right), result) {
            (Ordering::Equal, _) => (),
            (order, Ordering::Equal) => result = order,
            (order, before) if order != before => return Ordering::Equal,
            _ => (),
        }
    }
    result
}
