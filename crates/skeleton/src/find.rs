//! The search for values that pass: hints first, then what the sets of the rules contain, then guesses.
//!
//! Every candidate is only a candidate. What comes out was accepted by the evaluator, all arguments together.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

use smol_str::SmolStr;

use super::{
    fit::fitted,
    hints::{Hints, Topic, examples},
    polish,
    uses::Uses,
    variants::{Clues, Order, variants},
};
use compat::{Arguments, ModuleContract, Samples};
use diagnostics::Diagnostic;
use module::{Secrets, Variable};
use projection::schema::RulesInWords;
use stack::guarded;
use tf_value::{Type, Value, ValueContent};
use verdict::{ArgumentsVerdict, tree::ModuleTree};

/// How often the evaluator is asked for one module.
const QUESTIONS: usize = 1500;

/// How often it is asked to make found values nicer, for one variable.
const NICER: usize = 40;

/// How many values are guessed if the sets say nothing.
const GUESSES: usize = 120;

/// How many values of each of two variables are tried together.
const PAIRED: usize = 20;

/// How many of the first values are completed by what the module takes out of them.
const FITTED: usize = 3;

/// How many values are tried for an example of an optional variable.
const EXAMPLES: usize = 8;

/// A variable for which no value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub variable: SmolStr,
    /// The rule that no candidate passed, by its place among the variable's rules.
    pub rule: Option<usize>,
    /// Whether it is a value of the file that the rule refuses.
    pub is_given: bool,
}

/// The values that were found.
pub struct Found {
    /// A value for each variable that needs one, and those that were fixed.
    pub values: Arguments,
    pub missing: Vec<Missing>,
    /// The variables with defaults that the module rejects next to the other values.
    pub needed: BTreeSet<SmolStr>,
}

/// The search in one module.
pub struct Finder<'p, 'a> {
    contract: &'p ModuleContract<'a>,
    samples: Samples<'p, 'a>,
    hints: Hints,
    uses: Uses,
    words: &'p RulesInWords<'p>,
    left: Cell<usize>,
    /// The candidates of variables that somebody asked for.
    others: RefCell<BTreeMap<SmolStr, Vec<Value>>>,
}

/// The candidates of a variable that are left, and the number that was tried.
struct Candidates {
    all: Vec<Value>,
    at: usize,
    /// How many of them are hints, which need no polish.
    hints: usize,
    has_guesses: bool,
}

impl<'p, 'a> Finder<'p, 'a> {
    pub fn new(contract: &'p ModuleContract<'a>, words: &'p RulesInWords<'p>) -> Finder<'p, 'a> {
        Finder {
            contract,
            samples: Samples::of(contract),
            hints: Hints::of(&contract.module),
            uses: Uses::of(&contract.module, &contract.tree),
            words,
            left: Cell::new(QUESTIONS),
            others: RefCell::default(),
        }
    }

    /// Values for all variables that need one, with `fixed` as they are.
    pub fn find(&self, fixed: &Arguments) -> Found {
        let (all, missing, tried) = Default::default();
        let mut search = Search { finder: self, fixed, all, missing, tried };
        for variable in self.contract.module.variables.values() {
            if variable.is_required() && !fixed.contains_key(&variable.name) {
                search.all.insert(variable.name.clone(), self.candidates(variable));
            }
        }
        let mut values = search.run();
        let hints: BTreeSet<SmolStr> =
            search.all.iter().filter(|it| it.1.at < it.1.hints).map(|it| it.0.clone()).collect();
        if search.missing.is_empty() {
            for name in search.all.keys().filter(|it| !hints.contains(*it)) {
                values = self.polished(values, name);
            }
        }
        Found { values, missing: search.missing, needed: BTreeSet::new() }
    }

    /// The other candidates of a variable, for what only the whole module refuses.
    pub fn others(&self, name: &str) -> Vec<Value> {
        let Some(variable) = self.contract.variable(name) else { return Vec::new() };
        let mut known = self.others.borrow_mut();
        let all = known.entry(variable.name.clone());
        all.or_insert_with(|| self.candidates(variable).all).clone()
    }

    /// The units of work that its questions took.
    pub fn spent(&self) -> u64 {
        self.contract.meter().spent()
    }

    /// Values of one variable that its own rules accept, for a caller that hands on such a value.
    pub fn accepted(&self, name: &str) -> Vec<Value> {
        let Some(variable) = self.contract.variable(name) else { return Vec::new() };
        let mut all = self.candidates(variable).all;
        if !variable.validations.is_empty() {
            all.extend(self.guesses(variable));
        }
        let is_refused = |it: &Value| {
            let alone = Arguments::from([(variable.name.clone(), it.clone())]);
            let refusals = self.refusals(&alone).unwrap_or_default();
            refusals.iter().any(|problem| problem.variable.as_ref() == Some(&variable.name))
        };
        all.retain(|it| !it.is_null() && !is_refused(it));
        all
    }

