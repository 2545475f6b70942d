//! Judges arguments by the evaluator under both contracts.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use foldhash::HashMap;

use super::{
    contract::ModuleContract,
    findings::Witness,
    reduce,
    space::rule_names,
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
    pub fn is_of(self, effect: &Effect) -> bool {
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
    /// The variables that rules of either contract connect with a variable.
    near: OnceCell<HashMap<SmolStr, BTreeSet<SmolStr>>>,
}

/// So many arguments are made small together. Of more, only those that the subject has to do with are, if these are not
/// many, too.
pub const FEW: usize = 40;

impl<'p, 'a> Both<'p, 'a> {
    pub fn new(
        base: &'p ModuleContract<'a>,
        head: &'p ModuleContract<'a>,
        fill: Arguments,
    ) -> Both<'p, 'a> {
        Both { base, head, fill, near: OnceCell::new() }
    }
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
        self.effects_of(None, arguments, subject)
    }

    /// Like [`Both::effects`], by these variables alone.
    pub fn effects_of(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        arguments: &Arguments,
        subject: EffectSubject<'_>,
    ) -> Option<Vec<Effect>> {
        let ArgumentsVerdict::Accepts(before) = self.base.judge_of(only, arguments) else {
            return None;
        };
        let is_subject = |name: &str| matches!(subject, EffectSubject::Value(it) if it == name);
        let mut now = arguments.clone();
        now.retain(|name, _| is_subject(name) || self.head.variable(name).is_some());
        for (name, value) in &self.fill {
            let is_judged = only.is_none_or(|it| it.contains(name));
            if is_judged && !is_subject(name) && !now.contains_key(name) {
                now.insert(name.clone(), value.clone());
            }
        }
        match self.head.judge_of(only, &now) {
            ArgumentsVerdict::Refuses(problems) => Some(self.refused(&now, problems)),
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

    /// The effects of the new contract on accepted arguments to which nothing is added: it refuses them for each
    /// variable that it requires in addition.
    pub fn effects_of_lacking(&self, arguments: &Arguments) -> Option<Vec<Effect>> {
        let mut now = arguments.clone();
        now.retain(|name, _| self.head.variable(name).is_some());
        match self.head.judge(&now) {
            ArgumentsVerdict::Refuses(problems) => Some(self.refused(&now, problems)),
            _ => None,
        }
    }

    fn refused(&self, arguments: &Arguments, problems: Vec<Diagnostic>) -> Vec<Effect> {
        let hides = arguments.keys().any(|it| self.is_hidden(it));
        let refused = |it: Diagnostic| Effect::Refused {
            message: if hides { String::new() } else { it.message() },
            validation: it.validation,
            variable: it.variable,
        };
        problems.into_iter().map(refused).collect()
    }

    /// The effect that is about the subject.
    pub fn effect(&self, arguments: &Arguments, subject: EffectSubject<'_>) -> Option<Effect> {
        self.effects(arguments, subject)?.into_iter().find(|it| subject.is_of(it))
    }

    /// Leaves out of the arguments what the effect does not need, and makes the rest readable. The effect stays of
    /// its kind.
    pub fn reduced(&self, arguments: Arguments, subject: EffectSubject<'_>) -> Arguments {
        if arguments.len() <= FEW {
            return self.reduced_of(None, arguments, subject);
        }
        // Judging all of them for each try would take too long.
        let group = self.group_of(subject);
        if group.len() > FEW {
            return arguments;
        }
        let (own, mut all): (Arguments, Arguments) =
            arguments.into_iter().partition(|it| group.contains(&it.0));
        all.extend(self.reduced_of(Some(&group), own, subject));
        all
    }

    pub fn reduced_of(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        arguments: Arguments,
        subject: EffectSubject<'_>,
    ) -> Arguments {
        let kind = |arguments: &Arguments| {
            let mut effects = self.effects_of(only, arguments, subject)?.into_iter();
            Some(std::mem::discriminant(&effects.find(|it| subject.is_of(it))?))
        };
        let Some(wanted) = kind(&arguments) else { return arguments };
        let is_good = |it: &Arguments| kind(it) == Some(wanted);
        // Without an argument that the old contract requires it accepts nothing.
        let is_required = |it: &str| self.base.variable(it).is_some_and(Variable::is_required);
        reduce::readable(reduce::smaller(arguments, &is_required, &is_good), &is_good)
    }

    /// The variable of the subject, and all that rules connect with it in either contract.
    pub fn group_of(&self, subject: EffectSubject<'_>) -> BTreeSet<SmolStr> {
        let (EffectSubject::Value(name) | EffectSubject::Rule(name, _)) = subject;
        let near = self.near.get_or_init(|| {
            let mut near: HashMap<SmolStr, BTreeSet<SmolStr>> = HashMap::default();
            for contract in [self.base, self.head] {
                for variable in contract.module.variables.values() {
                    for at in 0..variable.validations.len() {
                        let read = rule_names(contract, variable, at);
                        for name in &read {
                            let own = near.entry(variable.name.clone()).or_default();
                            own.insert(name.clone());
                            near.entry(name.clone()).or_default().insert(variable.name.clone());
                        }
                    }
                }
            }
            near
        });
        let (mut group, mut next) = (BTreeSet::new(), vec![SmolStr::new(name)]);
        while let Some(name) = next.pop() {
            if group.len() <= FEW && group.insert(name.clone()) {
                next.extend(near.get(&name).into_iter().flatten().cloned());
            }
        }
        group
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
