//! Judges a whole block by the pattern that a rule has for it.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    language::{BlockKind, BlockPattern, MemberValidator, NestedBlock, Shape, shape},
    subjects::{Absent, PolicySubject, Source},
    validate::{
        Around, Doubt, LocatedValue, Mistake, Outcome, ShownPath, Trail, ValueJudge, Violation,
        collection, element_of, keep_some, member_of,
    },
};
use diagnostics::Span;
use stack::guarded;
use tf_value::{Path, Step, Type, Value, ValueContent};
use verdict::written::META;

/// A name in a rule that the type does not have, and the names that it has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lacking {
    pub span: Span,
    pub name: SmolStr,
    /// Whether it is an argument of the object itself, and not of a block in it.
    pub is_outermost: bool,
    pub known: Vec<SmolStr>,
}

/// How many of an argument's blocks a nested block is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    /// Each of them, and there is at least one: in what is demanded, and in `needs`.
    Every,
    /// At least one: in `forbid` and `where`, so that a harmless block next to a harmful one hides nothing.
    Any,
}

/// Judges the blocks of one object.
pub(super) struct Blocks<'a> {
    pub judge: &'a ValueJudge<'a>,
    /// Whether the rule names the object's type in full (or its kind has no types).
    is_exact: bool,
    /// Whether the object has all arguments of its type, as in a plan: a name that it lacks is a mistake in the
    /// rule.
    is_complete: bool,
    /// Whether the object is of a kind with types.
    has_types: bool,
    /// Whether a provider may fill in arguments that are not written.
    is_filled_in: bool,
    /// Whether an argument that the object lacks is passed over; otherwise it is judged as null.
    pub passes_over: bool,
    quantifier: Quantifier,
    pub untold: &'static [&'static str],
    source: Option<&'a dyn Source>,
    /// Before a plan, the names that at least one object of the type writes.
    written: Option<&'a BTreeSet<SmolStr>>,
    pub lacking: Vec<Lacking>,
}

/// The finding's words for an argument that is not written.
const UNWRITTEN: &str = "no value, which a provider may set";

