//! Counted work and its nested bounds: an evaluation, a rule with all its inputs, a module.
//!
//! Work is counted in units of about a tenth of a microsecond: a step, an element, sixteen bytes.
//! Nothing here looks at a clock, so that a verdict is the same on every machine.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use foldhash::HashMap;

use crate::diagnostic::{Bound, Span};

/// Units of work of one evaluation. Far beyond what a module that Terraform can work with needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Budget(8_000_000)
    }
}

/// The bounds of a run and of everything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    pub evaluation: u64,
    /// A rule, a local or an output with all inputs.
    pub rule: u64,
    pub module: u64,
    pub run: u64,
}

impl Limits {
    /// The bounds in a run of so many units: an evaluation may take an eighteenth of it, a rule two,
    /// a module four.
    pub const fn of_run(units: u64) -> Limits {
        let part = units.div_ceil(18);
        let [rule, module] = [part.saturating_mul(2), part.saturating_mul(4)];
        Limits { evaluation: part, rule, module, run: units }
    }

    /// The bound of a run over so many modules. Each adds a little, more than it takes on average,
    /// so that no number of ordinary modules is too much.
    pub fn run_over(self, modules: usize) -> u64 {
        let allowance = (self.run / 14_400).saturating_mul(modules as u64);
        self.run.saturating_add(allowance)
    }

    /// Whatever is lower.
    pub fn at_most(self, units: u64) -> Limits {
        if units < self.run { Limits::of_run(units) } else { self }
    }

    /// A configuration file: a few constants.
    pub const CONFIGURATION: Limits = Limits::of_run(900_000);

    /// Only single evaluations are bounded.
    const fn of_evaluations(Budget(evaluation): Budget) -> Limits {
        Limits { evaluation, rule: u64::MAX, module: u64::MAX, run: u64::MAX }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::of_run(18 * Budget::default().0)
    }
}

/// Counts the work of one module; clones count together.
#[derive(Clone, Debug)]
pub struct Meter(Rc<State>);

#[derive(Clone, Debug)]
struct State {
    limits: Limits,
    /// The work of the module so far.
    spent: Cell<u64>,
    /// Where the count stood when the evaluation under way began.
    begun: Cell<u64>,
    /// What is left to the evaluation under way.
    left: Cell<u64>,
    /// The nearest of the bounds around the evaluation under way.
    nearest: Cell<Bound>,
    /// The rule under way.
    rule: Cell<Option<Span>>,
    /// What each rule spent before the evaluation under way.
    rules: RefCell<HashMap<Span, u64>>,
    is_exhausted: Cell<bool>,
}

/// Every evaluation has its budget, and there may be any number of them.
impl Default for Meter {
    fn default() -> Self {
        Budget::default().into()
    }
}

impl From<Limits> for Meter {
    fn from(limits: Limits) -> Self {
        Meter::new(limits)
    }
}

impl From<Budget> for Meter {
    fn from(budget: Budget) -> Self {
        Meter::new(Limits::of_evaluations(budget))
    }
}

impl Meter {
    pub fn new(limits: Limits) -> Meter {
        let meter = Meter(Rc::new(State {
            limits,
            spent: Cell::default(),
            begun: Cell::default(),
            left: Cell::default(),
            nearest: Cell::new(Bound::Evaluation),
            rule: Cell::default(),
            rules: RefCell::default(),
            is_exhausted: Cell::default(),
        }));
        meter.begin(None);
        meter
    }

    /// Another meter that stands where this one does. They count apart from now on.
    pub fn forked(&self) -> Meter {
        self.begin(None);
        Meter(Rc::new((*self.0).clone()))
    }

    /// Begins an independent evaluation, as part of all those of a rule. What was evaluated before
    /// is over.
    pub fn begin(&self, rule: Option<Span>) {
        self.begin_within(self.0.limits.evaluation, rule);
    }

    /// [`begin`](Meter::begin) with a budget of its own, that no flag changes: for what must come out the
    /// same in every run.
    pub fn begin_fixed(&self, Budget(units): Budget) {
        self.begin_within(units, None);
    }

    fn begin_within(&self, units: u64, rule: Option<Span>) {
        let it = &*self.0;
        let mut rules = it.rules.borrow_mut();
        if let Some(before) = it.rule.replace(rule) {
            *rules.entry(before).or_default() += it.spent.get() - it.begun.get();
        }
        it.begun.set(it.spent.get());
        let of_rule = rule.and_then(|it| rules.get(&it)).copied().unwrap_or(0);
        let (mut left, mut nearest) = (units, Bound::Evaluation);
        for (bound, limit, spent) in [
            (Bound::Rule, it.limits.rule, of_rule),
            (Bound::Module, it.limits.module, it.spent.get()),
        ] {
            if limit.saturating_sub(spent) < left {
                (left, nearest) = (limit.saturating_sub(spent), bound);
            }
        }
        it.left.set(left);
        it.nearest.set(nearest);
    }

    /// Counts work of the evaluation under way. Errors: the bound that is reached.
    pub fn spend(&self, units: u64) -> Result<(), Bound> {
        let it = &*self.0;
        let left = it.left.get();
        it.spent.set(it.spent.get() + units.min(left));
        it.left.set(left.saturating_sub(units));
        if units <= left {
            return Ok(());
        }
        let nearest = it.nearest.get();
        it.is_exhausted.set(it.is_exhausted.get() || nearest == Bound::Module);
        Err(nearest)
    }

    /// Counts work that belongs to no evaluation. Whether the module has any left.
    pub fn charge(&self, units: u64) -> bool {
        let it = &*self.0;
        let left = it.limits.module - it.spent.get();
        self.begin(None);
        it.spent.set(it.spent.get() + units.min(left));
        it.begun.set(it.spent.get());
        if units > left {
            it.is_exhausted.set(true);
        }
        !it.is_exhausted.get()
    }

    /// [`charge`](Meter::charge) for a text that is read or written.
    pub fn charge_text(&self, bytes: usize) -> bool {
        self.charge(bytes as u64 / TEXT)
    }

    /// Whether so much work reaches no bound, however it is divided into evaluations.
    pub fn has_room(&self, units: u64) -> bool {
        let Limits { evaluation, rule, module, .. } = self.0.limits;
        units <= evaluation.min(rule).min(module - self.spent())
    }

    /// Whether the module's work is used up: what was not judged by now cannot be.
    pub fn is_exhausted(&self) -> bool {
        self.0.is_exhausted.get()
    }

    /// The work so far, never more than the bound of a module.
    pub fn spent(&self) -> u64 {
        self.0.spent.get()
    }

    /// The work of the rule that took most of it.
    pub fn most_of_a_rule(&self) -> u64 {
        self.begin(None);
        self.0.rules.borrow().values().copied().max().unwrap_or(0)
    }
}

/// Bytes of a text that are parsed for a unit of work.
const TEXT: u64 = 8;
