//! Judges the found values as a values file of the whole module, and repairs what only the whole module refuses.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::PathBuf,
};

use smol_str::SmolStr;

use super::{
    find::{Finder, Found},
    hints::is_open,
    suspects::{Around, HandedOn, Suspect, is_certain, suspects},
    write::{self, Shape},
};
use check::{Judging, ReadModule};
use compat::{Arguments, ModuleContract};
use diagnostics::{Finding, Level, Verdict, lints};
use module::{
    Variable, WordsOf,
    inputs::{InputArgument, InputRequest},
};
use projection::schema::{AttributeComments, RulesInWords, words_of};
use system::{System, paths};
use tf_eval::Meter;
use tf_value::{DYNAMIC, Value};
use verdict::{JudgeSetting, Loaded, tree::ContractDirectories};

/// How many other values are tried: for variables that have a value, and for optional ones that an error may follow
/// from.
const TRIES: usize = 80;
const OPTIONAL_TRIES: usize = 60;

/// How many of them for one variable: that an error is about, for others, and for an optional one.
const RELEVANT: usize = 40;
const OF_ONE: usize = 5;
const OF_OPTIONAL: usize = 16;

/// How many times errors are looked for that others hide.
const HIDDEN: usize = 4;

/// What the module says about the values.
#[derive(Clone)]
pub struct Judged {
    /// Without the errors that no values change.
    pub verdict: Verdict,
    pub findings: Vec<Finding>,
    /// The errors that no values change, such as a file that is not there.
    pub certain: Vec<Finding>,
    /// What was not decided, if the verdict is `Undecided`.
    pub undecided: Vec<Finding>,
}

/// A module with everything that it calls.
#[derive(Clone, Copy)]
pub struct Whole<'s> {
    pub system: &'s dyn System,
    pub module: &'s ReadModule,
    pub contracts: Option<&'s dyn ContractDirectories>,
    /// The units of work that were spent on trying values.
    pub work: &'s Cell<u64>,
    /// How many may be spent.
    pub most: u64,
}

/// The units of work for trying values: a few seconds.
pub const WORK: u64 = 40_000_000;

/// What it costs to follow an error to the variables, and to ask the variables' own rules.
const FOLLOWING: u64 = 10_000;
const ASKING: u64 = 1_000;

/// What the values are judged next to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// Nothing else.
    Alone,
    /// The values files of the directory and the environment, as `validate` does it.
    All,
}

