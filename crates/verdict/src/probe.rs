//! Rules tried with values that nobody gave: what a default, a null or an absent attribute does.

use super::{
    JudgeSetting,
    validation::{JudgedValidation, ValidationJudge},
};
use diagnostics::{Diagnostic, Diagnostics, lints};
use module::{Module, Values, Variable};
use tf_eval::EvalHost;
use tf_value::Value;

/// The values of the variables to which a trial gives none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Their defaults, and typed unknowns where they have none.
    Defaults,
    /// Typed unknowns.
    Unknown,
}

/// A module whose rules are tried with values that nobody gave.
pub struct Probe<'a> {
    judge: ValidationJudge<'a>,
    values: Values<'a>,
    others: Others,
    exceeded: Diagnostics,
}

/// The result of trying a rule with a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// The rule accepts the value, or unknown values decide.
    Passes,
    /// The rule refuses the value, whatever the unknown values are; the diagnostic is the plan's.
    Fails(Box<Diagnostic>),
    /// Its condition cannot be evaluated.
    Crashes(Diagnostics),
    /// The budget is exhausted, which says nothing about the rule.
    Exceeds(Box<Diagnostic>),
}

impl<'a> Probe<'a> {
    /// `host` belongs to the setting. What is part of a cycle is unknown.
    pub fn new(
        module: &'a Module,
        setting: JudgeSetting<'a>,
        host: &'a EvalHost<'a>,
        others: Others,
    ) -> Probe<'a> {
        let defaults = module.variables.iter().filter(|_| others == Others::Defaults);
        let defaults = defaults.filter_map(|(name, it)| Some((name.clone(), it.default.clone()?)));
        let values =
            Values::new(module, defaults.collect(), setting.workspace, host, setting.release);
        Probe { judge: ValidationJudge::new(module, host), values, others, exceeded: Vec::new() }
    }

    /// Tries the rule `index` of a variable with a value of its type. A rule that reads more than
    /// variables and locals passes.
    pub fn rule(&mut self, variable: &Variable, index: usize, value: Value) -> Trial {
        let trial = self.with(variable, index, value, |judged| {
            if !judged.crash().is_empty() {
                return Trial::Crashes(judged.crash().clone());
            }
            judged.refusal().map_or(Trial::Passes, |it| Trial::Fails(Box::new(it)))
        });
        trial.unwrap_or(Trial::Passes)
    }

    /// The error of the condition of the rule `index` for a value of the variable's type, if the
    /// condition cannot be evaluated. Like [`Probe::rule`], but ignores the condition's result and the
    /// message.
    pub fn crash(
        &mut self,
        variable: &Variable,
        index: usize,
        value: Value,
    ) -> Option<Diagnostics> {
        let trial = self.with(variable, index, value, |judged| match judged.crash() {
            found if found.is_empty() => Trial::Passes,
            found => Trial::Crashes(found.clone()),
        });
        if let Some(Trial::Crashes(found)) = trial { Some(found) } else { None }
    }

    /// The diagnostics of a rule's condition while the variable has the value; `None` if there is no
    /// such rule.
    fn with(
        &mut self,
        variable: &Variable,
        index: usize,
        value: Value,
        say: impl FnOnce(&JudgedValidation<'_, '_>) -> Trial,
    ) -> Option<Trial> {
        let validation = variable.validations.get(index)?;
        self.values.set(variable, value);
        let judged = self.judge.judge(variable, validation, None, &self.values);
        let trial = match say(&judged) {
            Trial::Fails(it) if it.rule == lints::BUDGET_EXCEEDED => Trial::Exceeds(it),
            Trial::Crashes(mut found) if found[0].rule == lints::BUDGET_EXCEEDED => {
                Trial::Exceeds(Box::new(judged.as_reported(found.swap_remove(0))))
            }
            other => other,
        };
        if let Trial::Exceeds(it) = &trial {
            self.exceeded.push((**it).clone());
        }
        match self.others {
            Others::Defaults => self.values.reset(variable),
            Others::Unknown => self.values.forget(&variable.name),
        }
        Some(trial)
    }

    /// The findings about parts that exceeded the budget.
    pub fn into_exceeded(self) -> Diagnostics {
        self.exceeded
    }

    /// Whether the rule crashes for every value, so that no single one is to blame.
    pub fn always_crashes(&mut self, variable: &Variable, index: usize) -> bool {
        let unknown = Value::unknown(variable.constraint.ty.without_optional());
        self.crash(variable, index, unknown).is_some()
    }
}
