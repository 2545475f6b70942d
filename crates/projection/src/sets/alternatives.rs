//! Sets of assignments as alternatives, each with a set for some of the roots.

use std::cell::Cell;

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    Assignments, ConstraintRoot, Extent, ValueSet, contains,
    index::{FEW, MANY, Places},
};
use stack::guarded;
use tf_value::{Value, ValueContent};

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

// Adds a conjunct or an alternative to others, and merges it with one of them if possible.

/// The most pairs of values that are compared to intersect two enumerations.
const PAIRS: usize = 250_000;

/// Below this number of new values each is compared with all others.
const FEW_VALUES: usize = 32;

/// The parts of an intersection or of a union while it is made.
#[derive(Default)]
pub(super) struct Parts {
    pub list: Vec<ValueSet>,
    index: Option<Index>,
}

/// Where the parts are, once there are more than a few.
struct Index {
    /// Of each member, the part that speaks of it.
    members: HashMap<SmolStr, usize>,
    /// The enumerations, and the first one that is forbidden.
    choices: Vec<usize>,
    forbidden: Option<usize>,
    /// All others. These do not change any more.
    others: Places,
}

impl Parts {
    /// Adds a conjunct; two enumerations become one, and so do two that are forbidden.
    pub fn conjunct(&mut self, new: ValueSet) {
        if self.has(&new) {
            return;
        }
        match new {
            ValueSet::Member { name, required, values } => match self.member(&name) {
                Some((needed, old)) => {
                    *needed |= required;
                    let before = std::mem::replace(old, ValueSet::Anything);
                    *old = ValueSet::all([before, *values]);
                }
                None => self.push(ValueSet::Member { name, required, values }),
            },
            ValueSet::Not(inner) => match (*inner, self.forbidden()) {
                (ValueSet::OneOf(values), Some(others)) => add_values(others, values),
                (inner, _) => self.push(ValueSet::Not(Box::new(inner))),
            },
            ValueSet::OneOf(values) => {
                let is_taken = self.choices().into_iter().any(|at| {
                    let Some(others) = self.list.get_mut(at).and_then(enumerated) else {
                        return false;
                    };
                    match shared(others, &values) {
                        Some(both) => {
                            *others = both;
                            true
                        }
                        None => false,
                    }
                });
                if !is_taken {
                    self.push(ValueSet::OneOf(values));
                }
            }
            other => self.push(other),
        }
    }

    /// Adds a disjunct; two enumerations become one.
    pub fn alternative(&mut self, new: ValueSet) {
        if self.has(&new) {
            return;
        }
        match new {
            ValueSet::Member { name, required, values } => match self.member(&name) {
                Some((needed, old)) => {
                    *needed &= required;
                    let null = old.accepts_null() || values.accepts_null();
                    let before = std::mem::replace(old, ValueSet::Nothing);
                    let both = ValueSet::either([before, *values]);
                    *old = if null { both.with_null() } else { both };
                }
                None => self.push(ValueSet::Member { name, required, values }),
            },
            ValueSet::OneOf(values) => {
                let first = self.choices().first().copied();
                match first.and_then(|at| self.list.get_mut(at)).and_then(enumerated) {
                    Some(others) => add_values(others, values),
                    None => self.push(ValueSet::OneOf(values)),
                }
            }
            other => self.push(other),
        }
    }

    fn push(&mut self, part: ValueSet) {
        let at = self.list.len();
        if let Some(index) = &mut self.index {
            index.add(&part, at);
        }
        self.list.push(part);
        if self.index.is_none() && self.list.len() > FEW {
            let mut index = Index::default();
            self.list.iter().enumerate().for_each(|(at, it)| index.add(it, at));
            self.index = Some(index);
        }
    }

    fn has(&self, part: &ValueSet) -> bool {
        let Some(index) = &self.index else { return self.list.contains(part) };
        index.alike(part).iter().any(|at| self.list.get(*at) == Some(part))
    }

    /// Whether the member of that name is required, and its values, in the part that speaks of it.
    fn member(&mut self, member: &str) -> Option<(&mut bool, &mut ValueSet)> {
        let of_it = |it: &ValueSet| matches!(it, ValueSet::Member { name, .. } if name == member);
        let at = match &self.index {
            Some(index) => *index.members.get(member)?,
            None => self.list.iter().position(of_it)?,
        };
        match self.list.get_mut(at)? {
            ValueSet::Member { required, values, .. } => Some((required, values.as_mut())),
            _ => None,
        }
    }

    fn choices(&self) -> Vec<usize> {
        let is_choice = |at: &usize| matches!(self.list.get(*at), Some(ValueSet::OneOf(_)));
        match &self.index {
            Some(index) => index.choices.clone(),
            None => (0..self.list.len()).filter(is_choice).collect(),
        }
    }

