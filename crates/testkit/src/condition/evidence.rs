//! What generated values show of one condition's translation.

use std::collections::{BTreeMap, BTreeSet};

use diagnostics::lints;
use hcl::Expr;
use jsonschema::{ValidationError, Validator};
use module::{Module, Values, Variable};
use projection::{
    condition::{self, Fidelity, Translation},
    schema::{self, CarriedConditions, Draft, SchemaOptions},
    sets::{Sample, witnesses},
};
use release::Release;
use serde_json::Value as Json;
use smol_str::SmolStr;
use system::OsSystem;
use tf_eval::{EvalHost, Meter, ReferenceStep};
use tf_value::{Number, Type, Value, ValueContent, nfc};

use super::{
    finite,
    values::{Pool, Random},
};

/// How many values of each kind an exact translation has to be right about.
const ENOUGH: usize = 50;

/// How many inputs of each kind are kept.
const KEPT: usize = 20;

/// How many members of a translation's set are tried, and as many of its complement.
const WITNESSES: usize = 30;

/// How many values are made for one that is new and of the variable's type.
const ATTEMPTS: usize = 4;

/// A variable with one condition, in a module of what the condition refers to.
pub struct Subject {
    pub module: Module,
    pub name: String,
    pub draft: Draft,
}

/// What was tried, and what came of it.
#[derive(Debug, Default)]
pub struct Evidence {
    pub tried: usize,
    /// Distinct inputs for which the condition is true, and for which it is not.
    pub accepted: usize,
    pub refused: usize,
    /// Whether some value of the declared type is refused by the schema for the condition's sake.
    pub witness: bool,
    /// Whether each kind of value was tried often enough, or all there are.
    complete: bool,
    pub wrong: Vec<String>,
    /// Inputs for which the condition is not true, and for which it is, at most `KEPT` of each, and
    /// whether the schema takes them.
    pub values: [Vec<(Json, bool)>; 2],
}

impl Evidence {
    /// The fidelity that the values bear out: at most the one that is claimed.
    pub fn proven(&self, claimed: Fidelity) -> Fidelity {
        match claimed {
            Fidelity::Exact if self.complete => Fidelity::Exact,
            Fidelity::Exact | Fidelity::Necessary if self.witness => Fidelity::Necessary,
            _ => Fidelity::Untranslated,
        }
    }
}

impl Subject {
    /// The variable with its condition number `index`, without what that does not refer to.
    pub fn new(module: &Module, variable: &Variable, index: usize) -> Subject {
        let mut wanted = BTreeSet::from([variable.name.to_string()]);
        let condition = &variable.validations[index].condition;
        let mut seen = BTreeSet::new();
        names(module, condition, &mut wanted, &mut seen);
        let whole = module;
        let mut module = Module::default();
        module.dir.clone_from(&whole.dir);
        module.release = whole.release;
        module.variables.clone_from(&whole.variables);
        module.locals.clone_from(&whole.locals);
        module.declared.clone_from(&whole.declared);
        module.sources.clone_from(&whole.sources);
        module.required_providers.clone_from(&whole.required_providers);
        module.variables.retain(|name, _| wanted.contains(name.as_str()));
        for (name, other) in &mut module.variables {
            let validations = std::mem::take(&mut other.validations);
            if *name == variable.name {
                other.validations = validations.into_iter().skip(index).take(1).collect();
            }
        }
        Subject { module, name: variable.name.to_string(), draft: Draft::default() }
    }

    fn variable(&self) -> &Variable {
        &self.module.variables[self.name.as_str()]
    }

    pub fn translation(&self) -> Translation {
        let target = self.options(CarriedConditions::Full, false).target();
        condition::translate(&self.module, self.variable(), target, &Meter::default()).remove(0)
    }

    fn options(&self, conditions: CarriedConditions, nullable_all: bool) -> SchemaOptions {
        SchemaOptions { conditions, nullable_all, draft: self.draft, ..SchemaOptions::default() }
    }

