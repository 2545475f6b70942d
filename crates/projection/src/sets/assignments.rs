//! Sets of assignments: constraints on several values joined by "and" and "or".

use super::{
    Loss, Reason, Region, ValueSet, alternatives,
    index::{FEW, Places},
};
use diagnostics::Span;
use smol_str::SmolStr;

/// The value that a constraint is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintRoot {
    /// An input variable.
    Variable(SmolStr),
    /// The element or the key that a `for` binds, numbered within one condition.
    Element(u32),
    Key(u32),
}

/// A set of assignments. Atoms about one root in one union or intersection are joined into one atom.
#[derive(Clone, Debug, PartialEq)]
pub enum Assignments {
    /// The root's value is null and null is in, or it is one of the values.
    At(ConstraintRoot, bool, ValueSet),
    All(Vec<Assignments>),
    Any(Vec<Assignments>),
}

/// The most parts of a set; a larger one is given up, since nobody would read the schema.
const MAX_PARTS: usize = 2000;

impl Assignments {
    pub const TRUE: Assignments = Assignments::All(Vec::new());
    pub const FALSE: Assignments = Assignments::Any(Vec::new());

    pub fn at(root: &ConstraintRoot, null: bool, values: ValueSet) -> Assignments {
        match (null, &values) {
            (true, ValueSet::Anything) => Assignments::TRUE,
            (false, ValueSet::Nothing) => Assignments::FALSE,
            _ => Assignments::At(root.clone(), null, values),
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Assignments::All(parts) if parts.is_empty())
    }

    pub fn is_false(&self) -> bool {
        matches!(self, Assignments::Any(parts) if parts.is_empty())
    }

    pub fn all(parts: impl IntoIterator<Item = Assignments>) -> Assignments {
        Assignments::joined(parts, true)
    }

    pub fn any(parts: impl IntoIterator<Item = Assignments>) -> Assignments {
        Assignments::joined(parts, false)
    }

    /// The parts joined by "and" if `is_all`, else by "or". One absorbing part (false, or true) is the whole;
    /// neutral ones are left out.
    fn joined(parts: impl IntoIterator<Item = Assignments>, is_all: bool) -> Assignments {
        let absorbing = if is_all { Assignments::FALSE } else { Assignments::TRUE };
        let absorbs = |it: &Assignments| if is_all { it.is_false() } else { it.is_true() };
        let is_neutral = |it: &Assignments| if is_all { it.is_true() } else { it.is_false() };
        let mut out = Vec::new();
        for part in parts {
            let inner = match part {
                Assignments::All(inner) if is_all => inner,
                Assignments::Any(inner) if !is_all => inner,
                part => vec![part],
            };
            if inner.iter().any(absorbs) {
                return absorbing;
            }
            out.extend(inner);
        }
        let joined = by_root(out, |root, atoms| {
            let mut nulls = atoms.iter().map(|(null, _)| *null);
            let null = if is_all { nulls.all(|it| it) } else { nulls.any(|it| it) };
            let values = atoms.into_iter().map(|(_, it)| it);
            let values = if is_all { ValueSet::all(values) } else { ValueSet::either(values) };
            Assignments::at(root, null, values)
        });
        if joined.iter().any(absorbs) {
            return absorbing;
        }
        let left = joined.into_iter().filter(|it| !is_neutral(it)).collect();
        single_or(left, if is_all { Assignments::All } else { Assignments::Any })
    }

    /// The roots that it constrains, each once.
    pub fn roots(&self) -> Vec<ConstraintRoot> {
        let mut out = Vec::new();
        self.collect_roots(&mut out);
        out
    }

    fn collect_roots(&self, out: &mut Vec<ConstraintRoot>) {
        match self {
            Assignments::At(root, ..) => {
                if !out.contains(root) {
                    out.push(root.clone());
                }
            }
            Assignments::All(parts) | Assignments::Any(parts) => {
                parts.iter().for_each(|it| it.collect_roots(out));
            }
        }
    }

