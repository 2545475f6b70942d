//! The translation of a variable's `validation` blocks.

use super::{Constraint, Region, boolean, context::Context};
use crate::{
    diagnostic::{Diagnostic, Role},
    module::{Module, Variable},
};

/// How much of a condition a constraint carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fidelity {
    /// The constraint holds exactly where the condition does.
    Exact,
    /// The constraint holds wherever the condition does, and refuses some of the rest.
    Necessary,
    /// The constraint refuses nothing.
    Untranslated,
}

impl Fidelity {
    pub fn as_str(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Necessary => "necessary",
            Fidelity::Untranslated => "untranslated",
        }
    }
}

/// A `validation` block as a constraint on its variable's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// 0-based index of the block in its variable.
    pub validation: usize,
    /// The values for which the condition is true.
    pub region: Region,
}

impl Translation {
    pub fn fidelity(&self) -> Fidelity {
        match (self.region.is_exact(), &self.region.values) {
            (true, _) => Fidelity::Exact,
            (false, Constraint::Anything) => Fidelity::Untranslated,
            (false, _) => Fidelity::Necessary,
        }
    }

    /// The warning about what did not get through, with its place; `None` when all of it did.
    pub fn diagnostic(&self, variable: &Variable) -> Option<Diagnostic> {
        let name = &variable.name;
        let (rule, summary) = match self.fidelity() {
            Fidelity::Exact => return None,
            Fidelity::Necessary => (
                "weakened-validation",
                format!("Only part of a validation rule of \"{name}\" is in the schema"),
            ),
            Fidelity::Untranslated => (
                "untranslated-validation",
                format!("A validation rule of \"{name}\" is not in the schema"),
            ),
        };
        let reasons: Vec<&str> = self.region.losses.iter().map(|it| it.reason.as_str()).collect();
        let detail = format!("It has no translation for {}.", reasons.join(", nor for "));
        let mut diagnostic = Diagnostic::warning(rule, summary)
            .detail(detail)
            .variable(name.clone())
            .validation(self.validation);
        for loss in &self.region.losses {
            diagnostic = diagnostic.at(Role::Rule, loss.span);
        }
        Some(diagnostic)
    }
}

/// Translates every `validation` block of a variable, in their order.
pub fn translate(module: &Module, variable: &Variable) -> Vec<Translation> {
    let context = Context::new(module, variable);
    let blocks = variable.validations.iter().enumerate();
    let translation = |(validation, block): (usize, &crate::module::Validation)| Translation {
        validation,
        region: boolean::truth(&block.condition, context).when_true,
    };
    blocks.map(translation).collect()
}