    /// Variants of a variable's value by what an error is about.
    pub fn variants(&self, name: &str, value: &Value, by: (&Clues, Order)) -> Vec<Value> {
        let Some(variable) = self.contract.variable(name) else { return Vec::new() };
        let (clues, order) = by;
        let (ty, used) = (&variable.constraint.ty, self.uses.variable(name));
        let all = variants(&self.hints, name, ty, value, used, clues, order);
        self.public(variable, all)
    }

    /// The modules that the module calls.
    pub fn tree(&self) -> &ModuleTree {
        &self.contract.tree
    }

    /// An example for an optional variable that the module accepts next to the other values.
    pub fn example(&self, variable: &Variable, values: &Arguments) -> Option<Value> {
        let all = self.candidates(variable);
        let is_empty = |it: &Value| {
            it.as_sequence().is_some_and(<[Value]>::is_empty)
                || it.as_mapping().is_some_and(BTreeMap::is_empty)
        };
        let with = |it: &Value| {
            let mut with = values.clone();
            with.insert(variable.name.clone(), it.clone());
            with
        };
        let (hints, drawn) = all.all.split_at(all.hints);
        let few = |all: &[Value]| -> Vec<Value> {
            all.iter().filter(|it| !is_empty(it) && !it.is_null()).take(EXAMPLES).cloned().collect()
        };
        if let Some(it) = few(hints).into_iter().find(|it| self.accepts(&with(it))) {
            return Some(it);
        }
        let found = few(drawn).into_iter().find(|it| self.accepts(&with(it)))?;
        self.polished(with(&found), &variable.name).remove(&variable.name)
    }

    /// Whether the variables and rules accept the values, or nobody can say.
    pub fn accepts(&self, values: &Arguments) -> bool {
        self.refusals(values).is_some_and(|it| it.is_empty())
    }

    /// The errors of the values; `None` if there were too many questions.
    fn refusals(&self, values: &Arguments) -> Option<Vec<Diagnostic>> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        match self.contract.judge(values) {
            ArgumentsVerdict::Refuses(problems) => Some(problems),
            _ if self.contract.meter().is_exhausted() => None,
            ArgumentsVerdict::Accepts(_) | ArgumentsVerdict::Undecided(_) => Some(Vec::new()),
        }
    }

    fn candidates(&self, variable: &Variable) -> Candidates {
        let name = &variable.name;
        let used = self.uses.variable(name);
        let ty = &variable.constraint.ty;
        let mut texts: Vec<String> = Vec::new();
        if !variable.is_hidden() {
            let messages =
                (0..variable.validations.len()).filter_map(|it| self.words.message(variable, it));
            texts.extend(messages.flat_map(|it| examples(&it)));
            texts.extend(variable.description.iter().flat_map(|it| examples(it)));
        }
        let place = Topic { name, examples: &texts };
        let by_use = used.map(|it| self.hints.by_use(name, ty, it)).unwrap_or_default();
        let like_default = type_of_default(variable).map(|it| self.hints.values(place, it));
        let named = like_default.into_iter().flatten().chain(self.hints.values(place, ty));
        let mut all: Vec<Value> = by_use.into_iter().chain(named).collect();
        // What has no such part is of no use, even if it moves the error on.
        if let Some(used) = used.filter(|used| all.iter().any(|it| used.may_be(it, ty))) {
            all.retain(|it| used.may_be(it, ty));
        }
        self.fit(&mut all, variable);
        let any = all.clone();
        all.retain(|it| self.samples.may_be(name, it));
        let hints = all.len();
        // What is enumerated comes in the author's order.
        let finite = self.samples.finite(name).unwrap_or_default();
        let finite = finite.into_iter().filter(|_| *ty != Type::Bool);
        let others: Vec<Value> = finite.chain(self.pool(variable)).collect();
        all.extend(others);
        if all.is_empty() {
            // The rules refuse everything; these values show which rule.
            all = any;
        }
        let all = self.public(variable, all);
        Candidates { hints: hints.min(all.len()), all, at: 0, has_guesses: false }
    }

    /// Puts values before the others that have everything that the module takes out of them.
    fn fit(&self, all: &mut Vec<Value>, variable: &Variable) {
        let Some(used) = self.uses.variable(&variable.name) else { return };
        let (name, ty) = (variable.name.as_str(), &variable.constraint.ty);
        let first = all.iter().take(FITTED).map(|it| fitted(&self.hints, name, ty, it, used));
        let mut fit: Vec<Value> = first.collect();
        if *ty == Type::String {
            fit.extend(used.keys.iter().map(|it| Value::string(it.as_str())));
        }
        all.splice(..0, fit);
    }

    /// Values that the sets of the rules contain.
    fn pool(&self, variable: &Variable) -> Vec<Value> {
        if variable.validations.is_empty() { Vec::new() } else { self.samples.pool(&variable.name) }
    }

    /// The values without those that contain a hidden default.
    fn public(&self, variable: &Variable, all: Vec<Value>) -> Vec<Value> {
        let secrets = self.words.secrets();
        let mut out: Vec<Value> = Vec::new();
        for it in all {
            if !out.contains(&it) && !shows_secret(&it, variable, secrets) {
                out.push(it);
            }
        }
        out
    }

    fn guesses(&self, variable: &Variable) -> Vec<Value> {
        let all = self.samples.guesses(&variable.name, GUESSES);
        self.public(variable, all)
    }

    /// Replaces texts that nobody would write, as long as the values are accepted.
    fn polished(&self, values: Arguments, name: &SmolStr) -> Arguments {
        let Some(variable) = self.contract.variable(name) else { return values };
        let left = Cell::new(NICER);
        let is_good = |it: &Value| {
            if left.get() == 0 || !self.samples.may_be(name, it) {
                return false;
            }
            left.set(left.get() - 1);
            let mut with = values.clone();
            with.insert(name.clone(), it.clone());
            !shows_secret(it, variable, self.words.secrets()) && self.accepts(&with)
        };
        let ty = &variable.constraint.ty;
        let value = polish::polished(&self.hints, name, ty, &values[name], &is_good);
        let mut out = values.clone();
        out.insert(name.clone(), value);
        out
    }
}

