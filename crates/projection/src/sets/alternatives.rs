//! Sets of assignments as alternatives, each with a set for some of the roots.

use super::{Assignments, ConstraintRoot, Extent, ValueSet, contains::contains};
use stack::guarded;
use tf_value::Value;

/// The constraint of an alternative on one root: whether null is in, and the other values.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    pub root: ConstraintRoot,
    pub null: bool,
    pub values: ValueSet,
}

/// An intersection of atoms. Each root has one atom at most; a root without an atom may be anything.
pub type Alternative = Vec<Atom>;

impl Assignments {
    /// The same set as a union of alternatives; `None` if there are more than `most` on the way.
    pub fn alternatives(&self, most: usize) -> Option<Vec<Alternative>> {
        guarded(|| match self {
            Assignments::At(root, null, values) => {
                let atom = Atom { root: root.clone(), null: *null, values: values.clone() };
                Some(vec![vec![atom]])
            }
            Assignments::Any(parts) => {
                let mut out = Vec::new();
                for part in parts {
                    out.extend(part.alternatives(most)?);
                    (out.len() <= most).then_some(())?;
                }
                Some(out)
            }
            Assignments::All(parts) => {
                let mut out: Vec<Alternative> = vec![Vec::new()];
                for part in parts {
                    let further = part.alternatives(most)?;
                    (out.len() * further.len() <= most).then_some(())?;
                    let both = |one: &Alternative| {
                        further.iter().filter_map(|it| met(one, it)).collect::<Vec<_>>()
                    };
                    out = out.iter().flat_map(both).collect();
                }
                Some(out)
            }
        })
    }

    /// The set that remains if some roots have known values; it is never too small. `Some(None)` means a value
    /// that is not known.
    #[must_use]
    pub fn given(&self, known: &dyn Fn(&ConstraintRoot) -> Option<Option<Value>>) -> Assignments {
        guarded(|| match self {
            Assignments::At(root, null, values) => {
                let is_in = match known(root) {
                    None => return self.clone(),
                    Some(None) => true,
                    Some(Some(it)) if it.is_null() => *null,
                    Some(Some(it)) => contains(values, &it) != Some(false),
                };
                if is_in { Assignments::TRUE } else { Assignments::FALSE }
            }
            Assignments::All(parts) => Assignments::all(parts.iter().map(|it| it.given(known))),
            Assignments::Any(parts) => Assignments::any(parts.iter().map(|it| it.given(known))),
        })
    }

    fn complement(&self) -> Assignments {
        guarded(|| match self {
            Assignments::At(root, null, values) => {
                Assignments::at(root, !null, values.clone().negated())
            }
            Assignments::All(parts) => Assignments::any(parts.iter().map(Assignments::complement)),
            Assignments::Any(parts) => Assignments::all(parts.iter().map(Assignments::complement)),
        })
    }
}

impl Extent {
    /// All other assignments; `None` unless the extent is exact.
    pub fn complement(&self) -> Option<Extent> {
        self.losses.is_empty().then(|| Extent::new(self.formula.complement()))
    }
}

/// The intersection of two alternatives; `None` if they certainly contradict each other.
fn met(one: &Alternative, other: &Alternative) -> Option<Alternative> {
    let mut out = one.clone();
    for atom in other {
        match out.iter_mut().find(|it| it.root == atom.root) {
            Some(it) => {
                it.null &= atom.null;
                it.values = ValueSet::all([it.values.clone(), atom.values.clone()]);
                (it.null || it.values != ValueSet::Nothing).then_some(())?;
            }
            None => out.push(atom.clone()),
        }
    }
    Some(out)
}
