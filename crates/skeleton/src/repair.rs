//! Changes single parts of values by what the errors of the whole module are about.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::{
    files,
    suspects::{Around, clues},
    variants::{Clues, Order},
    whole::{Judged, Search, hides_default, is_same},
};
use compat::Arguments;
use diagnostics::{Finding, Verdict};
use tf_value::{Value, ValueContent};

/// How many errors are repaired one after the other, and how many variants are tried for one of them.
const STEPS: usize = 24;
const VARIANTS: usize = 60;

/// How many variants are tried in all.
const TRIES: usize = 160;

/// How many variables vary for one error.
const VARIABLES: usize = 4;

/// How many texts of other values are tried, and after how many of the error's own.
const NEIGHBOURS: usize = 5;
const OWN_TEXTS: usize = 4;

/// The texts in a value, and its keys.
fn leaves(value: &Value, out: &mut BTreeSet<SmolStr>) {
    stack::guarded(|| match value.content() {
        ValueContent::String(it) => _ = out.insert(SmolStr::new(it)),
        ValueContent::Sequence(all) => all.iter().for_each(|it| leaves(it, out)),
        ValueContent::Mapping(all) => {
            for (key, it) in all.iter() {
                out.insert(key.clone());
                leaves(it, out);
            }
        }
        _ => (),
    });
}

/// How many values of an optional variable vary that has none.
const BEGINNINGS: usize = 4;

/// How values are repaired.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// What stays as it is.
    fixed: &'a Arguments,
    order: Order,
    /// Whether the texts of other values are tried, and variables without a default before those with one.
    reads_others: bool,
}

impl Search<'_, '_, '_> {
    /// Repairs the values in one way after the other: each has its own tries, and finds values that the others miss.
    pub(super) fn repair(&mut self, fixed: &Arguments) {
        for reads_others in [true, false] {
            for order in [Order::AddsMore, Order::TakesAway] {
                if self.is_rejected() {
                    self.repair_in(Way { fixed, order, reads_others });
                }
            }
        }
    }

    /// Repairs one error after the other, as long as none comes back. Keeps nothing if errors are left in the end.
    fn repair_in(&mut self, way: Way<'_>) {
        let before = (self.judged.clone(), self.found.values.clone(), self.found.needed.clone());
        let mut seen: Vec<Finding> = Vec::new();
        let mut left = TRIES;
        for _ in 0..STEPS {
            if !self.is_rejected() {
                return;
            }
            seen.extend(self.judged.findings.iter().cloned());
            let errors = self.judged.findings.clone();
            let is_changed =
                errors.iter().any(|error| self.repair_one(error, &seen, way, &mut left));
            if !is_changed {
                break;
            }
        }
        if self.is_rejected() {
            (self.judged, self.found.values, self.found.needed) = before;
        }
    }

    /// Tries variants until an error is gone and none that was there before is new.
    fn repair_one(
        &mut self,
        error: &Finding,
        seen: &[Finding],
        way: Way<'_>,
        left: &mut usize,
    ) -> bool {
        let module = self.whole.module.module();
        let mut clues = clues(module, self.finder.tree(), error);
        self.add_files(error, &mut clues);
        if way.reads_others {
            self.add_neighbours(error, &mut clues);
        }
        let all = self.suspects_of(error, Around::Block);
        let is_open = |it: &SmolStr| {
            let variable = module.variables.get(it);
            let is_hidden = variable.is_none_or(hides_default);
            !way.fixed.contains_key(it) && (!is_hidden || self.found.values.contains_key(it))
        };
        let mut open: Vec<SmolStr> = all.into_iter().map(|it| it.name).filter(is_open).collect();
        if way.reads_others {
            // A default is kept if another value fits it.
            open.sort_by_key(|it| !self.found.values.contains_key(it));
        }
        for name in open.into_iter().take(VARIABLES) {
            for value in self.variants_of(&name, (&clues, way.order)).into_iter().take(VARIANTS) {
                let Some(rest) = left.checked_sub(1) else { return false };
                let mut other = self.found.values.clone();
                other.insert(name.clone(), value);
                if other == self.found.values || !self.accepts(&other) {
                    continue;
                }
                *left = rest;
                let Some(next) = self.whole.judge_within(&other, &self.judged.certain) else {
                    return false;
                };
                if self.is_step(error, &next, seen) {
                    (self.judged, self.found.values) = (next, other);
                    let variable = module.variables.get(&name);
                    if variable.is_some_and(|it| !it.is_required()) {
                        self.found.needed.insert(name);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Adds texts that name files which are there, if the error is about one that is not.
    fn add_files(&self, error: &Finding, clues: &mut Clues) {
        let dir = &self.whole.module.module().dir;
        let Some(path) = files::missing(error, dir) else { return };
        let mut texts = BTreeSet::new();
        self.found.values.values().for_each(|it| leaves(it, &mut texts));
        let place = error.locations.first().map(|it| it.excerpt.text.as_str());
        let found =
            files::candidates(self.whole.system, dir, &path, place.unwrap_or_default(), &texts);
        clues.texts.splice(..0, found);
    }

    /// Adds the texts in the values of other variables that the error depends on, and their keys: one may be looked up
    /// in the other.
    fn add_neighbours(&self, error: &Finding, clues: &mut Clues) {
        let module = self.whole.module.module();
        let all = self.suspects_of(error, Around::Attribute);
        let mut texts = BTreeSet::new();
        for it in all.iter().take(VARIABLES) {
            let default = module.variables.get(&it.name).filter(|it| !it.is_hidden());
            let default = default.and_then(|it| it.default.as_ref());
            let value = self.found.values.get(&it.name).or(default);
            value.iter().for_each(|it| leaves(it, &mut texts));
        }
        let new = texts.into_iter().filter(|it| !clues.texts.contains(it)).take(NEIGHBOURS);
        let at = clues.texts.len().min(OWN_TEXTS);
        let new: Vec<SmolStr> = new.collect();
        clues.texts.splice(at..at, new);
    }

    fn is_step(&self, error: &Finding, next: &Judged, seen: &[Finding]) -> bool {
        if next.verdict != Verdict::Reject {
            return true;
        }
        let current = &self.judged.findings;
        let is_fine = |it: &Finding| is_among(current, it) || !is_among(seen, it);
        !is_among(&next.findings, error) && next.findings.iter().all(is_fine)
    }

    /// The variants of what a variable has; of what it may have if it has nothing.
    fn variants_of(&self, name: &SmolStr, by: (&Clues, Order)) -> Vec<Value> {
        let variable = self.whole.module.module().variables.get(name);
        let default = variable.and_then(|it| it.default.clone()).filter(|it| !it.is_null());
        let current = self.found.values.get(name).cloned().or(default);
        let current = current.filter(|it| !it.is_null());
        let others = self.finder.others(name).into_iter().take(BEGINNINGS);
        match current {
            // A default may have another kind than the value that is used.
            Some(it) => self.finder.variants(name, &it, by).into_iter().chain(others).collect(),
            None => others.collect(),
        }
    }
}

/// Whether an error is among others, at the same place.
fn is_among(all: &[Finding], it: &Finding) -> bool {
    let place = |it: &Finding| {
        it.locations.first().map(|place| (place.file.clone(), place.line, place.column))
    };
    let is_here = |other: &Finding| is_same(other, it) && place(other) == place(it);
    all.iter().any(|other| is_here(other) && other.address == it.address)
}
