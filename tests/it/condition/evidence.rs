//! What generated values show of one condition's translation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use smol_str::SmolStr;
use terraschema::{
    condition::{self, Constraint, Fidelity, Length, Translation},
    eval::{self, EvalHost, Step},
    module::{Environment, Module, Values, Variable},
    schema::{self, Conditions, Options},
    syntax::Expr,
    system::OsSystem,
    value::{Content, Number, Type, Value, nfc},
    version::Version,
};

use super::{
    matching,
    values::{Pool, Random},
};

/// How many values of each kind an exact translation has to be right about.
const ENOUGH: usize = 50;

/// The most values of a finite domain that are all tried.
const DOMAIN: usize = 300;

/// A variable with one condition, in a module of what the condition refers to.
pub struct Subject {
    pub module: Module,
    pub name: String,
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
        let mut module = Module {
            dir: module.dir.clone(),
            variables: module.variables.clone(),
            locals: module.locals.clone(),
            declared: module.declared.clone(),
            ..Module::default()
        };
        module.variables.retain(|name, _| wanted.contains(name.as_str()));
        for (name, other) in &mut module.variables {
            let validations = std::mem::take(&mut other.validations);
            if *name == variable.name {
                other.validations = validations.into_iter().skip(index).take(1).collect();
            }
        }
        Subject { module, name: variable.name.to_string() }
    }

    fn variable(&self) -> &Variable {
        &self.module.variables[self.name.as_str()]
    }

    pub fn translation(&self) -> Translation {
        condition::translate(&self.module, self.variable()).remove(0)
    }

    fn schema(&self, conditions: Conditions) -> Json {
        let options = Options { conditions, ..Options::default() };
        schema::generate(&self.module, &options).schema.to_json().to_serde()
    }

    /// Tries up to `most` values, fewer when what they show is clear.
    pub fn judge(&self, most: usize, seed: u64) -> Evidence {
        let mut evidence = Evidence::default();
        let json = self.schema(Conditions::Full);
        let types = jsonschema::draft7::new(&self.schema(Conditions::None)).unwrap();
        let validator = match jsonschema::draft7::new(&json) {
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
        let mut kept: [Vec<Json>; 2] = [Vec::new(), Vec::new()];
        let mut seen = BTreeSet::new();
        // The validator's word boundaries are those of Unicode, against ECMA-262.
        let ascii = json.to_string().contains(r"\\b");
        let domain = self.domain();
        let limits = [true, false].map(|it| self.count(&translation, it).unwrap_or(ENOUGH));
        let limits = limits.map(|it| it.min(ENOUGH));
        let mut queue = domain.clone().unwrap_or_default();
        let attempts = match &domain {
            Some(all) => all.len(),
            None if claimed == Fidelity::Untranslated => most.min(ENOUGH),
            None => most,
        };
        for attempt in 0..attempts {
            let document = match queue.pop() {
                Some(it) => it,
                None => self.document(&pool, &kept, &mut random),
            };
            if ascii && !document.to_string().is_ascii() {
                continue;
            }
            if !types.is_valid(&document) || !seen.insert(document.to_string()) {
                continue;
            }
            let Some(truth) = holds(&self.module, &self.name, &document, Version::NEWEST) else {
                continue;
            };
            let old = holds(&self.module, &self.name, &document, Version::new(1, 11, 4));
            let valid = validator.is_valid(&document);
            let given = document.get(&self.name).is_some();
            evidence.tried += 1;
            evidence.witness |= !valid;
            if (truth || old == Some(true)) && !valid {
                evidence.wrong.push(format!("{document}: stronger than the condition"));
            }
            if claimed == Fidelity::Exact && given && !truth && valid {
                evidence.wrong.push(format!("{document}: called exact, but weaker"));
            }
            if given {
                *(if truth { &mut evidence.accepted } else { &mut evidence.refused }) += 1;
            }
            let side = &mut kept[usize::from(truth)];
            if side.len() < 30 {
                side.push(document);
            } else {
                side[random.below(30)] = document;
            }
            let enough = evidence.accepted >= limits[0] && evidence.refused >= limits[1];
            if enough && attempt > ENOUGH && (evidence.witness || claimed != Fidelity::Necessary) {
                break;
            }
        }
        let enough = evidence.accepted >= limits[0] && evidence.refused >= limits[1];
        evidence.complete = domain.is_some() || enough;
        evidence
    }

    /// Inputs for every variable: new ones, or earlier ones with one thing changed, the rarer kind
    /// more often.
    fn document(&self, pool: &Pool, kept: &[Vec<Json>; 2], random: &mut Random) -> Json {
        let rarer = usize::from(kept[1].len() < kept[0].len());
        let side = if random.below(4) > 0 { &kept[rarer] } else { &kept[1 - rarer] };
        let base = (!side.is_empty() && random.below(4) > 0).then(|| random.pick(side).clone());
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
                _ if other.is_nullable() && random.below(30) == 0 => Json::Null,
                Some(it) => pool.changed(it, ty, random, 0),
                None => pool.value(ty, random, 0),
            };
            members.insert(other.name.to_string(), value);
        }
        members.into()
    }

    /// Every input there can be, when they are few.
    fn domain(&self) -> Option<Vec<Json>> {
        let mut out = vec![serde_json::Map::new()];
        for variable in self.module.variables.values() {
            let mut choices: Vec<Option<Json>> =
                domain(&variable.constraint.ty)?.into_iter().map(Some).collect();
            choices.push(Some(Json::Null));
            if variable.default.is_some() {
                choices.push(None);
            }
            if out.len() * choices.len() > DOMAIN {
                return None;
            }
            let with = |members: &serde_json::Map<String, Json>| {
                let members = members.clone();
                choices
                    .iter()
                    .map(move |choice| {
                        let mut members = members.clone();
                        if let Some(it) = choice {
                            members.insert(variable.name.to_string(), it.clone());
                        }
                        members
                    })
                    .collect::<Vec<_>>()
            };
            out = out.iter().flat_map(with).collect();
        }
        Some(out.into_iter().map(Json::from).collect())
    }

    /// How many inputs the constraint accepts (or refuses), when they are finitely many.
    fn count(&self, translation: &Translation, accepted: bool) -> Option<usize> {
        let constraint = &translation.region.values;
        if self.module.variables.len() > 1 || translation.inputs != Constraint::Anything {
            return (!accepted
                && *constraint == Constraint::Anything
                && translation.inputs == Constraint::Anything)
                .then_some(0);
        }
        count(constraint, &self.variable().constraint.ty, accepted)
    }
}

