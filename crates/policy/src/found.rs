//! The findings of a run by one policy: a hostile plan may have millions, and nobody reads a hundred thousand.

use foldhash::HashMap;
use indexmap::IndexMap;
use smol_str::SmolStr;

use super::language::PolicyRule;
use diagnostics::{Decision, Finding, Level, MOST_OF_A_KIND};

/// Findings in order. Of each rule and outcome that many are made, and one more counts the others.
#[derive(Default)]
pub(super) struct Found {
    all: Vec<Finding>,
    numbers: HashMap<(SmolStr, Decision), usize>,
    rest: IndexMap<(SmolStr, Decision), Rest>,
    /// Whether every finding is made, for a test that asks about each object.
    keeps_all: bool,
}

/// Findings of a rule that are only counted.
struct Rest {
    first: Finding,
    number: usize,
    level: Level,
}

impl Found {
    pub fn new(keeps_all: bool) -> Found {
        Found { keeps_all, ..Found::default() }
    }

    /// The number of findings that were made.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Those that were made after the first `count` ones.
    pub fn since(&mut self, count: usize) -> &mut [Finding] {
        &mut self.all[count..]
    }

    /// Adds a finding that is about no object.
    pub fn push(&mut self, finding: Finding) {
        self.all.push(finding);
    }

    /// Adds what a rule says about an object.
    pub fn add(
        &mut self,
        rule: &PolicyRule,
        outcome: Decision,
        level: Level,
        make: impl FnOnce() -> Finding,
    ) {
        let kind = (rule.id.clone(), outcome);
        let number = self.numbers.entry(kind.clone()).or_default();
        if *number < MOST_OF_A_KIND || self.keeps_all {
            *number += 1;
            self.all.push(make());
            return;
        }
        let none = || Rest { first: make(), number: 0, level };
        let rest = self.rest.entry(kind).or_insert_with(none);
        rest.number += 1;
        rest.level = rest.level.max(level);
    }

    /// All findings, those that are only counted last.
    pub fn finish(mut self) -> Vec<Finding> {
        self.all.extend(self.rest.into_values().map(Rest::finding));
        self.all
    }
}

impl Rest {
    fn finding(self) -> Finding {
        Finding { level: self.level, ..self.first.counting(self.number) }
    }
}
