//! The arguments that a contract accepts: as sets that contain all of them, and as samples.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    rc::Rc,
};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    contract::ModuleContract, judge::Arguments, names::names, objects::deep_form, types::smallest,
};
use module::Variable;
use projection::{
    condition::{self, Extents},
    sets::{Assignments, ConstraintRoot, Sample, ValueSet, contains, witnesses},
};
use stack::guarded;
use tf_value::{Type, Value};
use verdict::ArgumentsVerdict;

/// The most alternatives that a set is divided into.
const ALTERNATIVES: usize = 256;

/// The most values of one variable that are tried.
const POOL: usize = 16;

/// Any number will do; the same one makes every run the same.
const POOL_SEED: u64 = 7;

/// The highest number of alternatives that arguments are drawn from.
const DRAWN: usize = 12;

/// Arguments are drawn of an alternative once with each.
const DRAW_SEEDS: Range<u64> = 1..4;

/// The number of values that are drawn for each argument. The smallest one is taken.
const DRAWN_VALUES: usize = 3;

/// The most arguments that are tried to complete others.
const TRIES: usize = 60;

/// How often the evaluator is asked to complete arguments, for all of a module.
const QUESTIONS: usize = 4000;

/// The most values of a set that are tried one by one.
const FINITE: usize = 48;

/// A rule of the contract.
pub struct ContractRule {
    pub variable: SmolStr,
    /// The variables that it reads, also through locals.
    pub names: Vec<SmolStr>,
    /// Its place in the rules of its variable.
    pub index: usize,
    /// The normal form of the condition and the message.
    pub form: Option<String>,
    /// The normal form of the message alone.
    pub message: Option<String>,
    pub extents: Extents,
}

/// The arguments that a contract accepts.
pub struct Space<'p, 'a> {
    pub contract: &'p ModuleContract<'a>,
    pub rules: Vec<ContractRule>,
    pools: RefCell<BTreeMap<SmolStr, Vec<Value>>>,
    alone: RefCell<BTreeMap<SmolStr, Rc<(bool, ValueSet)>>>,
    /// Pools of variables without rules: their types alone decide, and thousands may have the same type.
    pools_of_types: RefCell<HashMap<Type, Vec<Value>>>,
    /// How often the evaluator may still be asked to complete arguments.
    left: Cell<usize>,
    /// Accepted arguments for all required variables.
    whole: OnceCell<Option<Arguments>>,
}

impl<'p, 'a> Space<'p, 'a> {
    pub fn new(contract: &'p ModuleContract<'a>) -> Space<'p, 'a> {
        let mut rules = Vec::new();
        for variable in contract.module.variables.values() {
            for index in 0..variable.validations.len() {
                rules.extend(held(contract, variable, index));
            }
        }
        let (pools, pools_of_types) = (RefCell::default(), RefCell::default());
        let (alone, left) = (RefCell::default(), Cell::new(QUESTIONS));
        let whole = OnceCell::new();
        Space { contract, rules, pools, alone, pools_of_types, left, whole }
    }

    /// The rules that read at least one of the variables.
    pub fn about<'n>(&'n self, all: &'n [SmolStr]) -> impl Iterator<Item = &'n ContractRule> {
        self.rules.iter().filter(|it| it.names.iter().any(|name| all.contains(name)))
    }

    /// The values that the rules about a variable alone allow: whether null, and which others.
    pub fn alone(&self, name: &SmolStr) -> Rc<(bool, ValueSet)> {
        if let Some(known) = self.alone.borrow().get(name) {
            return Rc::clone(known);
        }
        let own = ConstraintRoot::Variable(name.clone());
        let of_own = self.rules.iter().filter_map(|it| it.extents.holds.formula.of_root(&own));
        let (mut null, mut sets) = (true, Vec::new());
        for (takes_null, values) in of_own {
            null &= takes_null;
            sets.push(values);
        }
        let found = Rc::new((null, ValueSet::all(sets)));
        self.alone.borrow_mut().insert(name.clone(), Rc::clone(&found));
        found
    }