impl Whole<'_> {
    /// Judges the values; while the module rejects them, tries others for the variables that are not fixed.
    pub fn judge(&self, finder: &Finder<'_, '_>, found: &mut Found, fixed: &Arguments) -> Judged {
        let mut judged = self.judge_once(&found.values, &[]);
        if judged.verdict == Verdict::Reject {
            let mut certain = self.certain();
            judged = self.judge_once(&found.values, &certain);
            let (module, tree) = (self.module.module(), finder.tree());
            // One error may hide others.
            for _ in 0..HIDDEN {
                let further = judged.findings.iter().filter(|it| is_certain(module, tree, it));
                let known = certain.len();
                certain.extend(further.cloned());
                if certain.len() == known {
                    break;
                }
                judged = self.judge_once(&found.values, &certain);
            }
        }
        if !found.missing.is_empty() {
            return judged;
        }
        let before = (judged.clone(), found.values.clone(), found.needed.clone());
        let handed = BTreeMap::new();
        let mut search = Search { whole: *self, finder, found, judged, is_strict: true, handed };
        search.set_apart(fixed);
        // What comes next must have its part of the work.
        search.whole.most = self.most / 2;
        search.repair(fixed);
        search.whole.most = self.most;
        search.change_together(fixed);
        // A default without the attributes that are taken is not a fault of the other values.
        search.set_optional_of_errors(fixed, usize::MAX, |it| is_open(&it.constraint.ty));
        search.change_values(fixed);
        search.set_optional(fixed);
        if search.is_rejected() {
            // Values that only lead to other errors are worse to start from.
            let is_new = |it: &Finding| !before.0.findings.iter().any(|other| is_same(other, it));
            let now = &search.judged.findings;
            let is_better = now.len() < before.0.findings.len() || !now.iter().any(is_new);
            let best = match is_better {
                true => {
                    let (values, needed) = (&search.found.values, &search.found.needed);
                    (search.judged.clone(), values.clone(), needed.clone())
                }
                false => before.clone(),
            };
            // The other way round, from the start.
            search.is_strict = false;
            (search.judged, search.found.values, search.found.needed) = before;
            search.change_values(fixed);
            search.set_optional(fixed);
            if search.is_rejected() {
                (search.judged, search.found.values, search.found.needed) = best;
            }
        }
        search.judged
    }

    /// Whether the module does not reject the values; false if there is no work left.
    pub fn accepts(&self, values: &Arguments) -> bool {
        self.judge_within(values, &[]).is_some_and(|it| it.verdict != Verdict::Reject)
    }

    /// Judges values that are tried; `None` if there is no work left.
    pub fn judge_within(&self, values: &Arguments, certain: &[Finding]) -> Option<Judged> {
        self.has_work().then(|| self.judge_once(values, certain))
    }

    pub fn has_work(&self) -> bool {
        self.work.get() < self.most
    }

    pub fn charge(&self, units: u64) {
        self.work.set(self.work.get().saturating_add(units));
    }

    /// The errors that the module has with all values.
    fn certain(&self) -> Vec<Finding> {
        let Whole { system, module, contracts, .. } = *self;
        let meter = &Meter::default();
        let dir = &module.module().dir;
        let mut loaded = Loaded::new(module.module().clone());
        let words: Option<WordsOf> = Some(words_of);
        let setting =
            JudgeSetting { words, ..JudgeSetting::new(system, dir, module.release(), meter) };
        let request = InputRequest { dir: dir.clone(), ..InputRequest::default() };
        let mut found = loaded.follow_initialised(&request, contracts, setting);
        found.extend(loaded.judge_all_alone(setting).diagnostics);
        let shown = paths::display(dir);
        let errors = found.iter().filter(|it| it.is_error());
        let errors = errors.map(|it| Finding::new(it, &shown, &loaded.sources));
        let of_reading = module.findings().into_iter().filter(|it| it.level == Level::Error);
        of_reading.chain(errors).collect()
    }

    fn judge_once(&self, values: &Arguments, certain: &[Finding]) -> Judged {
        self.judge_text(NATIVE, values_text(values), certain, Company::Alone)
    }

    /// Judges a values file by its name and its text.
    pub fn judge_text(
        &self,
        name: &str,
        text: String,
        certain: &[Finding],
        company: Company,
    ) -> Judged {
        let (dir, all) = (self.module.module().dir.clone(), company == Company::All);
        let arguments = vec![InputArgument::Text(name.to_owned(), text)];
        let inputs = InputRequest { dir, arguments, environment: all, auto_files: all };
        let goes_on = !certain.is_empty();
        let judging = Judging { goes_on, contracts: self.contracts };
        let (report, spent) = self.module.judge_counted(self.system, &inputs, judging);
        self.charge(spent);
        let verdict = report.verdict().unwrap_or(Verdict::Undecided);
        let (errors, others): (Vec<_>, Vec<_>) =
            report.findings.into_iter().partition(|it| it.level == Level::Error);
        let is_certain = |it: &Finding| certain.iter().any(|other| is_same(other, it));
        let (certain, mut findings): (Vec<_>, Vec<_>) = errors.into_iter().partition(is_certain);
        let is_rejected = verdict == Verdict::Reject && !findings.is_empty();
        let verdict = match verdict {
            Verdict::Reject if !is_rejected => Verdict::Undecided,
            other => other,
        };
        let mut undecided = Vec::new();
        if verdict == Verdict::Undecided {
            undecided.append(&mut findings);
            undecided
                .extend(others.into_iter().filter(|it| it.rule == lints::UNDECIDED_VALIDATION));
        }
        Judged { verdict, findings, certain, undecided }
    }
}

/// The name of a values file that nobody has written, and of one in JSON.
pub const NATIVE: &str = "skeleton.tfvars";
pub const JSON: &str = "skeleton.tfvars.json";