    /// The set without its constraints on these roots. It is at least as large.
    pub fn without(self, roots: &[ConstraintRoot]) -> Assignments {
        match self {
            Assignments::At(root, ..) if roots.contains(&root) => Assignments::TRUE,
            Assignments::All(parts) => {
                Assignments::all(parts.into_iter().map(|it| it.without(roots)))
            }
            Assignments::Any(parts) => {
                Assignments::any(parts.into_iter().map(|it| it.without(roots)))
            }
            other @ Assignments::At(..) => other,
        }
    }

    /// The parts of the union.
    pub fn parts(&self) -> Vec<Assignments> {
        match self {
            Assignments::Any(parts) => parts.clone(),
            one => vec![one.clone()],
        }
    }

    /// Whether it is one of the parts of the union.
    pub fn has_part(&self, part: &Assignments) -> bool {
        match self {
            Assignments::Any(parts) => parts.contains(part),
            one => one == part,
        }
    }

    fn size(&self) -> usize {
        self.sum(&|_| 1)
    }

    /// The number of parts that a join compares.
    fn width(&self) -> usize {
        match self {
            Assignments::At(_, _, ValueSet::All(parts) | ValueSet::Either(parts)) => parts.len(),
            Assignments::At(..) => 1,
            Assignments::All(parts) | Assignments::Any(parts) => {
                parts.iter().map(Assignments::width).sum()
            }
        }
    }

    /// The number of parts, where an enumeration of `n` values counts as `enumeration(n)`.
    fn sum(&self, enumeration: &impl Fn(usize) -> usize) -> usize {
        match self {
            Assignments::At(_, _, values) => 1 + sum(values, enumeration),
            Assignments::All(parts) | Assignments::Any(parts) => {
                1 + parts.iter().map(|it| it.sum(enumeration)).sum::<usize>()
            }
        }
    }

    /// The number of enumerated values in it.
    fn values(&self) -> usize {
        match self {
            Assignments::At(_, _, ValueSet::OneOf(it)) => it.len(),
            Assignments::At(_, _, ValueSet::Not(it)) => match &**it {
                ValueSet::OneOf(it) => it.len(),
                _ => 0,
            },
            Assignments::At(..) => 0,
            Assignments::All(parts) | Assignments::Any(parts) => {
                parts.iter().map(Assignments::values).sum()
            }
        }
    }

    /// The set as one of a single value, if it is about nothing else.
    pub fn of_root(&self, root: &ConstraintRoot) -> Option<(bool, ValueSet)> {
        match self {
            Assignments::At(it, null, values) => (it == root).then(|| (*null, values.clone())),
            Assignments::All(parts) => {
                let parts = parts.iter().map(|it| it.of_root(root)).collect::<Option<Vec<_>>>()?;
                let null = parts.iter().all(|it| it.0);
                Some((null, ValueSet::all(parts.into_iter().map(|it| it.1))))
            }
            Assignments::Any(parts) => {
                let parts = parts.iter().map(|it| it.of_root(root)).collect::<Option<Vec<_>>>()?;
                let null = parts.iter().any(|it| it.0);
                Some((null, ValueSet::either(parts.into_iter().map(|it| it.1))))
            }
        }
    }
}

fn sum(constraint: &ValueSet, enumeration: &impl Fn(usize) -> usize) -> usize {
    match constraint {
        ValueSet::OneOf(values) => enumeration(values.len()),
        it => 1 + it.children().iter().map(|it| sum(it, enumeration)).sum::<usize>(),
    }
}

/// The atoms of one root: whether null is in, and the values.
type Atoms = Vec<(bool, ValueSet)>;