    /// All values that a variable may have, null aside, if these are few.
    pub fn finite(&self, name: &SmolStr) -> Option<Vec<Value>> {
        let variable = self.contract.variable(name)?;
        let alone = self.alone(name);
        let values = finite(&alone.1, &variable.constraint.ty)?;
        let is_in = |it: &Value| !it.is_null() && contains(&alone.1, it) != Some(false);
        let mut values: Vec<Value> = values.into_iter().filter(is_in).collect();
        values.dedup();
        (values.len() <= FINITE).then_some(values)
    }

    /// Values that a variable's own rules accept or do not decide, the smallest first.
    pub fn pool(&self, name: &SmolStr) -> Vec<Value> {
        if let Some(known) = self.pools.borrow().get(name) {
            return known.clone();
        }
        let Some(variable) = self.contract.variable(name) else { return Vec::new() };
        let ty = &variable.constraint.ty;
        let is_ruled = self.is_ruled(name);
        if !is_ruled && let Some(known) = self.pools_of_types.borrow().get(ty) {
            return known.clone();
        }
        let values = members(&self.alone(name).1, ty, POOL, POOL_SEED);
        if is_ruled {
            self.pools.borrow_mut().insert(name.clone(), values.clone());
        } else {
            self.pools_of_types.borrow_mut().insert(ty.clone(), values.clone());
        }
        values
    }

    /// Whether a rule reads the variable.
    fn is_ruled(&self, name: &SmolStr) -> bool {
        self.rules.iter().any(|it| it.names.contains(name) || it.variable == *name)
    }

    /// The first value to try. Without a rule it comes from the type, because to draw a pool takes longer than
    /// all other work on most modules.
    fn first(&self, variable: &Variable) -> Option<Value> {
        if self.is_ruled(&variable.name) {
            return self.pool(&variable.name).into_iter().next();
        }
        smallest(&variable.constraint.ty)
    }

    /// Accepted arguments that contain `fixed` and leave out `absent`; `None` if none were found.
    pub fn complete(&self, fixed: &Arguments, absent: &[SmolStr]) -> Option<Arguments> {
        self.complete_of(None, fixed, absent)
    }

    /// Like [`Space::complete`], for these variables alone, whose rules read no other one.
    pub fn complete_of(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        fixed: &Arguments,
        absent: &[SmolStr],
    ) -> Option<Arguments> {
        let free = self.free(only, fixed, absent);
        let arguments = self.begun_with(&free, fixed);
        let before = self.left.get();
        let mut tries = TRIES.min(before);
        let found = match self.climb(only, arguments, fixed, absent, &mut tries) {
            Climb::Accepted(it) => Some(it),
            // Other values would be undecided, too.
            Climb::Undecided => None,
            Climb::Refused => self.drawn(only, fixed, absent, &free, &mut tries),
        };
        self.left.set(before - (TRIES.min(before) - tries));
        found
    }

    /// Accepted arguments for all required variables; `None` if none were found.
    pub fn whole(&self) -> Option<&Arguments> {
        self.whole.get_or_init(|| self.complete(&Arguments::new(), &[])).as_ref()
    }

    /// The required variables that the arguments still lack.
    fn free(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        fixed: &Arguments,
        absent: &[SmolStr],
    ) -> Vec<&Variable> {
        let variables: Vec<&Variable> = match only {
            Some(only) => only.iter().filter_map(|it| self.contract.variable(it)).collect(),
            None => self.contract.module.variables.values().collect(),
        };
        let is_free = |it: &&Variable| {
            it.is_required() && !fixed.contains_key(&it.name) && !absent.contains(&it.name)
        };
        variables.into_iter().filter(is_free).collect()
    }

    /// Adds a value for each required variable; the result may be refused.
    pub fn begun(&self, fixed: &Arguments, absent: &[SmolStr]) -> Arguments {
        self.begun_with(&self.free(None, fixed, absent), fixed)
    }