/// The type of a variable's default, if the variable itself has none.
fn type_of_default(variable: &Variable) -> Option<&Type> {
    let default = variable.default.as_ref().filter(|it| !it.is_null())?;
    let is_plain = matches!(default.ty(), Type::Bool | Type::Number | Type::String);
    (is_plain && variable.constraint.ty == Type::Dynamic).then(|| default.ty())
}

/// Whether a part of the value is a default that must not be shown.
fn shows_secret(value: &Value, variable: &Variable, secrets: &Secrets) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let is_secret = |text: &str| secrets.are_in_text(Some(&variable.name), text);
    let inner = |it: &Value| guarded(|| shows_secret(it, variable, secrets));
    match value.content() {
        ValueContent::String(it) => is_secret(it),
        ValueContent::Number(it) => is_secret(&it.to_decimal()),
        ValueContent::Sequence(all) => all.iter().any(inner),
        ValueContent::Mapping(all) => all.iter().any(|(key, it)| is_secret(key) || inner(it)),
        ValueContent::Null | ValueContent::Unknown(_) | ValueContent::Bool(_) => false,
    }
}

struct Search<'s, 'p, 'a> {
    finder: &'s Finder<'p, 'a>,
    fixed: &'s Arguments,
    all: BTreeMap<SmolStr, Candidates>,
    missing: Vec<Missing>,
    /// Rules about two variables for which pairs were tried.
    tried: BTreeSet<(SmolStr, usize)>,
}

