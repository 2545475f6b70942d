//! Judges values: a validator and a value give pass, fail or undecided.
//!
//! Law: a decided outcome holds however the unknowns in the value and around it turn out. An unknown that may
//! be null is judged twice, as null and as not null, and is decided if both outcomes agree.

mod advice;
mod collections;
mod equality;
mod evaluate;
mod outcome;
mod texts;
mod trail;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    language::{Fallback, Names, Shape, Test, Valid, Validator, shape},
    links::Links,
};
use diagnostics::Span;
use evaluate::Truth;
use outcome::either;
use release::Release;
use smol_str::SmolStr;
use stack::guarded;
use system::DeniedSystem;
use tf_eval::Meter;
use tf_value::{Marks, Refinements, Type, Value};

pub(super) use advice::{LIST, NAME};
pub(super) use collections::{element_of, member_of};
pub(super) use outcome::keep_some;
pub(super) use trail::{Trail, found as shown, shortened};

pub use outcome::{Doubt, Outcome, ShownPath, Violation};

/// The names that a judgement may refer to, besides the value itself.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The value at this place before the plan; unknown if it is not known.
    pub prior: &'a Value,
    /// The object around.
    pub parent: &'a Value,
    /// The outermost object.
    pub attrs: &'a Value,
    /// The object `meta`; made on demand.
    pub meta: &'a dyn Fn() -> Value,
    /// Whether the rule reads `parent` or `attrs`. If not, these lack the defaults of members that were left
    /// out.
    pub is_asked: bool,
    /// The references of the object's values, if they can be judged here.
    pub links: Option<&'a dyn Links>,
}

impl<'a> Around<'a> {
    /// Surroundings that are completely unknown; `unknown` is an unknown value.
    pub(super) fn unknown(unknown: &'a Value) -> Around<'a> {
        let meta = &|| Value::unknown(Type::Dynamic);
        let (prior, parent, attrs) = (unknown, unknown, unknown);
        Around { prior, parent, attrs, meta, is_asked: true, links: None }
    }
}

/// A value in a rule that nothing here can equal.
#[derive(Clone, Debug)]
pub(super) enum Mistake {
    /// A number that is compared with a text and does not look as Terraform writes it: `1.30`.
    Number(SmolStr),
    /// A condition that is compared with this: `meta.name != "a"` with a text.
    Condition(&'static str),
    /// `deny` with single values, compared with this: a list.
    Deny(&'static str),
    /// In `forbid` or `where`, a validator for one kind of value, compared with another kind: `"a"` with a
    /// list.
    Never(&'static str),
}

/// Judges values; counts the work.
pub struct ValueJudge<'a> {
    pub names: &'a Names,
    pub meter: &'a Meter,
    /// Values in rules that nothing here can equal.
    pub(super) mistakes: RefCell<BTreeMap<Span, Mistake>>,
    /// Validators that met a value of their kind, so that they are about arguments of many types.
    pub(super) fits: RefCell<BTreeSet<Span>>,
    /// Whether all objects that are judged now have one type, and so have their arguments.
    pub(super) is_typed: Cell<bool>,
    /// For the header of each `where`: how often it was asked, and how often it did not fail.
    pub(super) wheres: RefCell<BTreeMap<Span, (usize, usize)>>,
    /// Whether the work limit ended a judgement early.
    pub(super) is_exceeded: Cell<bool>,
}

impl<'a> ValueJudge<'a> {
    pub(super) fn new(names: &'a Names, meter: &'a Meter) -> Self {
        ValueJudge {
            names,
            meter,
            mistakes: RefCell::default(),
            fits: RefCell::default(),
            is_typed: Cell::default(),
            wheres: RefCell::default(),
            is_exceeded: Cell::default(),
        }
    }

    /// The values in rules that nothing here can equal.
    pub(super) fn take_mistakes(&self) -> BTreeMap<Span, Mistake> {
        let (mut mistakes, fits) = (self.mistakes.take(), self.fits.borrow());
        mistakes.retain(|span, it| {
            !matches!(it, Mistake::Deny(_) | Mistake::Never(_)) || !fits.contains(span)
        });
        mistakes
    }

    /// Notes the answer of a `where`.
    pub(super) fn note_where(&self, span: Span, passes: bool) {
        let mut wheres = self.wheres.borrow_mut();
        let known = wheres.entry(span).or_default();
        *known = (known.0 + 1, known.1 + usize::from(passes));
    }
}

/// A value, where it is, and what is around it.
#[derive(Clone, Copy)]
pub(super) struct LocatedValue<'a> {
    pub value: &'a Value,
    pub around: Around<'a>,
    /// Whether something around the value is sensitive, and so the value is.
    pub is_hidden: bool,
}

impl<'a> LocatedValue<'a> {
    pub fn of(self, value: &'a Value) -> LocatedValue<'a> {
        let is_hidden = self.is_hidden || self.value.marks().is_hidden();
        LocatedValue { value, is_hidden, ..self }
    }
}

const TOO_MUCH: &str = "judging it exceeds the work limit";

impl ValueJudge<'_> {
    /// Judges a value by a validator.
    pub(super) fn judge(
        &self,
        validator: &Validator,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        if self.meter.spend(1).is_err() {
            self.is_exceeded.set(true);
            return Outcome::undecided(trail, TOO_MUCH.to_owned(), validator.span);
        }
        let value = at.value;
        let trail = &trail.hiding(at.is_hidden || value.marks().is_hidden());
        if value.is_known() && value.marks().is_undecided() {
            let unknown = Value::unknown(Type::Dynamic).with_marks(value.marks());
            return self.judge(validator, LocatedValue { value: &unknown, ..at }, trail);
        }
        if !value.is_known() && !is_not_null(value) {
            let some = not_null(value);
            let null = Value::null(value.ty().clone()).with_marks(value.marks());
            let of =
                |value: &Value| self.known_or_not(validator, LocatedValue { value, ..at }, trail);
            return either(of(&some), of(&null), trail, validator.span);
        }
        self.known_or_not(validator, at, trail)
    }

