//! Counts objects: `count "TYPE" { min = 1, max = 3 }`.

use smol_str::SmolStr;

use super::{
    findings::Verdict,
    found::Found,
    language::{BlockKind, BlockPattern, Count, Policy, PolicyRule},
    validate::Outcome,
};
use diagnostics::Span;
use tf_value::Path;

/// A `count` block and its rule.
#[derive(Clone, Copy)]
pub(super) struct Counted<'a> {
    pub rule: &'a PolicyRule,
    pub count: &'a Count,
}

/// How many objects a `count` block is about.
#[derive(Default)]
pub(super) struct Tally {
    /// Those that certainly are.
    least: u64,
    /// Those that certainly or possibly are.
    most: u64,
    /// Why there may be any number of further ones.
    open: Option<String>,
    /// The addresses of some of them.
    some: Vec<SmolStr>,
}

/// How many addresses a finding names.
const NAMED: usize = 3;

impl Tally {
    /// Adds an object that is counted, or may be.
    pub fn add(&mut self, address: &SmolStr, is_sure: bool) {
        self.least += u64::from(is_sure);
        self.most += 1;
        if self.some.len() < NAMED {
            self.some.push(address.clone());
        }
    }

    /// Notes why there may be any number of further objects.
    pub fn open(&mut self, why: &str) {
        self.open.get_or_insert_with(|| why.to_owned());
    }

    fn outcome(&self, count: &Count) -> Outcome {
        let mut outcome = Outcome::PASS;
        let min = count.min.filter(|it| self.least < it.0);
        let max = count.max.filter(|it| self.open.is_some() || self.most > it.0);
        if let Some((min, span)) = min {
            let fails = self.open.is_none() && self.most < min;
            outcome.add(if fails { self.failed(span) } else { self.undecided(span) });
        }
        if let Some((max, span)) = max {
            let fails = self.least > max;
            outcome.add(if fails { self.failed(span) } else { self.undecided(span) });
        }
        outcome
    }

    fn failed(&self, span: Span) -> Outcome {
        let number = match self.most {
            0 => "none".to_owned(),
            1 => "1 object".to_owned(),
            number if self.least == number && self.open.is_none() => format!("{number} objects"),
            _ => format!("at least {} objects", self.least),
        };
        let further = self.most.saturating_sub(self.some.len() as u64);
        let names = self.some.iter().map(SmolStr::as_str).collect::<Vec<_>>().join(", ");
        let found = match (self.some.is_empty(), further) {
            (true, _) => number,
            (false, 0) => format!("{number}: {names}"),
            (false, further) => format!("{number}: {names} and {further} more"),
        };
        Outcome::failed(Path::default(), found, span)
    }

    fn undecided(&self, span: Span) -> Outcome {
        let reason = match &self.open {
            Some(why) => format!("at least {}: {why}", self.least),
            None => format!("{} to {}, known after apply", self.least, self.most),
        };
        Outcome::undecided(Path::default(), reason, span)
    }

    /// Adds the findings of the block.
    pub fn findings(&self, policy: &Policy, of: Counted<'_>, found: &mut Found) {
        let address = of.count.address();
        let pattern = &BlockPattern::default();
        let (action, subject) = (None, None);
        let verdict =
            Verdict { policy, rule: of.rule, pattern, address: &address, action, subject };
        verdict.findings(&self.outcome(of.count), found);
    }
}

impl Count {
    /// Whether it counts objects of this kind and label.
    pub(super) fn is_about(&self, kind: BlockKind, label: &str) -> bool {
        self.kind == kind && self.labels.iter().any(|it| it.matches(label))
    }

    /// What is counted, as findings and tests call it: `aws_vpc`, `data.aws_ami`.
    pub(super) fn address(&self) -> String {
        let labels: Vec<&str> = self.labels.iter().map(|it| it.0.as_str()).collect();
        let labels = labels.join(", ");
        match self.kind.as_str() {
            "resource" => labels,
            kind => format!("{kind}.{labels}"),
        }
    }
}