    fn validator(&self, schema: &Json) -> Result<Validator, ValidationError<'static>> {
        match self.draft {
            Draft::Draft07 => jsonschema::draft7::new(schema),
            Draft::Draft202012 => jsonschema::draft202012::new(schema),
        }
    }

    fn schema(&self, conditions: CarriedConditions, nullable_all: bool) -> Json {
        let options = self.options(conditions, nullable_all);
        schema::generate(&self.module, &options).schema.to_json().to_serde()
    }

    /// Tries up to `most` values, fewer when what they show is clear.
    pub fn judge(&self, most: usize, seed: u64, nullable_all: bool) -> Evidence {
        let mut evidence = Evidence::default();
        let json = self.schema(CarriedConditions::Full, nullable_all);
        let types = self.validator(&self.schema(CarriedConditions::None, nullable_all)).unwrap();
        let validator = match self.validator(&json) {
            Ok(validator) => validator,
            Err(error) => {
                evidence.wrong.push(format!("no schema: {error}"));
                return evidence;
            }
        };
        let translation = self.translation();
        let claimed = translation.fidelity();
        let conditions: Vec<&Expr> =
            self.variable().validations.iter().map(|it| &it.condition).collect();
        let pool = Pool::of(&self.module, &conditions, &json);
        let mut random = Random::new(seed);
        // What was tried on each side, as an index: refused, accepted.
        let mut kept: [Vec<Json>; 2] = [Vec::new(), Vec::new()];
        let mut seen = BTreeSet::new();
        // The validator's word boundaries are those of Unicode, against ECMA-262.
        let ascii = json.to_string().contains(r"\\b");
        let listed = [false, true].map(|side| {
            let all = || finite::inputs(&self.module, self.variable(), &translation, side);
            (claimed == Fidelity::Exact).then(all).flatten()
        });
        let mut queue: Vec<Json> = listed.iter().flatten().flatten().cloned().collect();
        for set in [translation.region.values.clone(), translation.region.values.clone().negated()]
        {
            let sample = Sample { count: WITNESSES, seed, null: false };
            for it in witnesses(&set, &self.variable().constraint.ty, sample) {
                let mut document = self.document(&pool, [&[], &[]], &mut random);
                document[&self.name] = schema::SchemaJson::of(&it).to_serde();
                queue.push(document);
            }
        }
        let lacks = |it: &Evidence, side: usize| {
            listed[side].is_none() && [it.refused, it.accepted][side] < ENOUGH
        };
        let most = match claimed {
            Fidelity::Untranslated => most.min(ENOUGH),
            _ => most.max(queue.len()),
        };
        for _ in 0..ATTEMPTS * most {
            let document = queue.pop().unwrap_or_else(|| {
                let wanted = match (lacks(&evidence, 0), lacks(&evidence, 1)) {
                    (true, false) => 0,
                    (false, true) => 1,
                    _ => usize::from(kept[1].len() < kept[0].len()),
                };
                self.document(&pool, [&kept[wanted], &kept[1 - wanted]], &mut random)
            });
            if ascii && !document.to_string().is_ascii() {
                continue;
            }
            if !types.is_valid(&document) || !seen.insert(document.to_string()) {
                continue;
            }
            let truths = self.module.releases();
            let truths = truths.iter().map(|it| holds(&self.module, &self.name, &document, *it));
            let Some(truths) = truths.collect::<Option<Vec<bool>>>() else { continue };
            let truth = truths.contains(&true);
            let is_every = !truths.contains(&false);
            let valid = validator.is_valid(&document);
            let given = document.get(&self.name).is_some();
            evidence.tried += 1;
            evidence.witness |= !valid;
            let is_canonical = !has_long_exponent(&document);
            if truth && !valid && is_canonical {
                evidence.wrong.push(format!("{document}: stronger than the condition"));
            }
            let is_claimed = claimed == Fidelity::Exact && given && is_canonical;
            if is_claimed && !is_every && valid {
                evidence.wrong.push(format!("{document}: called exact, but weaker"));
            }
            if given {
                *(if truth { &mut evidence.accepted } else { &mut evidence.refused }) += 1;
            }
            let values = &mut evidence.values[usize::from(truth)];
            if values.len() < KEPT {
                values.push((document.clone(), valid));
            }
            let side = &mut kept[usize::from(truth)];
            if side.len() < 30 {
                side.push(document);
            } else {
                side[random.below(30)] = document;
            }
            let enough = queue.is_empty() && !lacks(&evidence, 0) && !lacks(&evidence, 1);
            let witness = evidence.witness || claimed != Fidelity::Necessary;
            if enough && witness && evidence.tried > ENOUGH || evidence.tried >= most {
                break;
            }
        }
        evidence.complete = !lacks(&evidence, 0) && !lacks(&evidence, 1);
        evidence
    }

    /// Inputs for every variable: new ones, or earlier ones with one thing changed, mostly of the
    /// first kind.
    fn document(&self, pool: &Pool, kept: [&[Json]; 2], random: &mut Random) -> Json {
        let side = if random.below(5) > 0 { kept[0] } else { kept[1] };
        let base = (!side.is_empty() && random.below(6) > 0).then(|| random.pick(side).clone());
        let mut members = match &base {
            Some(Json::Object(members)) => members.clone(),
            _ => serde_json::Map::new(),
        };
        let names: Vec<_> = self.module.variables.keys().collect();
        let changed = *random.pick(&names);
        for other in self.module.variables.values() {
            if base.is_some() && other.name != *changed {
                continue;
            }
            let often = if other.name == self.name.as_str() { 12 } else { 3 };
            if other.default.is_some() && random.below(often) == 0 {
                members.remove(other.name.as_str());
                continue;
            }
            let ty = &other.constraint.ty;
            let value = match members.get(other.name.as_str()) {
                _ if other.is_nullable() && random.below(12) == 0 => Json::Null,
                Some(it) => pool.changed(it, ty, random, 0),
                None => pool.value(ty, random, 0),
            };
            members.insert(other.name.to_string(), value);
        }
        members.into()
    }
}