    /// Judges a value that is known to be null, or known not to be.
    fn known_or_not(
        &self,
        validator: &Validator,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
    ) -> Outcome {
        // These validators have none inside, so they need no guard of the stack.
        let mut outcome = match &validator.kind {
            Valid::Forbidden | Valid::Required | Valid::Equal(..) => {
                self.kind(validator, at, trail)
            }
            _ => guarded(|| self.kind(validator, at, trail)),
        };
        if outcome.is_fail() && !trail::is_hidden(at) {
            advice::add(&mut outcome, validator, at.value);
        }
        if let (Some(condition), true) = (&validator.condition, outcome.violations.is_empty()) {
            let fallback = match &validator.kind {
                Valid::Optional(_, Some(it)) if at.value.is_null() => Some(self.fallback(it, at)),
                _ => None,
            };
            let value = fallback.as_ref().unwrap_or(at.value);
            // A null that is allowed need not meet the condition.
            if value.is_null() && matches!(validator.kind, Valid::Optional(..) | Valid::Forbidden) {
                return outcome;
            }
            let at = LocatedValue { value, ..at };
            let author_message = || self.author_message(condition.error_message.as_ref(), at);
            let truth = self.truth(&condition.condition, at);
            outcome.add(Self::of_truth(truth, at, trail, validator.span, author_message));
        }
        outcome
    }

