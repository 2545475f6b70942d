//! Whether everything that one contract accepts is accepted by a rule of another: proved with sets,
//! or refuted by arguments that the evaluator confirms.

use std::collections::BTreeMap;

use super::{
    cases::Proof,
    contract::ModuleContract,
    duplicates::Duplicates,
    implication::implies,
    judge::{Arguments, Both, Effect, EffectSubject},
    modes::{Mode, choice},
    names::read_names,
    reads,
    reads::{Path, is_untouched},
    space::{ContractRule, Space, message_form, rule_form, rule_names},
    types::{Fit, fit, lost, misfits},
};
use module::Variable;
use projection::{
    condition::{self, Extents},
    sets::{Alternative, Assignments, ConstraintRoot, Loss, is_empty},
};
use release::changes;
use smol_str::SmolStr;
use tf_value::{Type, Value};

/// The most combinations of defaults and nulls that are looked at.
const COMBINATIONS: usize = 64;

/// The most alternatives into which refused arguments are divided.
pub const ALTERNATIVES: usize = 512;

/// The answer to the question whether a change breaks anything.
#[derive(Debug)]
pub enum InclusionAnswer {
    /// It is proved that nothing breaks.
    Included,
    /// The smallest arguments found that show what breaks.
    Broken(Arguments, Effect),
    /// Nothing is proved, for this reason.
    Open(String),
}

/// Which arguments are sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Small ones that look like a call, because they are shown.
    Shown,
    /// Any, but with all the work to find some.
    Found,
    /// Any, with little work.
    Any,
}

/// Compares what `from` accepts with what `to` accepts.
pub struct Inclusion<'s, 'p, 'a> {
    pub from: &'s Space<'p, 'a>,
    pub to: &'p ModuleContract<'a>,
    pub wants: Wants,
    /// The rules of the other contract.
    rules: &'s [ContractRule],
    pub both: Both<'p, 'a>,
    /// For each variable of another type, the paths at which its values differ.
    differing: BTreeMap<SmolStr, Vec<Path>>,
}

