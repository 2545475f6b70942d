//! What the functions may use: the file system, templates, a bound on work.

use std::{cell::Cell, path::Path, time::SystemTime};

use super::render::render;
use crate::{
    functions::{Failure, Host},
    system::System,
    value::Value,
    version::Version,
};

/// Units of work of one evaluation, of about a quarter of a microsecond each. Far beyond what a
/// module that Terraform can work with needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Budget(4_000_000)
    }
}

/// The host of ordinary evaluations.
pub struct EvalHost<'a> {
    system: &'a dyn System,
    base_dir: &'a Path,
    version: Version,
    budget: Budget,
    left: Cell<u64>,
    plan_time: Option<SystemTime>,
    is_console: bool,
    /// Something asked when the plan is made.
    is_timed: Cell<bool>,
    /// A template is being rendered; templates do not nest.
    rendering: Cell<bool>,
}

impl<'a> EvalHost<'a> {
    /// `base_dir`: where relative paths of file functions start.
    pub fn new(
        system: &'a dyn System,
        base_dir: &'a (impl AsRef<Path> + ?Sized),
        version: Version,
    ) -> Self {
        let budget = Budget::default();
        EvalHost {
            system,
            base_dir: base_dir.as_ref(),
            version,
            budget,
            left: Cell::new(budget.0),
            plan_time: None,
            is_console: false,
            is_timed: Cell::new(false),
            rendering: Cell::new(false),
        }
    }

    /// Evaluates as in a plan that is made then.
    pub fn at(self, time: SystemTime) -> Self {
        EvalHost { plan_time: Some(time), ..self }
    }

    /// Evaluates as a console does, where `timestamp`, `uuid` and `bcrypt` give values.
    pub fn as_console(self) -> Self {
        EvalHost { is_console: true, ..self }
    }

    /// Whether anything so far depended on when the plan is made.
    pub fn is_timed(&self) -> bool {
        self.is_timed.get()
    }

    pub fn with_budget(self, budget: Budget) -> Self {
        EvalHost { budget, left: Cell::new(budget.0), ..self }
    }

    /// Gives the whole budget back: to be called between independent evaluations.
    pub fn refill(&self) {
        self.left.set(self.budget.0);
    }
}

impl Host for EvalHost<'_> {
    fn system(&self) -> &dyn System {
        self.system
    }

    fn base_dir(&self) -> &Path {
        self.base_dir
    }

    fn render_template(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        if self.rendering.replace(true) {
            let message = "a template cannot call templatefile or templatestring itself";
            return Err(Failure::call(message));
        }
        let result = render(name, text, variables, self, self.version);
        self.rendering.set(false);
        result
    }

    fn plan_time(&self) -> Option<SystemTime> {
        self.is_timed.set(true);
        self.plan_time
    }

    fn is_console(&self) -> bool {
        self.is_console
    }

    fn spend(&self, units: u64) -> Result<(), Failure> {
        let left = self.left.get().checked_sub(units);
        self.left.set(left.unwrap_or(0));
        left.map(drop).ok_or_else(|| {
            Failure::Budget("the evaluation takes too much work or memory".to_string())
        })
    }
}
