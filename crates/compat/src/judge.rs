//! Judges arguments by the evaluator under both contracts.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    contract::ModuleContract,
    findings::Witness,
    reduce,
    types::{Lost, lost},
};
use diagnostics::Diagnostic;
use module::Variable;
use smol_str::SmolStr;
use tf_value::Value;
use verdict::ArgumentsVerdict;

/// Arguments by name.
pub type Arguments = BTreeMap<SmolStr, Value>;

/// The effect of a change on arguments that were accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They are refused now, with this message; by a rule, if there is an index.
    Refused {
        variable: Option<SmolStr>,
        validation: Option<usize>,
        message: String,
    },
    Lost {
        variable: SmolStr,
        what: Lost,
    },
}

/// The variable or rule that an effect must be about.
#[derive(Clone, Copy, Debug)]
pub enum EffectSubject<'n> {
    /// A variable's own value: its type, a null, its presence.
    Value(&'n str),
    Rule(&'n str, Option<usize>),
}

impl EffectSubject<'_> {
    fn is_of(self, effect: &Effect) -> bool {
        match (self, effect) {
            (EffectSubject::Value(name), Effect::Refused { variable, validation: None, .. }) => {
                variable.as_deref() == Some(name)
            }
            (EffectSubject::Value(name), Effect::Lost { variable, .. }) => variable == name,
            (EffectSubject::Rule(name, index), Effect::Refused { variable, validation, .. }) => {
                variable.as_deref() == Some(name) && *validation == index
            }
            _ => false,
        }
    }
}

/// Both contracts, and the values that the new one needs in addition to the old arguments.
pub struct Both<'p, 'a> {
    pub base: &'p ModuleContract<'a>,
    pub head: &'p ModuleContract<'a>,
    /// Values for variables that the new contract requires and the old one does not.
    pub fill: Arguments,
}

impl Both<'_, '_> {
    /// The effects of the new contract on arguments; `None` if the old contract does not accept them, or that
    /// is not known. New required variables are filled in and removed ones left out, unless one of them is the
    /// subject.
    pub fn effects(
        &self,
        arguments: &Arguments,
        subject: EffectSubject<'_>,
    ) -> Option<Vec<Effect>> {
        let ArgumentsVerdict::Accepts(before) = self.base.judge(arguments) else { return None };
        let is_subject = |name: &str| matches!(subject, EffectSubject::Value(it) if it == name);
        let mut now = arguments.clone();
        now.retain(|name, _| is_subject(name) || self.head.variable(name).is_some());
        for (name, value) in &self.fill {
            if !is_subject(name) && !now.contains_key(name) {
                now.insert(name.clone(), value.clone());
            }
        }
        match self.head.judge(&now) {
            ArgumentsVerdict::Refuses(problems) => {
                let hides = now.keys().any(|it| self.is_hidden(it));
                let refused = |it: Diagnostic| Effect::Refused {
                    message: if hides { String::new() } else { it.message() },
                    validation: it.validation,
                    variable: it.variable,
                };
                Some(problems.into_iter().map(refused).collect())
            }
            ArgumentsVerdict::Accepts(after) => {
                let lost = arguments.iter().filter_map(|(name, written)| {
                    let what = lost(written, before.get(name)?, after.get(name)?, "")?;
                    Some(Effect::Lost { variable: name.clone(), what })
                });
                Some(lost.collect())
            }
            ArgumentsVerdict::Undecided(_) => None,
        }
    }

    /// The effect that is about the subject.
    pub fn effect(&self, arguments: &Arguments, subject: EffectSubject<'_>) -> Option<Effect> {
        self.effects(arguments, subject)?.into_iter().find(|it| subject.is_of(it))
    }

    /// Leaves out of the arguments what the effect does not need, and makes the rest readable. The effect stays of
    /// its kind.
    pub fn reduced(&self, arguments: Arguments, subject: EffectSubject<'_>) -> Arguments {
        let kind = |it: &Arguments| Some(std::mem::discriminant(&self.effect(it, subject)?));
        let Some(wanted) = kind(&arguments) else { return arguments };
        let is_good = |it: &Arguments| kind(it) == Some(wanted);
        // Without an argument that the old contract requires it accepts nothing.
        let is_required = |it: &str| self.base.variable(it).is_some_and(Variable::is_required);
        reduce::readable(reduce::smaller(arguments, &is_required, &is_good), &is_good)
    }

    fn is_hidden(&self, name: &str) -> bool {
        let is_hidden =
            |it: &&ModuleContract<'_>| it.variable(name).is_some_and(Variable::is_hidden);
        [self.base, self.head].iter().any(is_hidden)
    }

    /// The arguments with the effect on them, in words.
    pub fn witness(&self, arguments: Arguments, effect: &Effect) -> Witness {
        let outcome = match effect {
            Effect::Refused { message, .. } if message.is_empty() => {
                "was accepted before and is now rejected".to_owned()
            }
            Effect::Refused { message, .. } => {
                format!("was accepted before and is now rejected: {message}")
            }
            Effect::Lost { variable, what } => {
                let (what, path) = what.words();
                format!("is accepted before and after, but {what} ({variable}{path})")
            }
        };
        let hidden: BTreeSet<SmolStr> =
            arguments.keys().filter(|it| self.is_hidden(it)).cloned().collect();
        Witness { arguments, hidden, count: false, outcome }
    }
}
