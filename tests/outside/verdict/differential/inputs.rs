//! Inputs of a module: about as many that it accepts as fail a rule.

use std::collections::BTreeMap;

use diagnostics::{Verdict, lints};
use module::Variable;
use serde_json::{Map, Value as Json};
use testkit::random::Random;
use tf_value::json;

use super::{
    candidates::Pool,
    ours::{Reduced, blame},
};

/// Attempts at inputs that are accepted, and at values that fail a rule.
const ATTEMPTS: usize = 12;

pub struct Generator<'a> {
    reduced: &'a Reduced,
    pool: Pool,
    random: Random,
    defaults: BTreeMap<String, Json>,
}

type Values = Map<String, Json>;

impl<'a> Generator<'a> {
    pub fn new(reduced: &'a Reduced, text: &str, seed: u64) -> Self {
        let defaults = reduced.module.variables.values().filter_map(|it| {
            let text = json::value_to_json(it.default.as_ref()?).ok()?;
            Some((it.name.to_string(), serde_json::from_str(&text).ok()?))
        });
        let defaults = defaults.collect();
        Generator { reduced, pool: Pool::new(text), random: Random::new(seed), defaults }
    }

    /// JSON objects that give a value to every required variable.
    pub fn inputs(&mut self, count: usize) -> Vec<String> {
        let base = self.accepted();
        // If a module's rules are not met, a few inputs show enough.
        let count = if self.blamed(&base).is_empty() { count } else { count.div_ceil(5) };
        (0..count).map(|_| Json::Object(self.next(&base)).to_string()).collect()
    }

    /// Only required variables, with values that the module accepts if some are found.
    fn accepted(&mut self) -> Values {
        let required: Vec<&Variable> =
            self.reduced.module.variables.values().filter(|it| it.is_required()).collect();
        let mut values = Values::new();
        for it in &required {
            values
                .insert(it.name.to_string(), self.pool.value(&it.constraint.ty, &mut self.random));
        }
        for _ in 0..3 * ATTEMPTS {
            let blamed = self.blamed(&values);
            if blamed.is_empty() {
                break;
            }
            for it in required.iter().filter(|it| blamed.contains(&it.name.to_string())) {
                let value = self.pool.value(&it.constraint.ty, &mut self.random);
                values.insert(it.name.to_string(), value);
            }
        }
        values
    }

    fn next(&mut self, base: &Values) -> Values {
        let mut values = base.clone();
        let count = 1 + self.random.below(3);
        let changed: Vec<&Variable> = (0..count).map(|_| self.any_variable()).collect();
        for it in &changed {
            let value = self.candidate(it);
            values.insert(it.name.to_string(), value);
        }
        if self.random.chance(48) {
            self.repair(&mut values, base);
        } else if self.random.chance(80) {
            self.spoil(&mut values);
        }
        values
    }

    /// One with rules, mostly.
    fn any_variable(&mut self) -> &'a Variable {
        let variables: Vec<&'a Variable> = self.reduced.module.variables.values().collect();
        let ruled: Vec<&'a Variable> =
            variables.iter().copied().filter(|it| !it.validations.is_empty()).collect();
        let from = if self.random.chance(75) && !ruled.is_empty() { &ruled } else { &variables };
        let picked: &&Variable = self.random.pick(from);
        picked
    }

    fn candidate(&mut self, variable: &Variable) -> Json {
        match self.defaults.get(variable.name.as_str()) {
            Some(default) if !default.is_null() && self.random.chance(40) => {
                let mutated = self.pool.mutated(default, &mut self.random);
                if self.random.chance(50) {
                    self.pool.mutated(&mutated, &mut self.random)
                } else {
                    mutated
                }
            }
            _ => self.pool.value(&variable.constraint.ty, &mut self.random),
        }
    }

    /// Takes other values where something is wrong, and the base's in the end.
    fn repair(&mut self, values: &mut Values, base: &Values) {
        for attempt in 0..ATTEMPTS {
            let judgement = self.reduced.judge(&Json::Object(values.clone()).to_string());
            if judgement.verdict != Verdict::Reject {
                return;
            }
            let blamed = self.blamed(values);
            let names: Vec<String> = values.keys().cloned().collect();
            for name in names.iter().filter(|it| blamed.contains(it)) {
                let variable = &self.reduced.module.variables[name.as_str()];
                if attempt + 2 < ATTEMPTS {
                    let value = self.candidate(variable);
                    values.insert(name.clone(), value);
                } else if let Some(value) = base.get(name) {
                    values.insert(name.clone(), value.clone());
                } else {
                    values.remove(name);
                }
            }
        }
        values.clone_from(base);
    }

    /// Looks for a value that fails a rule.
    fn spoil(&mut self, values: &mut Values) {
        for _ in 0..ATTEMPTS {
            let judgement = self.reduced.judge(&Json::Object(values.clone()).to_string());
            if judgement.diagnostics.iter().any(|it| it.rule == lints::FAILED_VALIDATION) {
                return;
            }
            let variable = self.any_variable();
            let value = self.candidate(variable);
            values.insert(variable.name.to_string(), value);
        }
    }

    fn blamed(&self, values: &Values) -> Vec<String> {
        let judgement = self.reduced.judge(&Json::Object(values.clone()).to_string());
        blame(&judgement.diagnostics).into_iter().filter_map(|it| it.0).collect()
    }
}
