//! The search for arguments that show what breaks.

use std::collections::BTreeSet;

use crate::{
    contract::ModuleContract,
    guesses::Guesses,
    inclusion::{Inclusion, InclusionAnswer, Wants},
    judge::{Arguments, Effect, EffectSubject, FEW as FEW_ARGUMENTS},
    modes::Mode,
    space::{Space, members, rule_names},
    types::respelled,
};
use module::Variable;
use projection::sets::{Alternative, ConstraintRoot, contains};
use smol_str::SmolStr;
use tf_value::{Type, Value};

/// The most arguments that are tried for one rule.
const TRIES: usize = 120;

/// How many arguments are guessed for one rule.
const GUESSES: usize = 600;

/// How many values of each alternative are tried first; and how many alternatives, where any arguments will do.
const FEW: usize = 3;

/// The variables, by what a combination of modes says about them.
struct Given {
    fixed: Arguments,
    absent: Vec<SmolStr>,
    /// The variables whose values are sought.
    free: Vec<SmolStr>,
}

impl Given {
    fn of(combination: &[(&SmolStr, &Mode)]) -> Given {
        let (mut fixed, mut absent, mut free) = (Arguments::new(), Vec::new(), Vec::new());
        for (name, mode) in combination {
            match mode {
                Mode::Fixed { written: Some(value), .. } => {
                    fixed.insert((*name).clone(), value.clone());
                }
                Mode::Fixed { written: None, .. } => absent.push((*name).clone()),
                Mode::Same | Mode::Converted => free.push((*name).clone()),
            }
        }
        Given { fixed, absent, free }
    }
}

