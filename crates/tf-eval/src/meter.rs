//! Counts work against nested bounds: of an evaluation, of a rule with all its inputs, of a module.
//!
//! Work is counted in units of about a tenth of a microsecond: a step, an element, sixteen bytes. A
//! clock is never read, so that a verdict is the same on every machine.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use foldhash::HashMap;

use diagnostics::{Bound, Span};
use stack::checkpoint;

/// The units of work of one evaluation: far more than any module that Terraform can work with needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Budget(8_000_000)
    }
}

/// The bounds of a run and of everything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub evaluation: u64,
    /// The bound of a rule, a local or an output with all inputs.
    pub rule: u64,
    pub module: u64,
    pub run: u64,
}

impl Limits {
    /// The bounds in a run of `units`: an evaluation may take an eighteenth of it, a rule two, a module
    /// four.
    pub const fn of_run(units: u64) -> Limits {
        let part = units.div_ceil(18);
        let [rule, module] = [part.saturating_mul(2), part.saturating_mul(4)];
        Limits { evaluation: part, rule, module, run: units }
    }

    /// The bound of a run over `modules` modules. Each adds a little more than it takes on average, so
    /// that any number of ordinary modules fits.
    pub fn run_over(self, modules: usize) -> u64 {
        let allowance = (self.run / 14_400).saturating_mul(modules as u64);
        self.run.saturating_add(allowance)
    }

    /// The lower of these bounds and `units`.
    pub fn at_most(self, units: u64) -> Limits {
        if units < self.run { Limits::of_run(units) } else { self }
    }

    /// The bounds of a configuration file, which holds constants and patterns.
    pub const CONFIGURATION: Limits = Limits::of_run(9_000_000);

    /// Bounds for single evaluations only.
    const fn of_evaluations(Budget(evaluation): Budget) -> Limits {
        Limits { evaluation, rule: u64::MAX, module: u64::MAX, run: u64::MAX }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::of_run(18 * Budget::default().0)
    }
}

/// Counts the work of one module; clones share the count.
#[derive(Clone, Debug)]
pub struct Meter(Rc<State>);

#[derive(Clone, Debug)]
struct State {
    limits: Limits,
    /// The work of the module so far.
    spent: Cell<u64>,
    /// The count when the current evaluation began.
    begun: Cell<u64>,
    /// The units left to the current evaluation.
    left: Cell<u64>,
    /// The nearest bound around the current evaluation.
    nearest: Cell<Bound>,
    /// The current rule.
    rule: Cell<Option<Span>>,
    /// The units that each rule spent before the current evaluation.
    rules: RefCell<HashMap<Span, u64>>,
    is_exhausted: Cell<bool>,
}

/// What some work charged to a meter.
#[derive(Clone, Debug, Default)]
pub struct MeteredWork {
    units: u64,
    /// The part that rules spent.
    rules: Vec<(Span, u64)>,
}

/// A meter that gives every evaluation its budget, without a bound for all together.
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

    /// Another meter with the same count. From now on they count apart.
    pub fn forked(&self) -> Meter {
        self.begin(None);
        Meter(Rc::new((*self.0).clone()))
    }

    /// Begins an independent evaluation, as part of those of `rule`; ends the one before.
    pub fn begin(&self, rule: Option<Span>) {
        self.begin_within(self.0.limits.evaluation, rule);
    }

    /// Like [`begin`](Meter::begin), with a budget of its own that no flag changes: for results that
    /// must be the same in every run.
    pub fn begin_fixed(&self, Budget(units): Budget) {
        self.begin_within(units, None);
    }

    fn begin_within(&self, units: u64, rule: Option<Span>) {
        checkpoint();
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

    /// Charges work to the current evaluation. Errors: the bound that is reached.
    pub fn spend(&self, units: u64) -> Result<(), Bound> {
        let it = &*self.0;
        let left = it.left.get();
        let (before, after) = (it.spent.get(), it.spent.get() + units.min(left));
        if before / PAUSE != after / PAUSE {
            checkpoint();
        }
        it.spent.set(after);
        it.left.set(left.saturating_sub(units));
        if units <= left {
            return Ok(());
        }
        let nearest = it.nearest.get();
        it.is_exhausted.set(it.is_exhausted.get() || nearest == Bound::Module);
        Err(nearest)
    }

    /// Charges work outside of evaluations; returns whether the module has any left.
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

    /// [`charge`](Meter::charge) for reading or writing a text.
    pub fn charge_text(&self, bytes: usize) -> bool {
        self.charge(bytes as u64 / TEXT)
    }

    /// Whether this much work stays below every bound, however it is divided into evaluations.
    pub fn has_room(&self, units: u64) -> bool {
        let Limits { evaluation, rule, module, .. } = self.0.limits;
        units <= evaluation.min(rule).min(module - self.spent())
    }

    /// Does some work and notes what it charged, for [`replay`](Meter::replay).
    pub fn noting<T>(&self, work: impl FnOnce() -> T) -> (T, MeteredWork) {
        self.begin(None);
        let (spent, rules) = (self.spent(), self.0.rules.borrow().clone());
        let result = work();
        self.begin(None);
        let of_rules = self.0.rules.borrow();
        let of_rules =
            of_rules.iter().map(|(rule, it)| (*rule, it - rules.get(rule).unwrap_or(&0)));
        let rules = of_rules.filter(|it| it.1 > 0).collect();
        (result, MeteredWork { units: self.spent() - spent, rules })
    }

    /// Charges work that was noted before, as if it were done again. Returns `false` and charges nothing where it might
    /// reach a bound.
    pub fn replay(&self, work: &MeteredWork) -> bool {
        let has_room = self.has_room(work.units) && self.charge(work.units);
        if has_room {
            let mut rules = self.0.rules.borrow_mut();
            work.rules.iter().for_each(|(rule, it)| *rules.entry(*rule).or_default() += it);
        }
        has_room
    }

    /// Whether the module's work is used up, so that nothing more can be judged.
    pub fn is_exhausted(&self) -> bool {
        self.0.is_exhausted.get()
    }

    /// The work so far, never more than the bound of a module.
    pub fn spent(&self) -> u64 {
        self.0.spent.get()
    }

    /// The work of the most expensive rule.
    pub fn most_of_a_rule(&self) -> u64 {
        self.begin(None);
        self.0.rules.borrow().values().copied().max().unwrap_or(0)
    }
}

/// The bytes of text that are parsed in one unit of work.
const TEXT: u64 = 8;

/// An evaluation can be interrupted once in so many units of work.
const PAUSE: u64 = 1 << 14;