impl<'s, 'p, 'a> Inclusion<'s, 'p, 'a> {
    pub fn new(from: &'s Space<'p, 'a>, to: &'s Space<'p, 'a>) -> Inclusion<'s, 'p, 'a> {
        let (base, head) = (from.contract, to.contract);
        let required = head.module.variables.values().filter(|it| it.is_required());
        let is_new =
            |variable: &&Variable| base.variable(&variable.name).is_none_or(|it| !it.is_required());
        let new: Vec<&SmolStr> = required.filter(is_new).map(|it| &it.name).collect();
        let mut fill = Arguments::new();
        if !new.is_empty() {
            fill = to.complete(&Arguments::new(), &[]).unwrap_or_default();
            fill.retain(|name, _| new.contains(&name));
        }
        let mut differing = BTreeMap::new();
        for (name, was) in &base.module.variables {
            if let Some(is) = head.variable(name).filter(|it| it.constraint != was.constraint) {
                differing.insert(name.clone(), reads::differing(was, is));
            }
        }
        for name in base.module.variables.keys().chain(head.module.variables.keys()) {
            if !(base.variable(name).is_some() && head.variable(name).is_some()) {
                differing.insert(name.clone(), vec![Path::new()]);
            }
        }
        let both = Both::new(base, head, fill);
        Inclusion { from, to: head, wants: Wants::Shown, rules: &to.rules, both, differing }
    }

    /// Whether each accepted value of a variable fits the other contract's type and loses nothing.
    pub fn of_type(&self, name: &SmolStr) -> InclusionAnswer {
        let (Some(from), Some(to)) = (self.from.contract.variable(name), self.to.variable(name))
        else {
            return InclusionAnswer::Included;
        };
        let (from_type, to_type) = (&from.constraint.ty, &to.constraint.ty);
        if fit(from_type, to_type) != Fit::Open {
            return InclusionAnswer::Included;
        }
        let pool = self.from.pool(name);
        let names = read_names(&self.from.contract.module, name);
        for value in misfits(from_type, to_type, &names).into_iter().chain(pool) {
            let is_kept = || {
                let (before, after) =
                    (from.constraint.accept(&value).ok()?, to.constraint.accept(&value).ok()?);
                lost(&value, &before, &after, "").is_none().then_some(())
            };
            if is_kept().is_some() {
                continue;
            }
            let given: Arguments = [(name.clone(), value)].into();
            if let Some(found) = self.shown(&given, &[], EffectSubject::Value(name)) {
                return found;
            }
        }
        let keeps = |it: &Value| {
            let (Ok(before), Ok(after)) = (from.constraint.accept(it), to.constraint.accept(it))
            else {
                return false;
            };
            lost(it, &before, &after, "").is_none()
        };
        match self.from.finite(name) {
            Some(values) if values.iter().all(keeps) => InclusionAnswer::Included,
            _ => InclusionAnswer::Open(
                "no value was found that decides whether one type accepts what the other accepts"
                    .to_owned(),
            ),
        }
    }

    /// Whether a rule of the other contract accepts everything that this one accepts.
    pub fn of_rule(&self, variable: &Variable, index: usize) -> InclusionAnswer {
        let names = rule_names(self.to, variable, index);
        let is_untouched = self.is_alike(&names) || self.is_untouched(self.to, variable, index);
        let is_same =
            is_untouched && self.is_same_rule(rule_form(self.to, variable, index).as_ref());
        let is_kept = is_same || self.keeps_duplicates(variable, index, &names);
        let modes: Vec<Vec<Mode>> = names.iter().map(|it| self.modes(it, is_kept)).collect();
        let is_plain = |it: &Vec<Mode>| matches!(it.as_slice(), [Mode::Same]);
        if is_same && modes.iter().all(is_plain) {
            return InclusionAnswer::Included;
        }
        let Some(extents) = self.extents(variable, index) else { return InclusionAnswer::Included };
        let count = modes.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul);
        if count.is_none_or(|it| it > COMBINATIONS) {
            return InclusionAnswer::Open(
                "too many defaults and nulls change at the same time".to_owned(),
            );
        }
        let validation = variable.validations.get(index).and_then(|it| it.index);
        let subject = EffectSubject::Rule(&variable.name, validation);
        let is_implied = is_same || is_untouched && self.is_implied(variable, index, &names);
        // The same message was evaluated under the old contract, so it can be evaluated under the new one.
        let message = message_form(self.to, variable, index);
        let is_told = message.is_some()
            && is_untouched
            && self.from.rules.iter().any(|it| it.message == message);
        let loud = extents.fails.clone();
        let fails = loud.clone().or(extents.is_mute.clone());
        let mut open = None;
        for at in 0..count.unwrap_or(0) {
            let chosen = choice(&modes, at);
            let is_plain = chosen.iter().all(|it| matches!(it, Mode::Same));
            let is_loud = is_plain && is_told;
            if is_plain && is_implied && (is_loud || extents.is_mute.is_nothing()) {
                continue;
            }
            let fails = if is_loud { &loud } else { &fails };
            let combination: Vec<(&SmolStr, &Mode)> = names.iter().zip(chosen).collect();
            match self.of_combination(&combination, &fails.formula, variable, subject) {
                InclusionAnswer::Included => (),
                InclusionAnswer::Open(why) if self.wants == Wants::Any => open = open.or(Some(why)),
                InclusionAnswer::Open(why) => {
                    let is_comparable =
                        is_plain && is_untouched && (is_loud || extents.is_mute.is_nothing());
                    let rule = is_comparable.then_some((variable, index));
                    match self.looked_closer(rule, &combination, variable, subject, why) {
                        InclusionAnswer::Included => (),
                        InclusionAnswer::Open(why) => open = open.or(Some(why)),
                        broken @ InclusionAnswer::Broken(..) => return broken,
                    }
                }
                broken @ InclusionAnswer::Broken(..) => return broken,
            }
        }
        let reason = |why: String| {
            let held = self.from.about(&names).flat_map(|it| &it.extents.holds.losses);
            reason(fails.losses.iter().chain(held)).unwrap_or(why)
        };
        open.map_or(InclusionAnswer::Included, |it| InclusionAnswer::Open(reason(it)))
    }

    /// The sets of a rule of the other contract.
    fn extents(&self, variable: &Variable, index: usize) -> Option<Extents> {
        let known = self.rules.iter().find(|it| it.variable == variable.name && it.index == index);
        match known {
            Some(it) => Some(it.extents.clone()),
            None => condition::extents(&self.to.module, variable, index, self.to.meter()),
        }
    }

    /// Whether this contract has a rule of the same form.
    fn is_same_rule(&self, form: Option<&String>) -> bool {
        form.is_some() && self.from.rules.iter().any(|it| it.form.as_ref() == form)
    }

    /// Whether all of the variables have the same type on both sides.
    pub(super) fn is_alike(&self, names: &[SmolStr]) -> bool {
        names.iter().all(|name| {
            let both = self.from.contract.variable(name).zip(self.to.variable(name));
            both.is_some_and(|(from, to)| from.constraint == to.constraint)
        })
    }

    /// Whether a rule reads only parts of variables that have the same type on both sides: `var.x.name`, if `x`
    /// got another attribute.
    pub(super) fn is_untouched(
        &self,
        of: &ModuleContract<'_>,
        variable: &Variable,
        index: usize,
    ) -> bool {
        let Some(rule) = variable.validations.get(index) else { return false };
        let exprs = std::iter::once(&rule.condition).chain(&rule.error_message);
        let mut exprs = exprs.into_iter();
        exprs.all(|it| is_untouched(it, &of.module, &self.differing))
    }

    /// Whether the other contract differs in nothing but sets that became lists, and the rule is true for a list
    /// wherever it is true for the set of its elements.
    fn keeps_duplicates(&self, variable: &Variable, index: usize, names: &[SmolStr]) -> bool {
        let Some(rule) = variable.validations.get(index) else { return false };
        let became_list = |name: &&SmolStr| {
            let both = self.from.contract.variable(name).zip(self.to.variable(name));
            let both = both.map(|(from, to)| (&from.constraint.ty, &to.constraint.ty));
            matches!(both, Some((Type::Set(from), Type::List(to))) if from == to)
        };
        let variables: Vec<SmolStr> = names.iter().filter(became_list).cloned().collect();
        let others: Vec<SmolStr> =
            names.iter().filter(|it| !variables.contains(it)).cloned().collect();
        let duplicates = Duplicates { module: &self.to.module, variables: &variables };
        !variables.is_empty() && self.is_alike(&others) && duplicates.keep(&rule.condition)
    }

    /// Whether the rule follows from one of this contract by its structure.
    fn is_implied(&self, variable: &Variable, index: usize, names: &[SmolStr]) -> bool {
        let Some(rule) = variable.validations.get(index) else { return false };
        let to = (&rule.condition, &self.to.module);
        self.to.release().has(&changes::KLEENE_LOGIC)
            && rule_form(self.to, variable, index).is_some()
            && self.from.about(names).any(|held| {
                let was = self.from.contract.variable(&held.variable);
                let Some((was, old)) =
                    was.and_then(|it| Some((it, it.validations.get(held.index)?)))
                else {
                    return false;
                };
                (self.is_alike(&held.names)
                    || self.is_untouched(self.from.contract, was, held.index))
                    && implies((&old.condition, &self.from.contract.module), to)
            })
    }

    /// Tries a proof by cases and guessed arguments, after the sets of whole rules and a search in them decided
    /// nothing.
    fn looked_closer(
        &self,
        rule: Option<(&Variable, usize)>,
        combination: &[(&SmolStr, &Mode)],
        variable: &Variable,
        subject: EffectSubject<'_>,
        open: String,
    ) -> InclusionAnswer {
        let names: Vec<SmolStr> = combination.iter().map(|it| it.0.clone()).collect();
        let left = match rule.map(|it| self.by_cases(it.0, it.1, &names)) {
            Some(Proof::Proved) => return InclusionAnswer::Included,
            Some(Proof::Open(left)) => left,
            None => Vec::new(),
        };
        let left = left.iter().filter_map(|it| it.alternatives(ALTERNATIVES)).flatten();
        let left: Vec<Alternative> = left.filter(|it| !self.is_impossible(it)).collect();
        if !left.is_empty()
            && let broken @ InclusionAnswer::Broken(..) =
                self.searched(combination, &left, variable, subject, &open)
        {
            return broken;
        }
        self.guessed(combination, subject).unwrap_or(InclusionAnswer::Open(open))
    }

    fn of_combination(
        &self,
        combination: &[(&SmolStr, &Mode)],
        fails: &Assignments,
        variable: &Variable,
        subject: EffectSubject<'_>,
    ) -> InclusionAnswer {
        let mode = |root: &ConstraintRoot| {
            let ConstraintRoot::Variable(name) = root else { return None };
            combination.iter().find(|it| it.0 == name).map(|it| it.1)
        };
        let before = |root: &ConstraintRoot| match mode(root)? {
            Mode::Fixed { from, .. } => Some(from.clone()),
            _ => None,
        };
        let after = |root: &ConstraintRoot| match mode(root)? {
            Mode::Fixed { to, .. } => Some(to.clone()),
            Mode::Converted => Some(None),
            Mode::Same => None,
        };
        let names: Vec<SmolStr> = combination.iter().map(|it| it.0.clone()).collect();
        let held = self.from.about(&names).map(|it| it.extents.holds.formula.given(&before));
        let both = Assignments::all(std::iter::once(fails.given(&after)).chain(held));
        let Some(alternatives) = both.alternatives(ALTERNATIVES) else {
            return self.searched(combination, &[], variable, subject, "it has too many cases");
        };
        // To find some arguments takes less work than to prove that there are none.
        if self.wants == Wants::Any
            && let Some(found) = self.glanced(combination, &alternatives, subject)
        {
            return found;
        }
        let left: Vec<Alternative> =
            alternatives.into_iter().filter(|it| !self.is_impossible(it)).collect();
        if left.is_empty() {
            return InclusionAnswer::Included;
        }
        self.searched(
            combination,
            &left,
            variable,
            subject,
            "no arguments were found that decide it",
        )
    }

    pub(super) fn is_impossible(&self, alternative: &Alternative) -> bool {
        let contract = self.from.contract;
        alternative.iter().any(|atom| {
            let ConstraintRoot::Variable(name) = &atom.root else { return false };
            let Some(variable) = contract.variable(name) else { return false };
            let takes_null =
                variable.is_nullable() && self.to.variable(name).is_none_or(Variable::is_nullable);
            if atom.null && takes_null {
                return false;
            }
            let mut work = 0;
            let is_empty = is_empty(&atom.values, &variable.constraint.ty, &mut work);
            contract.meter().charge(work);
            is_empty
        })
    }
}

/// The parts of conditions that the sets do not know, in words.
fn reason<'l>(losses: impl Iterator<Item = &'l Loss>) -> Option<String> {
    let mut reasons: Vec<String> = losses.map(|it| it.reason.to_string()).collect();
    reasons.dedup();
    reasons.truncate(3);
    (!reasons.is_empty())
        .then(|| format!("nothing is known about {}", reasons.join(", and about ")))
}