impl Inclusion<'_, '_, '_> {
    /// Completes the arguments, and judges the effect on the subject.
    pub fn shown(
        &self,
        given: &Arguments,
        absent: &[SmolStr],
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        if let Some((group, others)) = self.group_and_others(given, absent, subject) {
            return self.shown_of_group(&group, others, given, absent, subject);
        }
        let arguments = self.from.complete(given, absent)?;
        let found = self.both.effect(&arguments, subject)?;
        self.broken(arguments, found, subject)
    }

    /// Where a module has many required variables, and only a few of them have to do with the subject: these, and
    /// accepted arguments for the others, which are judged once and not for each subject.
    fn group_and_others(
        &self,
        given: &Arguments,
        absent: &[SmolStr],
        subject: EffectSubject<'_>,
    ) -> Option<(BTreeSet<SmolStr>, Arguments)> {
        if self.from.contract.module.variables.len() <= FEW_ARGUMENTS {
            return None;
        }
        let group = self.both.group_of(subject);
        let is_whole = given.keys().chain(absent).all(|it| group.contains(it));
        if group.len() > FEW_ARGUMENTS || !is_whole {
            return None;
        }
        let mut others = self.from.whole().filter(|it| it.len() > FEW_ARGUMENTS)?.clone();
        others.retain(|name, _| !group.contains(name));
        Some((group, others))
    }

    /// Like [`Inclusion::shown`], by the variables of a group alone.
    fn shown_of_group(
        &self,
        group: &BTreeSet<SmolStr>,
        others: Arguments,
        given: &Arguments,
        absent: &[SmolStr],
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        let mut own = self.from.complete_of(Some(group), given, absent)?;
        if self.wants == Wants::Shown {
            own = self.both.reduced_of(Some(group), own, subject);
        }
        let mut effects = self.both.effects_of(Some(group), &own, subject)?.into_iter();
        let effect = effects.find(|it| subject.is_of(it))?;
        let mut arguments = others;
        arguments.extend(own);
        Some(InclusionAnswer::Broken(arguments, effect))
    }

    /// Arguments that lack what the new contract requires in addition, and its effects on them. `name` is one of these
    /// variables.
    pub fn lacking(&self, name: &str) -> Option<(Arguments, Vec<Effect>)> {
        let mut arguments = self.from.complete(&Arguments::new(), &[])?;
        if self.wants == Wants::Shown {
            arguments = self.both.reduced(arguments, EffectSubject::Value(name));
        }
        let effects = self.both.effects_of_lacking(&arguments)?;
        Some((arguments, effects))
    }

    /// The answer that the arguments show, made small and readable if they are shown.
    fn broken(
        &self,
        arguments: Arguments,
        found: Effect,
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        if self.wants != Wants::Shown {
            return Some(InclusionAnswer::Broken(arguments, found));
        }
        let arguments = self.both.reduced(arguments, subject);
        let found = self.both.effect(&arguments, subject)?;
        Some(InclusionAnswer::Broken(arguments, found))
    }

    /// Tries arguments from all alternatives.
    pub(super) fn searched(
        &self,
        combination: &[(&SmolStr, &Mode)],
        alternatives: &[Alternative],
        variable: &Variable,
        subject: EffectSubject<'_>,
        open: &str,
    ) -> InclusionAnswer {
        let given = Given::of(combination);
        let Some(first) = given.free.first() else {
            return self.of_fixed(&given.fixed, &given.absent, subject, open);
        };
        let spread = (TRIES / alternatives.len().max(1)).clamp(4, 24);
        // A few of each come first: to draw many of a large type takes long.
        let few = alternatives.iter().flat_map(|it| self.drawn(it, FEW));
        let drawn = few.chain(alternatives.iter().flat_map(|it| self.drawn(it, spread)));
        let own = if given.free.contains(&variable.name) { &variable.name } else { first };
        // Arguments from the alternatives are mostly enough, so the pool is drawn only if it is needed.
        let pooled = std::iter::once_with(|| self.from.pool(own)).flatten();
        let pooled = pooled.chain([Value::null(Type::Dynamic)]);
        let pooled = pooled.map(|it| Arguments::from([(own.clone(), it)]));
        let found = self.tried(&given, drawn.chain(pooled).take(2 * TRIES), subject);
        found.unwrap_or_else(|| InclusionAnswer::Open(open.to_owned()))
    }

    /// Tries a few arguments of a few alternatives.
    pub(super) fn glanced(
        &self,
        combination: &[(&SmolStr, &Mode)],
        alternatives: &[Alternative],
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        let given = Given::of(combination);
        if given.free.is_empty() {
            return None;
        }
        let drawn = alternatives.iter().take(FEW).flat_map(|it| self.drawn(it, FEW));
        self.tried(&given, drawn.take(2 * FEW), subject)
    }

    fn tried(
        &self,
        given: &Given,
        all: impl Iterator<Item = Arguments>,
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        let has_work_left = |_: &Arguments| !self.from.contract.meter().is_exhausted();
        let all = all.flat_map(|arguments| self.respelled(arguments));
        all.take_while(has_work_left).find_map(|mut arguments| {
            arguments.retain(|name, _| !given.absent.contains(name));
            arguments.extend(given.fixed.clone());
            self.shown(&arguments, &given.absent, subject)
        })
    }

    /// The arguments, and what callers may write in the place of sets that became lists.
    fn respelled(&self, arguments: Arguments) -> Vec<Arguments> {
        let mut out = vec![arguments];
        for (name, value) in out[0].clone() {
            let both = self.from.contract.variable(&name).zip(self.to.variable(&name));
            let Some((from, to)) = both else { continue };
            for it in respelled(&value, &from.constraint.ty, &to.constraint.ty) {
                let mut other = out[0].clone();
                other.insert(name.clone(), it);
                out.push(other);
            }
        }
        out
    }

    /// Tries guessed arguments.
    pub(super) fn guessed(
        &self,
        combination: &[(&SmolStr, &Mode)],
        subject: EffectSubject<'_>,
    ) -> Option<InclusionAnswer> {
        let given = Given::of(combination);
        if given.free.is_empty() {
            return None;
        }
        let contract = self.from.contract;
        let base = self.from.complete(&given.fixed, &given.absent);
        let base = base.unwrap_or_else(|| self.from.begun(&given.fixed, &given.absent));
        let mut guesses = Guesses::of([contract, self.to], &given.free);
        let pools: Vec<Vec<Value>> = given.free.iter().map(|it| self.from.pool(it)).collect();
        for _ in 0..GUESSES {
            if contract.meter().is_exhausted() {
                return None;
            }
            let mut arguments = base.clone();
            for (name, pool) in given.free.iter().zip(&pools) {
                let Some(variable) = contract.variable(name) else { continue };
                arguments.insert(name.clone(), guesses.value(variable, pool));
            }
            if self.both.effect(&arguments, subject).is_some() {
                let found = self.both.effect(&arguments, subject)?;
                return self.broken(arguments, found, subject);
            }
        }
        None
    }

    /// If all variables of the rule have fixed values, one evaluation decides.
    fn of_fixed(
        &self,
        fixed: &Arguments,
        absent: &[SmolStr],
        subject: EffectSubject<'_>,
        open: &str,
    ) -> InclusionAnswer {
        let Some(arguments) = self.from.complete(fixed, absent) else {
            return InclusionAnswer::Open("no accepted arguments were found".to_owned());
        };
        let is_rules = |it: &Effect| !matches!(it, Effect::Refused { validation: None, .. });
        let effects = self.both.effects(&arguments, subject);
        if let Some(found) = self.shown(fixed, absent, subject) {
            return found;
        }
        match effects {
            Some(all) if all.iter().all(is_rules) => InclusionAnswer::Included,
            _ => InclusionAnswer::Open(open.to_owned()),
        }
    }

    /// Some arguments from an alternative.
    fn drawn(&self, alternative: &Alternative, count: usize) -> Vec<Arguments> {
        let mut columns: Vec<(SmolStr, Vec<Value>)> = Vec::new();
        for atom in alternative {
            let ConstraintRoot::Variable(name) = &atom.root else { continue };
            let Some(variable) = self.from.contract.variable(name) else { continue };
            let mut values = members(&atom.values, &variable.constraint.ty, count, 11);
            if atom.null && variable.is_nullable() {
                values.insert(values.len().min(1), Value::null(Type::Dynamic));
            }
            columns.push((name.clone(), values));
        }
        let longest = columns.iter().map(|it| it.1.len()).max().unwrap_or(0);
        let row = |at: usize| {
            let mut row = Arguments::new();
            for (shift, (name, values)) in columns.iter().enumerate() {
                let at = if at < longest { at } else { at * (shift + 1) };
                let value = values.get(at % values.len().max(1));
                row.extend(value.map(|it| (name.clone(), it.clone())));
            }
            row
        };
        (0..longest * columns.len().clamp(1, 3)).map(row).collect()
    }
}

