//! Changes several variables at once, where one change alone only leads to the next error.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    siblings::sibling,
    suspects::Around,
    whole::{Search, hides_default, is_same},
};
use compat::Arguments;
use diagnostics::{Cause, EvalError, Verdict};
use module::Variable;
use tf_value::{Type, Value};

/// How often errors are followed that are new after a change.
const ROUNDS: usize = 4;

/// How many errors are followed, and how many variables change, in one round.
const ERRORS: usize = 40;
const VARIABLES: usize = 60;

/// How many candidates of a variable are looked at.
const CANDIDATES: usize = 6;

/// A change of one variable: its new value, from the current one.
type Change = fn(&Search<'_, '_, '_>, &Variable, Option<&Value>) -> Option<Value>;

impl Search<'_, '_, '_> {
    /// Changes all variables that errors may follow from: sets those that are not set, or switches things off, or
    /// empties collections. What is not needed is taken back afterwards.
    pub(super) fn change_together(&mut self, fixed: &Arguments) {
        for change in [filled as Change, switched_off, emptied] {
            if self.is_rejected() {
                self.change_all(fixed, change);
            }
        }
    }

    fn change_all(&mut self, fixed: &Arguments, change: Change) {
        let before = (self.judged.clone(), self.found.values.clone(), self.found.needed.clone());
        let mut changed = BTreeSet::new();
        for _ in 0..ROUNDS {
            let mut other = self.found.values.clone();
            for name in self.open_suspects(fixed) {
                if changed.contains(&name) || changed.len() >= VARIABLES {
                    continue;
                }
                let Some(variable) = self.whole.module.module().variables.get(&name) else {
                    continue;
                };
                let set = self.found.values.get(&name);
                let current = set.or(variable.default.as_ref()).filter(|it| !it.is_null());
                if let Some(value) = change(self, variable, current) {
                    other.insert(name.clone(), value);
                    changed.insert(name);
                }
            }
            if other == self.found.values || !self.accepts(&other) {
                break;
            }
            let Some(next) = self.whole.judge_within(&other, &self.judged.certain) else { break };
            (self.judged, self.found.values) = (next, other);
            if !self.is_rejected() {
                self.take_back(&before.1, &changed);
                return;
            }
        }
        (self.judged, self.found.values, self.found.needed) = before;
    }

    /// Takes changes back without which the module accepts the values as well, and notes the others.
    fn take_back(&mut self, before: &Arguments, changed: &BTreeSet<SmolStr>) {
        for name in changed {
            let mut other = self.found.values.clone();
            match before.get(name) {
                Some(it) => other.insert(name.clone(), it.clone()),
                None => other.remove(name),
            };
            let next = self.whole.judge_within(&other, &self.judged.certain);
            match next.filter(|it| it.verdict != Verdict::Reject && self.accepts(&other)) {
                Some(next) => (self.judged, self.found.values) = (next, other),
                None if !before.contains_key(name) => _ = self.found.needed.insert(name.clone()),
                None => (),
            }
        }
    }

    /// The variables that may change and that errors may follow from.
    fn open_suspects(&self, fixed: &Arguments) -> Vec<SmolStr> {
        let module = self.whole.module.module();
        let mut out: Vec<SmolStr> = Vec::new();
        for error in self.judged.findings.iter().take(ERRORS) {
            let all = self.suspects_of(error, Around::Block);
            for it in all.into_iter().map(|it| it.name) {
                let is_hidden = module.variables.get(&it).is_none_or(hides_default);
                let may_change = !is_hidden || self.found.values.contains_key(&it);
                if may_change && !fixed.contains_key(&it) && !out.contains(&it) {
                    out.push(it);
                }
            }
        }
        out
    }

    /// Gives variables with equal values different ones, where two of them are the same key.
    pub(super) fn set_apart(&mut self, fixed: &Arguments) {
        let cause = Cause::Evaluation(EvalError::DuplicateKey);
        let is_about = |it: &&diagnostics::Finding| it.cause.as_ref() == Some(&cause);
        let Some(error) = self.judged.findings.iter().find(is_about).cloned() else { return };
        let all = self.suspects_of(&error, Around::Block);
        let mut other = self.found.values.clone();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for name in all.into_iter().map(|it| it.name).filter(|it| !fixed.contains_key(it)) {
            let Some(value) = self.found.values.get(&name) else { continue };
            let count = counts.entry(format!("{value:?}")).or_default();
            if *count > 0 {
                other.insert(name, sibling(value, *count));
            }
            *count += 1;
        }
        if other == self.found.values || !self.accepts(&other) {
            return;
        }
        let Some(next) = self.whole.judge_within(&other, &self.judged.certain) else { return };
        if next.verdict != Verdict::Reject || !next.findings.iter().any(|it| is_same(it, &error)) {
            (self.judged, self.found.values) = (next, other);
        }
    }
}

fn filled(
    search: &Search<'_, '_, '_>,
    variable: &Variable,
    current: Option<&Value>,
) -> Option<Value> {
    if current.is_some_and(|it| !is_empty(it)) {
        return None;
    }
    let all = search.finder.others(&variable.name).into_iter().take(CANDIDATES);
    let mut fit = all.filter(|it| !it.is_null() && !is_empty(it));
    fit.find(|it| {
        let mut with = search.found.values.clone();
        with.insert(variable.name.clone(), it.clone());
        search.accepts(&with)
    })
}

fn switched_off(_: &Search<'_, '_, '_>, _: &Variable, current: Option<&Value>) -> Option<Value> {
    current?.as_bool()?.then(|| Value::bool(false))
}

fn emptied(_: &Search<'_, '_, '_>, variable: &Variable, current: Option<&Value>) -> Option<Value> {
    let ty = &variable.constraint.ty;
    let is_object = matches!(ty, Type::Object(_) | Type::Tuple(_));
    let current = current.filter(|it| !is_object && !is_empty(it))?;
    match current.as_mapping() {
        Some(_) => Some(Value::object(BTreeMap::new())),
        None => current.as_sequence().map(|_| Value::tuple(Vec::new())),
    }
}

fn is_empty(value: &Value) -> bool {
    let elements =
        value.as_sequence().map(<[Value]>::len).or(value.as_mapping().map(BTreeMap::len));
    elements == Some(0) || value.as_str() == Some("")
}