impl<'a> Blocks<'a> {
    /// `is_exact`: whether the rule names the object's type in full.
    pub fn new(
        judge: &'a ValueJudge<'a>,
        subject: &'a PolicySubject<'a>,
        is_exact: bool,
    ) -> Blocks<'a> {
        let has_types =
            matches!(subject.kind, BlockKind::Resource | BlockKind::Data | BlockKind::Ephemeral);
        let is_complete = matches!(subject.absent, Absent::Mistake);
        Blocks {
            judge,
            is_exact: is_exact || !has_types,
            has_types,
            passes_over: !matches!(subject.absent, Absent::Null),
            quantifier: Quantifier::Every,
            is_complete,
            is_filled_in: has_types || subject.kind == BlockKind::Provider,
            untold: subject.untold,
            source: subject.source.as_deref(),
            written: match &subject.absent {
                Absent::Unwritten(written) => Some(written),
                Absent::Mistake | Absent::Null => None,
            },
            lacking: Vec::new(),
        }
    }

    /// Judges a block by the pattern. If `where` fails it passes; if `where` is undecided, so is anything but a
    /// pass.
    pub fn narrowed(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        let filter = self.own_filter(pattern, at, trail);
        self.note_where(pattern, &filter);
        if filter.is_fail() {
            return Outcome::PASS;
        }
        let outcome = self.block(pattern, at, trail);
        if filter.is_pass() || outcome.is_pass() {
            return outcome;
        }
        Outcome { violations: Vec::new(), doubts: filter.doubts }
    }

    /// Judges a block by its `where` alone.
    pub fn filtered(&mut self, pattern: &BlockPattern, at: LocatedValue<'_>) -> Outcome {
        self.own_filter(pattern, at, &Trail::START)
    }

    /// Judges whether an object passes its `where` and matches the pattern, for `forbid` and `needs`.
    pub fn matched(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        quantifier: Quantifier,
    ) -> Outcome {
        self.matching(pattern, at, &Trail::START, quantifier)
    }

    /// Judges an object by the `where` of the pattern, if it has one.
    fn own_filter(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        let filter = pattern.filter.as_ref();
        filter.map_or(Outcome::PASS, |it| self.filter_by(it, at, trail, Quantifier::Any))
    }

    fn matching(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        quantifier: Quantifier,
    ) -> Outcome {
        let mut outcome = self.own_filter(pattern, at, trail);
        self.note_where(pattern, &outcome);
        if !outcome.is_fail() {
            outcome.add(self.filter_by(pattern, at, trail, quantifier));
        }
        outcome
    }

    fn note_where(&self, pattern: &BlockPattern, filter: &Outcome) {
        if pattern.filter.is_some() {
            self.judge.note_where(pattern.filter_span, !filter.is_fail());
        }
    }

    /// Judges whether an object passes a `where`.
    pub fn passes(&mut self, filter: &BlockPattern, at: LocatedValue<'_>) -> Outcome {
        self.filter_by(filter, at, &Trail::START, Quantifier::Any)
    }

    /// Judges a filter, for which a missing argument is null.
    fn filter_by(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        quantifier: Quantifier,
    ) -> Outcome {
        let before = (self.passes_over, self.quantifier);
        (self.passes_over, self.quantifier) = (false, quantifier);
        self.note_never(pattern, at);
        let outcome = self.block(pattern, at, trail).softened();
        (self.passes_over, self.quantifier) = before;
        outcome
    }

    /// Notes validators of a filter that never hold, since the argument is of another kind: a text in place of a
    /// list. What is demanded fails there, but here nothing would be forbidden.
    fn note_never(&self, pattern: &BlockPattern, at: LocatedValue<'_>) {
        let Some(elements) = at.value.as_mapping().filter(|_| self.is_exact && self.has_types)
        else {
            return;
        };
        for member in &pattern.members {
            let Some(value) = elements.get(&member.name) else { continue };
            if !value.is_known() || value.is_null() || value.marks().is_undecided() {
                continue;
            }
            let (shape, span) = (shape::of(&member.validator), member.validator.span);
            if shape.fits(value) {
                self.judge.fits.borrow_mut().insert(span);
            } else if matches!(shape, Shape::Single | Shape::Collection) {
                let kind = collection(value).unwrap_or("a single value");
                self.judge.mistakes.borrow_mut().insert(span, Mistake::Never(kind));
            }
        }
    }

    /// Judges the members and nested blocks, without `where`.
    fn block(
        &mut self,
        pattern: &BlockPattern,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        let trail = &trail.hiding(at.is_hidden || at.value.marks().is_hidden());
        self.judge.is_typed.set(self.is_exact && self.has_types);
        let Some(elements) = at.value.as_mapping() else {
            let span = pattern.members.first().map(|it| it.span);
            let span = span.or(pattern.blocks.first().map(|it| it.span));
            let Some(span) = span else { return Outcome::PASS };
            return if at.value.is_known() {
                Outcome::failed(trail, "a value without members".to_owned(), span)
            } else {
                Outcome::unknown(trail, at.value, span)
            };
        };
        if self.written.is_some() {
            return self.unwritten(pattern, elements, at, trail);
        }
        let mut outcome = Outcome::PASS;
        let judge = self.judge;
        let mut is_judged =
            |it: &MemberValidator| self.is_judged(&it.name, it.span, elements, &mut outcome, trail);
        let of_members = judge.members_or(&pattern.members, at, trail, &mut is_judged);
        outcome.add(of_members);
        for nested in &pattern.blocks {
            let is_here = elements.contains_key(&nested.name);
            if is_here || self.is_judged(&nested.name, nested.span, elements, &mut outcome, trail) {
                outcome.add(guarded(|| self.nested(nested, at, trail)));
            }
        }
        outcome
    }

    /// Judges the members and nested blocks before a plan, when only what is written is known. What is not
    /// written is null or, if the rule is about any type, unknown: the type may not have it.
    fn unwritten(
        &mut self,
        pattern: &BlockPattern,
        elements: &BTreeMap<SmolStr, Value>,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        let path = trail.path();
        let full = self.filled(pattern, at.value, trail);
        let value = full.as_ref().unwrap_or(at.value);
        let outermost =
            if trail.is_start() { self.filled(pattern, at.around.attrs, trail) } else { None };
        let around = match &outermost {
            Some(it) => Around { attrs: it, parent: it, ..at.around },
            None => at.around,
        };
        let at = LocatedValue { value, around, ..at };
        let mut outcome = self.judge.members(&pattern.members, at, trail);
        let is_absent = |name: &SmolStr| !elements.contains_key(name);
        for member in pattern.members.iter().filter(|it| is_absent(&it.name)) {
            let inside = path.with(Step::Attribute(member.name.clone()));
            if self.is_open(&member.name, trail) {
                let is_here = |it: &ShownPath| it.path.0.starts_with(&inside.0);
                let before = outcome.doubts.len() + outcome.violations.len();
                outcome.doubts.retain(|it| !is_here(&it.at));
                outcome.violations.retain(|it| !is_here(&it.at));
                if before > outcome.doubts.len() + outcome.violations.len() {
                    let reason = "no block of this type sets it here, so terraschema cannot \
                        know whether the type has it";
                    let span = member.validator.span;
                    let place = &trail.attribute(&member.name);
                    outcome.add(Outcome::undecided(place, reason.to_owned(), span));
                }
                continue;
            }
            self.filled_in(member, &inside, at, trail, &mut outcome);
        }
        // A block that is judged as a value (`rule = list({…})`) may leave arguments out, too.
        let mut left_out: Vec<Path> =
            outcome.violations.iter().map(|it| it.at.path.clone()).collect();
        let is_in_block = |it: &Path| self.source.is_some_and(|source| source.is_left_out(it));
        left_out.retain(|it| it.0.len() > path.0.len() + 1 && is_in_block(it));
        left_out.dedup();
        for inside in left_out {
            let is_its = |it: &&MemberValidator| {
                inside.0.get(path.0.len()) == Some(&Step::Attribute(it.name.clone()))
            };
            if let Some(member) = pattern.members.iter().find(is_its) {
                self.filled_in(member, &inside, at, trail, &mut outcome);
            }
        }
        for nested in &pattern.blocks {
            if is_absent(&nested.name) && self.is_open(&nested.name, trail) {
                let inside = &trail.attribute(&nested.name);
                let reason = "no block of this type sets it here, so terraschema cannot know whether the \
                    type has it";
                outcome.add(Outcome::undecided(inside, reason.to_owned(), nested.span));
            } else {
                outcome.add(guarded(|| self.nested(nested, at, trail)));
            }
        }
        outcome
    }

    /// Whether it is unknown if the type has a name that the object does not write.
    fn is_open(&self, name: &SmolStr, trail: &Trail<'_>) -> bool {
        let is_known = || {
            trail.is_start()
                && (META.contains(&name.as_str())
                    || self.written.is_some_and(|it| it.contains(name)))
        };
        !self.is_exact && self.passes_over && !is_known()
    }

    /// Rewrites violations of an argument that is not written: they say that a provider may fill it in. The
    /// outcome is undecided instead if the name may be that of a nested block and a list without blocks passes.
    fn filled_in(
        &self,
        member: &MemberValidator,
        inside: &Path,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        outcome: &mut Outcome,
    ) {
        if !self.is_filled_in || !outcome.violations.iter().any(|it| it.at.path == *inside) {
            return;
        }
        let start = trail.path().0.len();
        let passes = |value: Value| {
            let Some(value) = inserted(at.value, &inside.0[start..], value) else {
                return false;
            };
            let outcome = self.judge.members(std::slice::from_ref(member), at.of(&value), trail);
            !outcome.violations.iter().any(|it| it.at.path == *inside)
        };
        if passes(Value::tuple(Vec::new())) && !passes(Value::string("")) {
            let is_here = |it: &Violation| it.at.path == *inside;
            let place = outcome.violations.iter().find(|it| is_here(it)).map(|it| it.at.clone());
            outcome.violations.retain(|it| !is_here(it));
            let reason = "it is not set: null for an argument, no element for a block";
            outcome.add(Outcome::undecided(
                place.unwrap_or_default(),
                reason.to_owned(),
                member.validator.span,
            ));
        }
        for it in outcome.violations.iter_mut().filter(|it| it.at.path == *inside) {
            UNWRITTEN.clone_into(&mut it.found);
        }
    }

    /// The object with null or an unknown for each name that the pattern mentions and the object lacks; `None`
    /// if it lacks none.
    fn filled(&self, pattern: &BlockPattern, value: &Value, trail: &Trail<'_>) -> Option<Value> {
        let elements = value.as_mapping()?;
        let mut full: Option<BTreeMap<SmolStr, Value>> = None;
        let members = pattern.members.iter().map(|it| &it.name);
        let blocks = pattern.blocks.iter().map(|it| &it.name);
        for name in members.chain(blocks).chain(pattern.mentions.iter().flatten()) {
            if !elements.contains_key(name) {
                let absent = if self.is_open(name, trail) {
                    Value::unknown(Type::Dynamic)
                } else {
                    Value::null(Type::Dynamic)
                };
                full.get_or_insert_with(|| elements.clone()).insert(name.clone(), absent);
            }
        }
        Some(Value::object(full?).with_marks(value.marks()))
    }

    /// Whether to judge an argument that the object lacks. If the type lacks it, too, the rule is wrong, which
    /// is noted.
    fn is_judged(
        &mut self,
        name: &SmolStr,
        span: Span,
        elements: &BTreeMap<SmolStr, Value>,
        outcome: &mut Outcome,
        trail: &Trail<'_>,
    ) -> bool {
        if trail.is_start() && self.untold.contains(&name.as_str()) {
            outcome.add(Outcome::undecided(trail, format!("a plan does not contain {name}"), span));
            return false;
        }
        // Reported once, for the rule.
        if trail.is_start() && self.is_complete && META.contains(&name.as_str()) {
            return false;
        }
        if self.is_complete && self.is_exact {
            if !self.lacking.iter().any(|it| it.span == span) {
                // The keys of a sensitive map are not shown.
                let known = elements.keys().filter(|_| !trail.is_hidden()).cloned().collect();
                let is_outermost = trail.is_start();
                self.lacking.push(Lacking { span, name: name.clone(), is_outermost, known });
            }
            return false;
        }
        !self.passes_over
    }

    fn nested(&mut self, nested: &NestedBlock, at: LocatedValue<'_>, trail: &Trail<'_>) -> Outcome {
        let trail = trail.attribute(&nested.name);
        let absent = Value::null(Type::Dynamic);
        let elements = at.value.as_mapping();
        let value = elements.and_then(|it| it.get(&nested.name)).unwrap_or(&absent);
        let place = at.of(value);
        let trail = trail.hiding(place.is_hidden || value.marks().is_hidden());
        let prior = member_of(at.around.prior, &nested.name);
        let one = |value, index: Option<usize>| {
            (value, index.map_or_else(|| prior.clone(), |it| element_of(&prior, it)))
        };
        let blocks: Vec<(&Value, Value)> = match value.content() {
            content
                if matches!(content, ValueContent::Unknown(_)) || value.marks().is_undecided() =>
            {
                return Outcome::unknown(&trail, value, nested.span);
            }
            ValueContent::Null => Vec::new(),
            ValueContent::Mapping(_) => vec![one(value, None)],
            ValueContent::Sequence(all) => {
                all.iter().enumerate().map(|(index, it)| one(it, Some(index))).collect()
            }
            _ => {
                let found = "a value that is not a block".to_owned();
                let help = format!("{0} is an argument: write {0} = V", nested.name);
                return Outcome::failed(&trail, found, nested.span).with_help(Some(&help));
            }
        };
        if self.quantifier == Quantifier::Any {
            return self.any_block(nested, place, &blocks, &trail);
        }
        // A nested block with `where` is about the blocks that pass it; there may be none.
        if blocks.is_empty() && nested.pattern.filter.is_none() {
            let mut outcome = Outcome::failed(&trail, "no such block".to_owned(), nested.span);
            let help = format!("write {} = list({{…}}) to allow none", nested.name);
            outcome.violations[0].help = Some(help);
            return outcome;
        }
        let is_list = matches!(value.content(), ValueContent::Sequence(_));
        let mut outcome = Outcome::PASS;
        for (index, (block, prior)) in blocks.iter().enumerate() {
            let trail = if is_list { trail.element(index) } else { trail };
            let around = Around { prior, parent: place.value, ..at.around };
            let at = LocatedValue { around, ..place.of(block) };
            outcome.add(self.narrowed(&nested.pattern, at, &trail));
        }
        outcome
    }

    /// Judges whether one of an argument's blocks, each with its value before, passes its `where` and matches
    /// the pattern.
    fn any_block(
        &mut self,
        nested: &NestedBlock,
        place: LocatedValue<'_>,
        blocks: &[(&Value, Value)],
        trail: &Trail<'_>,
    ) -> Outcome {
        let is_list = matches!(place.value.content(), ValueContent::Sequence(_));
        let mut doubts = Vec::new();
        for (index, (block, prior)) in blocks.iter().enumerate() {
            let trail = if is_list { trail.element(index) } else { *trail };
            let around = Around { prior, parent: place.value, ..place.around };
            let at = LocatedValue { around, ..place.of(block) };
            let outcome = self.matching(&nested.pattern, at, &trail, Quantifier::Any);
            if outcome.is_pass() {
                return outcome;
            }
            if !outcome.is_fail() {
                keep_some(&mut doubts, outcome.doubts);
            }
        }
        if doubts.is_empty() {
            return Outcome::failed(trail, "no such block".to_owned(), nested.span);
        }
        Outcome { violations: Vec::new(), doubts }
    }
}