/// The parts without duplicates. Several atoms about one root are `joined` to one, at the place of the first.
fn by_root(
    parts: Vec<Assignments>,
    joined: impl Fn(&ConstraintRoot, Atoms) -> Assignments,
) -> Vec<Assignments> {
    enum Part {
        Atoms(ConstraintRoot, Atoms),
        Other(Assignments),
    }
    let mut out: Vec<Part> = Vec::new();
    // Where there are only a few, each is compared with the others, which is faster.
    let mut places = (parts.len() > FEW).then(Places::default);
    for part in parts {
        let is_same = |it: &Part| match (it, &part) {
            (Part::Atoms(root, _), Assignments::At(own, ..)) => root == own,
            (Part::Other(other), part) => other == part,
            (Part::Atoms(..), _) => false,
        };
        let same = match &mut places {
            None => out.iter().position(is_same),
            Some(places) => {
                let alike = match &part {
                    Assignments::At(root, ..) => places.alike(root),
                    part => places.alike(part),
                };
                let same = alike.iter().copied().find(|at| out.get(*at).is_some_and(is_same));
                match (&part, same) {
                    (_, Some(_)) => (),
                    (Assignments::At(root, ..), None) => places.add(root, out.len()),
                    (part, None) => places.add(part, out.len()),
                }
                same
            }
        };
        match (part, same.and_then(|at| out.get_mut(at))) {
            (Assignments::At(_, null, values), Some(Part::Atoms(_, atoms))) => {
                atoms.push((null, values));
            }
            (Assignments::At(root, null, values), _) => {
                out.push(Part::Atoms(root, vec![(null, values)]));
            }
            (_, Some(_)) => (),
            (part, None) => out.push(Part::Other(part)),
        }
    }
    let whole = |it: Part| match it {
        Part::Other(it) => it,
        Part::Atoms(root, mut atoms) => match (atoms.len(), atoms.pop()) {
            (1, Some((null, values))) => Assignments::At(root, null, values),
            (_, last) => {
                atoms.extend(last);
                joined(&root, atoms)
            }
        },
    };
    out.into_iter().map(whole).collect()
}

fn single_or(
    mut parts: Vec<Assignments>,
    many: fn(Vec<Assignments>) -> Assignments,
) -> Assignments {
    if parts.len() == 1 { parts.swap_remove(0) } else { many(parts) }
}

/// A set that holds *at least* the assignments with some property: exact if nothing was lost, never too small.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    pub formula: Assignments,
    pub losses: Vec<Loss>,
}

impl Extent {
    pub fn new(formula: Assignments) -> Extent {
        Extent { formula, losses: Vec::new() }
    }

    pub fn everything() -> Extent {
        Extent::new(Assignments::TRUE)
    }

    pub fn nothing() -> Extent {
        Extent::new(Assignments::FALSE)
    }

    /// Everything, because nothing better is known.
    pub fn unknown(reason: Reason, span: Span) -> Extent {
        Extent::everything().losing(reason, span)
    }

    pub fn losing(mut self, reason: Reason, span: Span) -> Extent {
        self.losses.push(Loss { reason, span });
        self
    }

    /// The set of a region of the root's values.
    pub fn of(root: &ConstraintRoot, region: Region) -> Extent {
        Extent { formula: Assignments::at(root, region.null, region.values), losses: region.losses }
            .tidy()
    }

    /// The work of joining it with one of the same size.
    pub fn work(&self) -> u64 {
        let parts = self.formula.size() + self.losses.len();
        alternatives::of_parts(parts) as u64 + self.formula.values() as u64 / 4
    }

    pub fn is_nothing(&self) -> bool {
        self.formula.is_false()
    }

    /// How much is in it: parts, values and losses.
    pub fn parts(&self) -> usize {
        self.formula.sum(&|values| values) + self.losses.len()
    }

    fn is_all(&self) -> bool {
        self.losses.is_empty() && self.formula.is_true()
    }

    fn is_none(&self) -> bool {
        self.losses.is_empty() && self.formula.is_false()
    }