    fn begun_with(&self, free: &[&Variable], fixed: &Arguments) -> Arguments {
        let mut arguments = fixed.clone();
        for it in free {
            let value = self.first(it).unwrap_or_else(|| Value::null(Type::Dynamic));
            arguments.insert(it.name.clone(), value);
        }
        arguments
    }

    /// Changes the variables that refusals blame, one at a time, until the arguments are accepted.
    fn climb(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        mut arguments: Arguments,
        fixed: &Arguments,
        absent: &[SmolStr],
        tries: &mut usize,
    ) -> Climb {
        let mut blamed_before: BTreeMap<SmolStr, usize> = BTreeMap::new();
        while *tries > 0 {
            *tries -= 1;
            let problem = match self.contract.judge_of(only, &arguments) {
                ArgumentsVerdict::Accepts(_) => return Climb::Accepted(arguments),
                ArgumentsVerdict::Undecided(_) => return Climb::Undecided,
                ArgumentsVerdict::Refuses(problems) => problems.into_iter().next(),
            };
            let Some(blamed) = problem.and_then(|it| it.variable) else { return Climb::Refused };
            let rules = self.rules.iter().filter(|it| it.variable == blamed);
            let others = rules.flat_map(|it| &it.names);
            let may_change = |it: &&SmolStr| !fixed.contains_key(*it) && !absent.contains(it);
            let all: Vec<SmolStr> =
                std::iter::once(&blamed).chain(others).filter(may_change).cloned().collect();
            let next = all.iter().find_map(|name| {
                let at = blamed_before.entry(name.clone()).or_default();
                let value = self.pool(name).get(*at).cloned()?;
                *at += 1;
                Some((name.clone(), value))
            });
            let Some((name, value)) = next else { return Climb::Refused };
            arguments.insert(name, value);
        }
        Climb::Refused
    }

    /// Draws the other variables from the set that all rules allow together.
    fn drawn(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        fixed: &Arguments,
        absent: &[SmolStr],
        free: &[&Variable],
        tries: &mut usize,
    ) -> Option<Arguments> {
        let known = |root: &ConstraintRoot| {
            let ConstraintRoot::Variable(name) = root else { return None };
            if absent.contains(name) {
                let default = self.contract.variable(name)?.default.as_ref();
                return Some(default.and_then(plain));
            }
            fixed.get(name).map(|it| Some(it.clone()))
        };
        let is_judged = |it: &&ContractRule| only.is_none_or(|only| only.contains(&it.variable));
        let rules = self.rules.iter().filter(is_judged);
        let all = Assignments::all(rules.map(|it| it.extents.holds.formula.given(&known)));
        let alternatives = all.alternatives(ALTERNATIVES)?;
        for alternative in alternatives.iter().take(DRAWN) {
            for seed in DRAW_SEEDS {
                let mut arguments = fixed.clone();
                for it in free {
                    arguments.extend(self.first(it).map(|value| (it.name.clone(), value)));
                }
                for atom in alternative {
                    let ConstraintRoot::Variable(name) = &atom.root else { continue };
                    let Some(variable) = self.contract.variable(name) else { continue };
                    let is_met = |it: &Value| {
                        if it.is_null() {
                            atom.null
                        } else {
                            contains(&atom.values, it) == Some(true)
                        }
                    };
                    if variable.default.as_ref().and_then(plain).is_some_and(|it| is_met(&it)) {
                        continue;
                    }
                    let found = members(&atom.values, &variable.constraint.ty, DRAWN_VALUES, seed);
                    arguments.extend(found.into_iter().next().map(|it| (name.clone(), it)));
                }
                if *tries == 0 {
                    return None;
                }
                *tries -= 1;
                if matches!(self.contract.judge_of(only, &arguments), ArgumentsVerdict::Accepts(_))
                {
                    return Some(arguments);
                }
            }
        }
        None
    }
}