    fn kind(&self, validator: &Validator, at: LocatedValue<'_>, trail: &Trail<'_>) -> Outcome {
        let span = validator.span;
        let value = at.value;
        let fail = || Outcome::failed(trail, trail::found(at), span);
        match &validator.kind {
            Valid::Forbidden if value.is_null() => Outcome::PASS,
            Valid::Forbidden => fail(),
            Valid::Optional(_, None) if value.is_null() => Outcome::PASS,
            Valid::Optional(inner, Some(it)) if value.is_null() => {
                let fallback = self.fallback(it, at);
                if fallback.is_null() {
                    return Outcome::PASS;
                }
                self.judge(inner, LocatedValue { value: &fallback, ..at }, trail)
            }
            Valid::Optional(inner, _) => self.judge(inner, at, trail),
            Valid::Any(all) => self.any(all, at, trail, span),
            Valid::All(all) => {
                let mut outcome = Outcome::PASS;
                for it in all {
                    outcome.add(self.judge(it, at, trail));
                    outcome.thin_out();
                }
                outcome
            }
            Valid::If(test, then, otherwise) => {
                self.choice(test, [then, otherwise], at, trail, span)
            }
            _ if value.is_null() => Outcome::failed_null(trail, trail::found(at), span),
            Valid::Required => Outcome::PASS,
            Valid::Subject => match at.around.links {
                Some(links) => links.subject(value, &trail.path(), span).on(trail),
                None => Outcome::PASS,
            },
            Valid::Reference(target) => match at.around.links {
                Some(links) => links.reference(target, value, &trail.path(), span).on(trail),
                None => Outcome::unknown(trail, value, span),
            },
            Valid::Deny(all) => {
                // A list is never a text: `deny("0.0.0.0/0")` would accept every list.
                match collection(value) {
                    None if value.is_known() => _ = self.fits.borrow_mut().insert(span),
                    Some(kind)
                        if self.is_typed.get()
                            && all.iter().all(|it| shape::of(it) == Shape::Single) =>
                    {
                        self.mistakes.borrow_mut().insert(span, Mistake::Deny(kind));
                    }
                    _ => (),
                }
                self.deny(all, at, trail, span)
            }
            Valid::Equal(wanted, odd) => {
                if let (Some(text), Some(_)) = (odd, value.as_str()) {
                    self.mistakes.borrow_mut().insert(span, Mistake::Number(text.clone()));
                }
                equality::equal(wanted, at, trail, span)
            }
            Valid::EqualTo(expr) => match self.evaluate(expr, at) {
                Ok(wanted) => {
                    if let (Some(_), Some(kind)) = (wanted.as_bool(), no_bool(value)) {
                        self.mistakes.borrow_mut().insert(span, Mistake::Condition(kind));
                    }
                    equality::equal(&wanted, at, trail, span)
                }
                Err(why) => Self::of_truth(why, at, trail, span, || None),
            },
            Valid::Predicate(expr) => {
                Self::of_truth(self.truth(expr, at), at, trail, span, || None)
            }
            Valid::List { each, length } => self.list(each.as_ref(), length, at, trail, span),
            Valid::Map { each, keys, length } => {
                self.map(each.as_ref(), keys.as_ref(), length, at, trail, span)
            }
            Valid::Object { members, is_closed } => {
                self.object(members, *is_closed, at, trail, span)
            }
            Valid::Tuple(all) => self.tuple(all, at, trail, span),
            Valid::Some(inner) => self.some(inner, at, trail, span),
            Valid::Json(inner) => self.json(inner.as_ref(), at, trail, span),
            kind => match texts::is_valid(kind, value) {
                Some(true) => Outcome::PASS,
                Some(false) => {
                    let help = if trail::is_hidden(at) { None } else { texts::help(kind, value) };
                    fail().with_help(help.as_deref())
                }
                None => Outcome::unknown(trail, value, span),
            },
        }
    }

    fn any(
        &self,
        all: &[Arc<Validator>],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        // If one alternative certainly matches, the others are not judged and so report nothing.
        if all.iter().any(|it| equality::is_wanted(it, at.value)) {
            return Outcome::PASS;
        }
        let (mut doubts, mut is_broken) = (Vec::new(), false);
        for it in all {
            let outcome = self.judge(it, at, trail);
            if outcome.is_pass() {
                return Outcome::PASS;
            }
            if outcome.violations.is_empty() {
                outcome::keep_some(&mut doubts, outcome.doubts);
            } else {
                is_broken |= outcome.is_broken();
            }
        }
        if doubts.is_empty() {
            return Outcome::failed(trail, trail::found(at), span).broken_if(is_broken);
        }
        Outcome { violations: Vec::new(), doubts }
    }

    fn deny(
        &self,
        all: &[Arc<Validator>],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let mut doubts = Vec::new();
        for it in all {
            let outcome = self.judge(it, at, trail).softened();
            if outcome.is_pass() {
                return Outcome::failed(trail, trail::found(at), span);
            }
            if outcome.violations.is_empty() {
                outcome::keep_some(&mut doubts, outcome.doubts);
            }
        }
        Outcome { violations: Vec::new(), doubts }
    }