/// A values file with the values.
pub fn values_text(values: &Arguments) -> String {
    let mut text = String::new();
    let comments = AttributeComments::default();
    let shape =
        Shape { ty: &DYNAMIC, defaults: None, comments: &comments, with_optional: false, depth: 0 };
    for (name, value) in values {
        _ = writeln!(text, "{name} = {}", write::lines(value, shape).join("\n"));
    }
    text
}

/// Whether two errors say the same.
pub fn is_same(it: &Finding, other: &Finding) -> bool {
    it.rule == other.rule && it.message == other.message
}

/// Whether a variable has a default that nobody may see. An empty one has nothing to hide.
pub fn hides_default(variable: &Variable) -> bool {
    let is_empty = |it: &Value| {
        let elements = it.as_sequence().map(<[Value]>::len).or(it.as_mapping().map(BTreeMap::len));
        it.is_null() || elements == Some(0)
    };
    variable.is_hidden() && !variable.default.as_ref().is_some_and(is_empty)
}

/// The search for values that the whole module accepts.
pub struct Search<'s, 'p, 'a> {
    pub(super) whole: Whole<'s>,
    pub(super) finder: &'s Finder<'p, 'a>,
    pub(super) found: &'s mut Found,
    pub(super) judged: Judged,
    /// Whether fewer errors do not count if a new one is among them, and new ones may take the place of others.
    is_strict: bool,
    /// The values that called modules accept, by their directories and variables.
    handed: BTreeMap<(PathBuf, SmolStr), Vec<Value>>,
}

impl<'s> Search<'s, '_, '_> {
    pub(super) fn is_rejected(&self) -> bool {
        self.judged.verdict == Verdict::Reject
    }

    /// The variables that the errors may follow from, and further values for them; the nearest first.
    fn suspects(&mut self) -> Vec<(SmolStr, Vec<Value>)> {
        let mut out: Vec<(SmolStr, Vec<Value>)> = Vec::new();
        for finding in self.judged.findings.clone().iter().take(FOLLOWED) {
            for Suspect { name, handed_on } in self.suspects_of(finding, Around::Block) {
                if out.iter().any(|it| it.0 == name) {
                    continue;
                }
                let further = handed_on.map_or_else(Vec::new, |it| self.accepted_by(&it));
                out.push((name, further));
            }
        }
        out
    }

    /// Values that the rules of a called module's variable may accept.
    fn accepted_by(&mut self, it: &HandedOn<'_>) -> Vec<Value> {
        let dir = &it.to.module.module.dir;
        let key = (dir.clone(), it.variable.clone());
        if let Some(known) = self.handed.get(&key) {
            return known.clone();
        }
        if !self.whole.has_work() {
            return Vec::new();
        }
        let release = self.whole.module.release();
        let contract = ModuleContract::load(self.whole.system, dir, release, &Meter::default());
        let Ok(contract) = contract else { return Vec::new() };
        let words = RulesInWords::of(&contract.module);
        let found = Finder::new(&contract, &words).accepted(&it.variable);
        self.whole.charge(contract.meter().spent().saturating_add(FOLLOWING));
        self.handed.insert(key, found.clone());
        found
    }