// Values that the variables of one contract accept: the search for witnesses, for other purposes.

/// Finds values that a contract's variables accept.
pub struct Samples<'p, 'a> {
    space: Space<'p, 'a>,
}

impl<'p, 'a> Samples<'p, 'a> {
    pub fn of(contract: &'p ModuleContract<'a>) -> Samples<'p, 'a> {
        Samples { space: Space::new(contract) }
    }

    /// Whether the rules about a variable alone may accept a value. `false` is certain, `true` is not.
    pub fn may_be(&self, name: &SmolStr, value: &Value) -> bool {
        let alone = self.space.alone(name);
        if value.is_null() { alone.0 } else { contains(&alone.1, value) != Some(false) }
    }

    /// The values that a variable can have, null aside, if they are few.
    pub fn finite(&self, name: &SmolStr) -> Option<Vec<Value>> {
        self.space.finite(name)
    }

    /// Values that the rules about a variable alone accept, the smallest first.
    pub fn pool(&self, name: &SmolStr) -> Vec<Value> {
        self.space.pool(name)
    }

    /// Values that are made of the constants in the variable's rules, if the sets say nothing.
    pub fn guesses(&self, name: &SmolStr, count: usize) -> Vec<Value> {
        let contract = self.space.contract;
        let Some(variable) = contract.variable(name) else { return Vec::new() };
        let mut guesses = Guesses::of([contract, contract], std::slice::from_ref(name));
        (0..count).map(|_| guesses.value(variable, &[])).collect()
    }

    /// The variables that a rule of a variable reads, with the variable itself.
    pub fn read_by_rule(&self, name: &str, index: usize) -> Vec<SmolStr> {
        let contract = self.space.contract;
        contract.variable(name).map_or_else(Vec::new, |it| rule_names(contract, it, index))
    }

    /// Accepted arguments that contain `fixed`; `None` if none were found.
    pub fn complete(&self, fixed: &Arguments) -> Option<Arguments> {
        self.space.complete(fixed, &[])
    }
}