    fn choice(
        &self,
        test: &Test,
        [then, otherwise]: [&Arc<Validator>; 2],
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
    ) -> Outcome {
        let truth = match test {
            Test::Expr(expr) => self.truth(expr, at),
            Test::Matches(expr, validator) => match self.evaluate(expr, at) {
                Ok(value) => {
                    let outcome =
                        self.judge(validator, LocatedValue { value: &value, ..at }, trail);
                    match (outcome.violations.is_empty(), outcome.doubts.is_empty()) {
                        (true, true) => Truth::True,
                        (false, _) => Truth::False,
                        _ => Truth::Unknown(Vec::new()),
                    }
                }
                Err(why) => why,
            },
        };
        match truth {
            Truth::True => self.judge(then, at, trail),
            Truth::False => self.judge(otherwise, at, trail),
            Truth::Unknown(_) => {
                let [one, other] = [then, otherwise].map(|it| self.judge(it, at, trail));
                let outcome = either(one, other, trail, span);
                if outcome.is_pass() {
                    // Once its values are known, the condition may still fail to evaluate.
                    return Outcome::undecided(
                        trail,
                        "its condition is known after apply".into(),
                        span,
                    );
                }
                outcome
            }
            Truth::Failed(why) => Outcome::broken(trail, why, span),
        }
    }

    fn of_truth(
        truth: Truth,
        at: LocatedValue<'_>,
        trail: &Trail<'_>,
        span: Span,
        author_message: impl FnOnce() -> Option<String>,
    ) -> Outcome {
        match truth {
            Truth::True => Outcome::PASS,
            Truth::False => {
                let mut outcome = Outcome::failed(trail, trail::found(at), span);
                outcome.violations[0].author_message = author_message();
                outcome
            }
            Truth::Unknown(reasons) => {
                if reasons.is_empty() {
                    Outcome::undecided(trail, "something in it is known after apply".into(), span)
                } else {
                    Outcome::undecided(trail, reasons.join(", "), span)
                }
            }
            Truth::Failed(why) => Outcome::broken(trail, why, span),
        }
    }

    /// The value that a null counts as.
    pub(super) fn fallback(&self, it: &Fallback, at: LocatedValue<'_>) -> Value {
        match it {
            Fallback::Value(value) => value.clone(),
            Fallback::Expr(expr) => {
                self.evaluate(expr, at).unwrap_or_else(|_| Value::unknown(Type::Dynamic))
            }
        }
    }
}

/// What a value is, if it holds others.
pub(super) fn collection(value: &Value) -> Option<&'static str> {
    match value.content() {
        tf_value::ValueContent::Sequence(_) => Some("a list"),
        tf_value::ValueContent::Mapping(_) => Some("an object"),
        _ => None,
    }
}

/// What a known value is, if no bool can equal it.
fn no_bool(value: &Value) -> Option<&'static str> {
    use tf_value::ValueContent;
    let kind = match value.content() {
        ValueContent::String(_) => "a text",
        ValueContent::Number(_) => "a number",
        ValueContent::Sequence(_) => "a list",
        ValueContent::Mapping(_) => "an object",
        _ => return None,
    };
    tf_value::convert(value, &Type::Bool).is_err().then_some(kind)
}

/// Whether the value breaks the validator, whatever surrounds it.
pub(super) fn surely_fails(validator: &Validator, value: &Value, names: &Names) -> bool {
    let unknown = Value::unknown(Type::Dynamic);
    let around = Around::unknown(&unknown);
    let meter = Meter::default();
    let judge = ValueJudge::new(names, &meter);
    let at = LocatedValue { value, around, is_hidden: false };
    !value.is_null() && !judge.judge(validator, at, &Trail::START).violations.is_empty()
}

fn is_not_null(value: &Value) -> bool {
    value.refinements().is_some_and(|it| it.not_null)
}

/// The same unknown, known not to be null.
fn not_null(value: &Value) -> Value {
    let known = value.refinements().cloned().unwrap_or_default();
    value.clone().refined(Refinements { not_null: true, ..known })
}

/// Evaluations can use nothing of this machine.
const SYSTEM: DeniedSystem = DeniedSystem;
const RELEASE: Release = Release::NEWEST;

fn hidden(marks: Marks) -> bool {
    marks.is_hidden()
}