    /// The variables that an error may follow from; none if there is no work left.
    pub(super) fn suspects_of(&self, error: &Finding, around: Around) -> Vec<Suspect<'s>> {
        if !self.whole.has_work() {
            return Vec::new();
        }
        self.whole.charge(FOLLOWING);
        suspects(self.whole.module.module(), self.finder.tree(), error, around)
    }

    /// Whether the variables and their rules accept the values, and there is work left.
    pub(super) fn accepts(&self, values: &Arguments) -> bool {
        if !self.whole.has_work() {
            return false;
        }
        let before = self.finder.spent();
        let is_accepted = self.finder.accepts(values);
        let spent = self.finder.spent().saturating_sub(before);
        self.whole.charge(spent.saturating_add(ASKING));
        is_accepted
    }

    /// Tries other values for the variables that have one, those first that errors may follow from.
    fn change_values(&mut self, fixed: &Arguments) {
        let mut left = TRIES;
        let suspects = self.suspects();
        let is_open = |it: &&SmolStr| !fixed.contains_key(*it);
        let all: Vec<SmolStr> = self.found.values.keys().filter(is_open).cloned().collect();
        let named = suspects.iter().map(|it| it.0.clone()).filter(|it| all.contains(it));
        let mut names: Vec<SmolStr> = named.collect();
        names
            .extend(all.iter().filter(|it| !suspects.iter().any(|other| other.0 == **it)).cloned());
        for name in names {
            let suspect = suspects.iter().find(|it| it.0 == name);
            let most = if suspect.is_some() { RELEVANT } else { OF_ONE };
            let further = suspect.map(|it| it.1.clone()).unwrap_or_default();
            let values = further.into_iter().chain(self.finder.others(&name)).take(most);
            for value in values {
                if left == 0 || !self.is_rejected() || !self.whole.has_work() {
                    return;
                }
                left -= usize::from(self.attempt(&name, value, 0).is_some());
            }
        }
    }

    /// Tries values for optional variables that errors may follow from. Values that only move the errors on are kept if
    /// fewer are left in the end.
    fn set_optional(&mut self, fixed: &Arguments) {
        let before = (self.judged.clone(), self.found.values.clone(), self.found.needed.clone());
        let most = if self.is_strict { MOVED } else { 0 };
        self.set_optional_of_errors(fixed, most, |_| true);
        if self.is_rejected() && self.judged.findings.len() >= before.0.findings.len() {
            (self.judged, self.found.values, self.found.needed) = before;
        }
    }

    fn set_optional_of_errors(
        &mut self,
        fixed: &Arguments,
        most: usize,
        is_wanted: impl Fn(&Variable) -> bool,
    ) {
        let mut left = OPTIONAL_TRIES;
        let mut done = BTreeSet::new();
        while self.is_rejected() && left > 0 && self.whole.has_work() {
            let all = self.suspects();
            let is_open = |name: &SmolStr| {
                let variable = self.whole.module.module().variables.get(name);
                variable.is_some_and(|it| !hides_default(it) && is_wanted(it))
                    && !fixed.contains_key(name)
                    && !self.found.values.contains_key(name)
                    && !done.contains(name)
            };
            let Some((name, further)) = all.into_iter().find(|it| is_open(&it.0)) else {
                return;
            };
            done.insert(name.clone());
            let values = further.into_iter().chain(self.finder.others(&name));
            let values: Vec<Value> = values.take(OF_OPTIONAL).collect();
            for most in [0, most] {
                for value in &values {
                    if left == 0 || self.found.needed.contains(&name) {
                        break;
                    }
                    let answer = self.attempt(&name, value.clone(), most);
                    left -= usize::from(answer.is_some());
                    if answer == Some(true) {
                        self.found.needed.insert(name.clone());
                    }
                }
            }
        }
    }

    /// Tries a value, and keeps it if there are fewer errors, or only new ones and at most `most`. `None` if the
    /// variables refuse it already.
    fn attempt(&mut self, name: &SmolStr, value: Value, most: usize) -> Option<bool> {
        let mut other = self.found.values.clone();
        other.insert(name.clone(), value);
        if other == self.found.values || !self.accepts(&other) {
            return None;
        }
        let next = self.whole.judge_within(&other, &self.judged.certain)?;
        let (old, new) = (&self.judged.findings, &next.findings);
        let is_new = |it: &Finding| !old.iter().any(|other| is_same(other, it));
        // An expression that fails hides others, so fewer errors may be worse ones.
        let hides = self.is_strict && old.iter().any(|it| it.rule == lints::FAILED_EVALUATION);
        let is_better = next.verdict != Verdict::Reject
            || new.len() < old.len() && !(hides && new.iter().any(is_new))
            || new.len() <= most && new.iter().all(is_new);
        if is_better {
            (self.judged, self.found.values) = (next, other);
        }
        Some(is_better)
    }
}

/// How many new errors may take the place of others.
const MOVED: usize = 3;

/// How many errors are followed to the variables.
const FOLLOWED: usize = 5;