impl Search<'_, '_, '_> {
    /// Changes the variables that refusals blame until nothing is refused.
    fn run(&mut self) -> Arguments {
        loop {
            let values = self.values();
            let Some(mut problems) = self.finder.refusals(&values) else {
                self.give_up(&[]);
                return values;
            };
            problems.retain(|it| !self.is_missing(it));
            if problems.is_empty() {
                return values;
            }
            let mut changed = BTreeSet::new();
            for problem in &problems {
                let together = self.together(problem, &changed, problems.len());
                if together.is_empty() {
                    self.change(problem, &mut changed);
                }
                changed.extend(together);
            }
            if !changed.is_empty() {
                continue;
            }
            if let Some(found) = self.completed(&problems) {
                return found;
            }
            let known = self.missing.len();
            self.give_up(&problems);
            if self.missing.len() == known {
                return values;
            }
        }
    }

    fn values(&self) -> Arguments {
        let mut values = self.fixed.clone();
        for (name, it) in &self.all {
            values.extend(it.all.get(it.at).map(|value| (name.clone(), value.clone())));
        }
        values
    }

    fn is_missing(&self, problem: &Diagnostic) -> bool {
        self.missing.iter().any(|it| Some(&it.variable) == problem.variable.as_ref())
    }

    /// Tries pairs of values for a rule about two variables that both need a value. Returns what changed.
    fn together(
        &mut self,
        problem: &Diagnostic,
        changed: &BTreeSet<SmolStr>,
        count: usize,
    ) -> Vec<SmolStr> {
        let (Some(blamed), Some(index)) = (&problem.variable, problem.validation) else {
            return Vec::new();
        };
        let names = self.finder.samples.read_by_rule(blamed, index);
        let names: Vec<SmolStr> =
            names.into_iter().filter(|it| self.all.contains_key(it)).collect();
        let [first, second] = names.as_slice() else { return Vec::new() };
        if names.iter().any(|it| changed.contains(it))
            || !self.tried.insert((blamed.clone(), index))
        {
            return Vec::new();
        }
        let mut values = self.values();
        let pairs = |it: &SmolStr| self.all[it].all.len().min(PAIRED);
        for (left, right) in
            (0..pairs(first)).flat_map(|it| (0..pairs(second)).map(move |other| (it, other)))
        {
            values.insert(first.clone(), self.all[first].all[left].clone());
            values.insert(second.clone(), self.all[second].all[right].clone());
            let Some(problems) = self.finder.refusals(&values) else { return Vec::new() };
            let is_same = |it: &Diagnostic| {
                it.variable.as_ref() == Some(blamed) && it.validation == Some(index)
            };
            if problems.len() < count && !problems.iter().any(is_same) {
                for (name, at) in [(first, left), (second, right)] {
                    if let Some(it) = self.all.get_mut(name) {
                        it.at = at;
                    }
                }
                return names;
            }
        }
        Vec::new()
    }

    /// Takes the next value of the blamed variable or, if there are no more, of another one that the rule reads.
    fn change(&mut self, problem: &Diagnostic, changed: &mut BTreeSet<SmolStr>) {
        let Some(blamed) = &problem.variable else { return };
        let mut names = vec![blamed.clone()];
        if let Some(index) = problem.validation {
            names.extend(self.finder.samples.read_by_rule(blamed, index));
        }
        if names.iter().any(|it| changed.contains(it)) {
            return;
        }
        let next = names.into_iter().find(|it| self.advance(it));
        changed.extend(next);
    }

    fn advance(&mut self, name: &SmolStr) -> bool {
        if self.fixed.contains_key(name) || self.missing.iter().any(|it| it.variable == *name) {
            return false;
        }
        let finder = self.finder;
        let Some(variable) = finder.contract.variable(name) else { return false };
        let Some(own) = self.all.get_mut(name) else {
            // A rule refuses the default.
            let own = finder.candidates(variable);
            let has_one = !own.all.is_empty();
            self.all.insert(name.clone(), own);
            return has_one;
        };
        if own.at + 1 >= own.all.len() && !own.has_guesses && !variable.validations.is_empty() {
            own.has_guesses = true;
            let new = finder.guesses(variable);
            own.all.extend(new);
        }
        let has_next = own.at + 1 < own.all.len();
        own.at += usize::from(has_next);
        has_next
    }

    /// The values of variables that no problem is about, completed from the sets of all rules together.
    fn completed(&mut self, problems: &[Diagnostic]) -> Option<Arguments> {
        let mut open: BTreeSet<SmolStr> = BTreeSet::new();
        for it in problems {
            let blamed = it.variable.clone()?;
            if let Some(index) = it.validation {
                open.extend(self.finder.samples.read_by_rule(&blamed, index));
            }
            open.insert(blamed);
        }
        let mut kept = self.values();
        kept.retain(|name, _| self.fixed.contains_key(name) || !open.contains(name));
        let found = self.finder.samples.complete(&kept)?;
        let secrets = self.finder.words.secrets();
        let is_public = found.iter().all(|(name, value)| {
            let variable = self.finder.contract.variable(name);
            variable.is_some_and(|it| !shows_secret(value, it, secrets))
        });
        if !is_public || !self.finder.accepts(&found) {
            return None;
        }
        // These were drawn, so they can be nicer.
        for name in &open {
            if let Some(it) = self.all.get_mut(name) {
                it.at = it.hints;
            }
        }
        Some(found)
    }

    /// Notes the blamed variables as missing; all of them if nobody is blamed.
    fn give_up(&mut self, problems: &[Diagnostic]) {
        for it in problems {
            let Some(variable) = it.variable.clone() else { continue };
            if !self.missing.iter().any(|it| it.variable == variable) {
                let is_given = self.fixed.contains_key(&variable);
                self.missing.push(Missing { variable, rule: it.validation, is_given });
            }
        }
    }
}