/// The variables that an expression needs, those that its locals need included.
fn names(module: &Module, expr: &Expr, wanted: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) {
    for reference in tf_eval::references(expr) {
        let Some(ReferenceStep::Attribute(name)) = reference.first else { continue };
        if reference.name == "var" {
            wanted.insert(name.to_string());
        } else if reference.name == "local"
            && seen.insert(name.to_string())
            && let Some(local) = module.locals.get(name)
        {
            names(module, &local.expr, wanted, seen);
        }
    }
}

/// A JSON value as Terraform reads it.
pub fn read(json: &Json) -> Value {
    match json {
        Json::Null => Value::null(Type::Dynamic),
        Json::Bool(it) => Value::bool(*it),
        Json::Number(it) => Value::number(Number::parse(&it.to_string()).unwrap()),
        Json::String(it) => Value::string(it),
        Json::Array(elements) => Value::tuple(elements.iter().map(read).collect()),
        Json::Object(members) => {
            Value::object(members.iter().map(|(key, it)| (nfc(key), read(it))).collect())
        }
    }
}

/// The final value of every variable; `None` where Terraform refuses one.
fn inputs(module: &Module, json: &Json) -> Option<BTreeMap<SmolStr, Value>> {
    let final_value = |it: &Variable| {
        let given = json.get(it.name.as_str()).map(|json| it.constraint.accept(&read(json)));
        match given.transpose().ok()? {
            Some(value) if !value.is_null() || it.is_nullable() => Some(value),
            _ => it.default.clone(),
        }
    };
    module.variables.values().map(|it| Some((it.name.clone(), final_value(it)?))).collect()
}

/// Whether every condition of the variable is true and no message fails; `None` when one depends on what is not
/// known, or is too much to evaluate.
pub fn holds(module: &Module, name: &str, json: &Json, release: Release) -> Option<bool> {
    let data = inputs(module, json)?;
    let host = EvalHost::new(&OsSystem, ".", release);
    let values = Values::new(module, data, Some("default"), &host, release);
    let inside = values.in_rules_of(name);
    let mut all = true;
    for rule in &module.variables[name].validations {
        let (value, diagnostics) = tf_eval::evaluate(&rule.condition, &values.scope_of(&inside));
        if diagnostics.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED) {
            return None;
        }
        match value.content() {
            ValueContent::Unknown(_) if diagnostics.is_empty() => return None,
            ValueContent::Bool(it) => all &= diagnostics.is_empty() && *it,
            ValueContent::String(it) => all &= diagnostics.is_empty() && it.as_str() == "true",
            _ => all = false,
        }
        // Terraform evaluates the message in any case.
        let message = rule.error_message.as_ref().filter(|_| rule.plain_message.is_none());
        let failed = |it| !tf_eval::evaluate(it, &values.scope_of(&inside)).1.is_empty();
        all &= !message.is_some_and(failed);
    }
    Some(all)
}

/// Whether a text may be a number whose exponent Go's floats do not hold: from which on, depends on
/// its other digits, and no pattern can say it. Such a text is not canonical (`docs/schema.md`).
pub fn has_long_exponent(document: &Json) -> bool {
    has_exponent_of(9, document)
}

/// Whether a text may be a number whose exponent has as many digits, or more.
pub fn has_exponent_of(digits: usize, document: &Json) -> bool {
    let is_long = |text: &str| {
        text.split(['e', 'E', 'p', 'P']).skip(1).any(|part| {
            let exponent = part.trim_start_matches(['+', '-']);
            exponent.bytes().take_while(u8::is_ascii_digit).count() >= digits
        })
    };
    match document {
        Json::String(text) => is_long(text),
        Json::Array(elements) => elements.iter().any(|it| has_exponent_of(digits, it)),
        // A rule may read keys as numbers, too.
        Json::Object(members) => {
            members.iter().any(|(key, it)| is_long(key) || has_exponent_of(digits, it))
        }
        _ => false,
    }
}