/// The variables that an expression needs, those that its locals need included.
fn names(module: &Module, expr: &Expr, wanted: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) {
    for reference in eval::references(expr) {
        let Some(Step::Attribute(name)) = reference.steps.first() else { continue };
        if reference.name == "var" {
            wanted.insert(name.to_string());
        } else if reference.name == "local"
            && seen.insert(name.to_string())
            && let Some(local) = module.locals.get(*name)
        {
            names(module, &local.expr, wanted, seen);
        }
    }
}

fn domain(ty: &Type) -> Option<Vec<Json>> {
    match ty {
        Type::Bool => Some(vec![true.into(), false.into()]),
        Type::Object(object) => {
            let mut out = vec![serde_json::Map::new()];
            for (name, ty) in &object.attributes {
                let choices = domain(ty)?;
                let optional = object.optional.contains(name);
                if out.len() * (choices.len() + 1) > DOMAIN {
                    return None;
                }
                let mut longer = Vec::new();
                for members in &out {
                    longer.extend(optional.then(|| members.clone()));
                    for it in &choices {
                        let mut members = members.clone();
                        members.insert(name.to_string(), it.clone());
                        longer.push(members);
                    }
                }
                out = longer;
            }
            Some(out.into_iter().map(Json::from).collect())
        }
        _ => None,
    }
}

/// How many values of the type are in the constraint, or outside of it, when that is known to be a
/// small number.
fn count(constraint: &Constraint, ty: &Type, inside: bool) -> Option<usize> {
    let each = |parts: &[Constraint]| -> Vec<Option<usize>> {
        parts.iter().map(|it| count(it, ty, inside)).collect()
    };
    let least = |it: Vec<Option<usize>>| it.into_iter().flatten().min();
    let sum = |it: Vec<Option<usize>>| it.into_iter().sum::<Option<usize>>();
    match (constraint, inside) {
        (Constraint::Nothing, true) | (Constraint::Anything, false) => Some(0),
        (Constraint::OneOf(values), true) => Some(values.iter().filter(|it| it.ty() == ty).count()),
        (Constraint::Not(inner), _) => count(inner, ty, !inside),
        (Constraint::All(parts), true) | (Constraint::Either(parts), false) => least(each(parts)),
        (Constraint::Either(parts), true) | (Constraint::All(parts), false) => sum(each(parts)),
        (Constraint::Length(_, Length { max: Some(0), .. }), true)
        | (Constraint::Length(_, Length { min: Some(1), max: None }), false) => Some(1),
        (Constraint::Matches(pattern), true) if *ty == Type::String => {
            matching::language(&matching::parse(pattern)?, 2 * ENOUGH).map(|it| it.len())
        }
        // How many attributes an object has says nothing.
        (Constraint::Length(..), false) if matches!(ty, Type::Object(_) | Type::Tuple(_)) => {
            Some(0)
        }
        // Sets in every order.
        (Constraint::Items(element), true) if let Type::Set(inner) = ty => {
            let choices = count(element, inner, true).filter(|it| *it <= 8)?;
            let orders = (0..=choices).map(|it| (choices - it + 1..=choices).product::<usize>());
            Some(orders.sum())
        }
        (Constraint::Member { name, required, values }, _) => {
            let object = ty.as_object()?;
            let others = object.attributes.iter().filter(|it| it.0 != name);
            let choices = |(name, ty): (&SmolStr, &Type)| {
                Some(domain(ty)?.len() + usize::from(object.optional.contains(name)))
            };
            let others = others.map(choices).product::<Option<usize>>()?;
            let absent = *required != inside && object.optional.contains(name);
            let own = count(values, object.attributes.get(name)?, inside)?;
            Some(others * (own + usize::from(absent)))
        }
        _ => None,
    }
}

/// A JSON value as Terraform reads it.
fn read(json: &Json) -> Value {
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

/// Whether every condition of the variable is true; `None` when one depends on what is not known.
pub fn holds(module: &Module, name: &str, json: &Json, version: Version) -> Option<bool> {
    let data = inputs(module, json)?;
    let host = EvalHost::new(&OsSystem, ".", version);
    let environment =
        Environment { working_dir: "/".to_owned(), workspace: Some("default".to_owned()) };
    let values = Values::new(module, data, environment, &host, version);
    let inside = values.in_rules_of(name);
    let mut all = true;
    for rule in &module.variables[name].validations {
        let (value, diagnostics) = eval::evaluate(&rule.condition, &values.rule_scope(&inside));
        match value.content() {
            Content::Unknown(_) if diagnostics.is_empty() => return None,
            Content::Bool(it) => all &= diagnostics.is_empty() && *it,
            Content::String(it) => all &= diagnostics.is_empty() && it.as_str() == "true",
            _ => all = false,
        }
    }
    Some(all)
}