/// The value with `new` in place of the one at a path inside it.
fn inserted(value: &Value, steps: &[Step], new: Value) -> Option<Value> {
    let Some((step, behind)) = steps.split_first() else { return Some(new) };
    let inside = match (value.content(), step) {
        (ValueContent::Mapping(all), Step::Attribute(name)) => {
            let mut all = BTreeMap::clone(all);
            let absent = Value::null(Type::Dynamic);
            let old = all.get(name).unwrap_or(&absent);
            let new = inserted(old, behind, new)?;
            all.insert(name.clone(), new);
            Value::object(all)
        }
        (ValueContent::Sequence(all), Step::Index(index)) => {
            let at = usize::try_from(index.as_number()?.to_u64()?).ok()?;
            let mut all = all.to_vec();
            all[at] = inserted(all.get(at)?, behind, new)?;
            Value::tuple(all)
        }
        _ => return None,
    };
    Some(inside.with_marks(value.marks()))
}

/// The doubts without duplicates: one for each value and validator.
pub(super) fn reasons(doubts: &[Doubt]) -> Vec<&Doubt> {
    let mut found: Vec<&Doubt> = Vec::new();
    for it in doubts {
        let is_same =
            |other: &&Doubt| other.at.visible() == it.at.visible() && other.span == it.span;
        if !found.iter().any(is_same) {
            found.push(it);
        }
    }
    found
}
