//! Rules tried with values that nobody gave: what a default, a null or an absent attribute does.

use super::{
    Judge, Setting,
    rule::{self, Rule},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, rules},
    eval::EvalHost,
    module::{Module, Values, Variable},
    value::Value,
};

/// What the variables are that a trial gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Their defaults, and typed unknowns where they have none.
    Defaults,
    /// Typed unknowns.
    Unknown,
}

/// A module whose rules are tried with values that nobody gave.
pub struct Probe<'a> {
    module: &'a Module,
    host: &'a EvalHost<'a>,
    values: Values<'a>,
    others: Others,
    exceeded: Diagnostics,
}

/// What a rule says of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// It holds, or what is unknown decides.
    Passes,
    /// It does not hold, whatever the unknown values are; the diagnostic is what a plan would say.
    Fails(Box<Diagnostic>),
    /// Its condition cannot be evaluated.
    Crashes(Diagnostics),
    /// The work is used up, which says nothing about the rule.
    Exceeds(Box<Diagnostic>),
}

impl<'a> Probe<'a> {
    /// `None` where a cycle keeps everything from being evaluated. `judge` is of the module, `host`
    /// of the setting.
    pub fn new(
        module: &'a Module,
        judge: &Judge,
        setting: Setting<'a>,
        host: &'a EvalHost<'a>,
        others: Others,
    ) -> Option<Probe<'a>> {
        judge.graph.as_ref().ok()?;
        let defaults = module.variables.iter().filter(|_| others == Others::Defaults);
        let defaults = defaults.filter_map(|(name, it)| Some((name.clone(), it.default.clone()?)));
        let values =
            Values::new(module, defaults.collect(), setting.workspace, host, setting.release);
        Some(Probe { module, host, values, others, exceeded: Vec::new() })
    }

    /// Tries the rule `index` of a variable with a value of its type. What depends on more than
    /// variables and locals passes.
    pub fn rule(&mut self, variable: &Variable, index: usize, value: Value) -> Trial {
        let Some(validation) = variable.validations.get(index) else { return Trial::Passes };
        self.host.begin(Some(validation.condition.span));
        self.values.set(variable, value);
        let sources = &self.module.sources;
        let rule = Rule { variable, validation, given: None, sources, is_static: false };
        let condition = rule::condition(&rule, &self.values);
        let trial = if condition.diagnostics.is_empty() {
            let found = rule::check_condition(&rule, &condition, &self.values);
            let first = found.into_iter().find(Diagnostic::is_error);
            first.map_or(Trial::Passes, |it| Trial::Fails(Box::new(it)))
        } else {
            Trial::Crashes(condition.diagnostics)
        };
        let trial = match trial {
            Trial::Fails(it) if it.rule == rules::BUDGET_EXCEEDED => Trial::Exceeds(it),
            Trial::Crashes(mut found) if found[0].rule == rules::BUDGET_EXCEEDED => {
                Trial::Exceeds(Box::new(rule::crashed(&rule, found.swap_remove(0))))
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
        trial
    }

    /// What there was too little work left for.
    pub fn into_exceeded(self) -> Diagnostics {
        self.exceeded
    }

    /// Whether the rule crashes for every value, so that no single one is to blame.
    pub fn always_crashes(&mut self, variable: &Variable, index: usize) -> bool {
        let unknown = Value::unknown(variable.constraint.ty.without_optional());
        matches!(self.rule(variable, index, unknown), Trial::Crashes(_))
    }
}