/// The result of `climb`.
enum Climb {
    Accepted(Arguments),
    Refused,
    Undecided,
}

/// Members of a set, the smallest first.
pub fn members(set: &ValueSet, ty: &Type, count: usize, seed: u64) -> Vec<Value> {
    let mut values = witnesses(set, ty, Sample { count, seed, null: false });
    values.sort_by_cached_key(|it| tf_value::typeexpr::value_source(it).len());
    values
}

fn held(contract: &ModuleContract<'_>, variable: &Variable, index: usize) -> Option<ContractRule> {
    let validation = variable.validations.get(index)?;
    let extents = condition::extents(&contract.module, variable, index, contract.meter())?;
    Some(ContractRule {
        variable: variable.name.clone(),
        names: rule_names(contract, variable, index),
        index,
        form: rule_form(contract, variable, index),
        message: message_form(contract, variable, index),
        extents,
    })
    .filter(|_| !validation.condition.span.file.is_adopted())
}

/// The variables that a rule reads.
pub fn rule_names(
    contract: &ModuleContract<'_>,
    variable: &Variable,
    index: usize,
) -> Vec<SmolStr> {
    let Some(rule) = variable.validations.get(index) else { return Vec::new() };
    let mut all = names(&rule.condition, &contract.module).variables;
    if let Some(message) = &rule.error_message {
        all.extend(names(message, &contract.module).variables);
    }
    all.insert(variable.name.clone());
    all.into_iter().collect()
}

/// The normal form of a rule's message.
pub fn message_form(
    contract: &ModuleContract<'_>,
    variable: &Variable,
    index: usize,
) -> Option<String> {
    let message = variable.validations.get(index)?.error_message.as_ref()?;
    deep_form(message, &contract.module)
}

/// The normal form of a rule's condition, and of its message if that may fail.
pub fn rule_form(
    contract: &ModuleContract<'_>,
    variable: &Variable,
    index: usize,
) -> Option<String> {
    let rule = variable.validations.get(index)?;
    let mut out = deep_form(&rule.condition, &contract.module)?;
    if let (Some(message), None) = (&rule.error_message, &rule.plain_message)
        && !message.is_leaf()
    {
        out.push_str(" | ");
        out.push_str(&deep_form(message, &contract.module)?);
    }
    Some(out)
}

fn finite(set: &ValueSet, ty: &Type) -> Option<Vec<Value>> {
    match (ty, set) {
        (Type::Bool, _) => Some([true, false].map(Value::bool).to_vec()),
        (_, ValueSet::OneOf(values)) => Some(values.clone()),
        (_, ValueSet::Nothing) => Some(Vec::new()),
        (_, ValueSet::All(parts)) => parts.iter().find_map(|it| finite(it, ty)),
        (_, ValueSet::Either(parts)) => {
            let all: Option<Vec<Vec<Value>>> = parts.iter().map(|it| finite(it, ty)).collect();
            all.map(|it| it.concat())
        }
        _ => None,
    }
}

/// A final value in the form that sets contain; `None` if a collection in it holds a null or an unknown.
pub fn plain(value: &Value) -> Option<Value> {
    guarded(|| {
        if value.is_null() {
            return Some(Value::null(Type::Dynamic));
        }
        if !value.is_known() {
            return None;
        }
        if let Some(elements) = value.as_sequence() {
            let each = elements.iter().map(|expr| plain(expr).filter(|it| !it.is_null()));
            return Some(Value::tuple(each.collect::<Option<_>>()?));
        }
        if let Some(members) = value.as_mapping() {
            let is_map = matches!(value.ty(), Type::Map(_));
            let mut out = BTreeMap::new();
            for (name, it) in members {
                let it = plain(it)?;
                if !it.is_null() {
                    out.insert(name.clone(), it);
                } else if is_map {
                    return None;
                }
            }
            return Some(Value::object(out));
        }
        Some(value.clone())
    })
}