    pub fn and(self, other: Extent) -> Extent {
        if self.is_all() {
            return other;
        }
        if other.is_all() {
            return self;
        }
        if self.is_nothing() || other.is_nothing() {
            return Extent::nothing();
        }
        if !self.can_be_joined(&other) {
            return Extent::given_up();
        }
        let formula = Assignments::all([self.formula, other.formula]);
        Extent { formula, losses: joined(self.losses, other.losses) }.tidy()
    }

    pub fn or(self, other: Extent) -> Extent {
        if self.is_all() || other.is_all() {
            return Extent::everything();
        }
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        if !self.can_be_joined(&other) {
            return Extent::given_up();
        }
        let formula = Assignments::any([self.formula, other.formula]);
        Extent { formula, losses: joined(self.losses, other.losses) }.tidy()
    }

    /// Pays for joining both. Parts are looked for in one another, and values are copied.
    fn can_be_joined(&self, other: &Extent) -> bool {
        let of = |it: &Extent| (it.formula.width(), it.parts());
        let ((wide, large), (wider, larger)) = (of(self), of(other));
        alternatives::afford(alternatives::of_parts(wide + wider) + (large + larger) / 8)
    }

    /// Everything, since there was too much work.
    fn given_up() -> Extent {
        Extent::unknown(Reason::TooManyCases, Span::default())
    }

    pub fn all(parts: impl IntoIterator<Item = Extent>) -> Extent {
        let parts: Vec<Extent> = parts.into_iter().collect();
        if parts.iter().any(Extent::is_nothing) {
            return Extent::nothing();
        }
        Extent::together(parts, Assignments::all, Extent::everything, Extent::and)
    }

    pub fn any(parts: impl IntoIterator<Item = Extent>) -> Extent {
        let parts: Vec<Extent> = parts.into_iter().collect();
        if parts.iter().any(Extent::is_all) {
            return Extent::everything();
        }
        Extent::together(parts, Assignments::any, Extent::nothing, Extent::or)
    }

    /// Joins all parts in one step, which looks for each among the others once. Parts that are too large together are
    /// joined one by one, so that not all of them are given up.
    fn together(
        parts: Vec<Extent>,
        join: fn(Vec<Assignments>) -> Assignments,
        neutral: fn() -> Extent,
        join_two: fn(Extent, Extent) -> Extent,
    ) -> Extent {
        if parts.len() <= 2 || parts.iter().map(|it| it.formula.size()).sum::<usize>() > MAX_PARTS {
            return parts.into_iter().fold(neutral(), join_two);
        }
        let (wide, large) = parts
            .iter()
            .fold((0, 0), |(wide, large), it| (wide + it.formula.width(), large + it.parts()));
        if !alternatives::afford(alternatives::of_parts(wide) + large / 8) {
            return Extent::given_up();
        }
        let (formulas, losses): (Vec<_>, Vec<_>) =
            parts.into_iter().map(|it| (it.formula, it.losses)).unzip();
        let losses = losses.into_iter().fold(Vec::new(), joined);
        Extent { formula: join(formulas), losses }.tidy()
    }

    /// Drops the losses of an empty set, which is exact although its parts were too large; gives up a set that
    /// became too large to be read.
    fn tidy(mut self) -> Extent {
        if self.formula.is_false() {
            self.losses.clear();
        } else if self.formula.size() > MAX_PARTS {
            self.formula = Assignments::TRUE;
            self.losses.push(Loss { reason: Reason::TooManyCases, span: Span::default() });
        }
        self
    }
}

/// The most losses that a set names; nobody reads more, and one is enough to make it inexact.
const MOST_LOSSES: usize = 64;

pub(super) fn joined(mut losses: Vec<Loss>, more: Vec<Loss>) -> Vec<Loss> {
    for loss in more {
        // The release is asked for by its name.
        let is_wanted = losses.len() < MOST_LOSSES || loss.reason == Reason::HangsOnRelease;
        if is_wanted && !losses.contains(&loss) {
            losses.push(loss);
        }
    }
    losses
}