    /// The first enumeration that is forbidden.
    fn forbidden(&mut self) -> Option<&mut Vec<Value>> {
        let at = match &self.index {
            Some(index) => index.forbidden?,
            None => self.list.iter().position(is_forbidden)?,
        };
        match self.list.get_mut(at)? {
            ValueSet::Not(inner) => enumerated(inner),
            _ => None,
        }
    }
}

fn is_forbidden(set: &ValueSet) -> bool {
    matches!(set, ValueSet::Not(inner) if matches!(**inner, ValueSet::OneOf(_)))
}

impl Default for Index {
    fn default() -> Index {
        let (members, others) = (HashMap::default(), Places::default());
        Index { members, choices: Vec::new(), forbidden: None, others }
    }
}

impl Index {
    fn add(&mut self, part: &ValueSet, at: usize) {
        match part {
            ValueSet::Member { name, .. } => {
                self.members.entry(name.clone()).or_insert(at);
            }
            ValueSet::OneOf(_) => self.choices.push(at),
            part if is_forbidden(part) => {
                self.forbidden.get_or_insert(at);
            }
            part => self.others.add(part, at),
        }
    }

    /// Where an equal part may be.
    fn alike(&self, part: &ValueSet) -> &[usize] {
        match part {
            ValueSet::Member { name, .. } => {
                self.members.get(name).map_or(&[], std::slice::from_ref)
            }
            ValueSet::OneOf(_) => &self.choices,
            part if is_forbidden(part) => self.forbidden.as_slice(),
            part => self.others.alike(part),
        }
    }
}

/// The values that are in both, in the order of the first; `None` if that is unknown for one of them.
pub(super) fn shared(values: &[Value], others: &[Value]) -> Option<Vec<Value>> {
    if values.len().saturating_mul(others.len()) > PAIRS {
        return None;
    }
    let others = ValueSet::OneOf(others.to_vec());
    let mut both = Vec::new();
    for value in values {
        if contains(&others, value)? {
            both.push(value.clone());
        }
    }
    Some(both)
}

/// The values of an enumeration, to be changed.
pub(super) fn enumerated(set: &mut ValueSet) -> Option<&mut Vec<Value>> {
    if let ValueSet::OneOf(values) = set { Some(values) } else { None }
}

fn add_values(values: &mut Vec<Value>, new: Vec<Value>) {
    if new.len() < FEW_VALUES {
        for value in new {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        return;
    }
    let mut places: HashMap<String, Vec<usize>> = HashMap::default();
    for (at, it) in values.iter().enumerate() {
        places.entry(text(it)).or_default().push(at);
    }
    for value in new {
        let alike = places.entry(text(&value)).or_default();
        if !alike.iter().any(|at| values[*at] == value) {
            alike.push(values.len());
            values.push(value);
        }
    }
}

/// A text that equal values share.
fn text(value: &Value) -> String {
    match value.content() {
        ValueContent::String(it) => it.to_string(),
        ValueContent::Number(it) if it.is_zero() => String::new(),
        ValueContent::Number(it) => it.identity(),
        _ => String::new(),
    }
}

// A bound on the work of joining sets: each part is looked for among the others, and sets are copied, so that a
// condition of a few kilobytes could otherwise keep a run busy for minutes.
//
// Sets are joined in hundreds of places, and none of them should have to count. So the code that reads a
// condition keeps the bound, one for each thread ([`Effort`]). Without a bound, joins are free.

thread_local! {
    /// The units that joins of this thread may still take; `None` where nobody counts.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    /// The units that they took since somebody asked.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// While it lives, joins on this thread are counted. Where nothing is left, a set is given up at once instead
/// of being joined: it is everything, with a loss.
#[derive(Debug)]
pub struct Effort {
    /// The state of the count that this one interrupts.
    before: (Option<u64>, u64),
}

impl Effort {
    /// Begins to count, with so many units.
    pub fn of(units: u64) -> Effort {
        Effort { before: (LEFT.replace(Some(units)), TAKEN.replace(0)) }
    }

    /// Gives joins so many units again.
    pub fn renew(&self, units: u64) {
        LEFT.set(Some(units));
    }

    /// Lets no further join take any work.
    pub fn end(&self) {
        LEFT.set(Some(0));
    }

    /// The units that joins took since this was last called.
    pub fn taken(&self) -> u64 {
        TAKEN.replace(0)
    }
}

impl Drop for Effort {
    fn drop(&mut self) {
        LEFT.set(self.before.0);
        TAKEN.set(self.before.1);
    }
}

/// Counts the work of a join; `false` where too little is left for it, which ends all others as well.
pub fn afford(units: usize) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let units = units as u64;
    TAKEN.set(TAKEN.get().saturating_add(units.min(left)));
    LEFT.set(Some(left.saturating_sub(units)));
    units <= left
}

/// The units for joining so many parts. Each is compared with each while there are not many.
pub(super) fn of_parts(parts: usize) -> usize {
    parts + parts.saturating_mul(parts.min(MANY)) / 16
}
