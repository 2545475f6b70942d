//! What the rules of a policy were about, so that a rule which judged nothing can be reported.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::Span;

/// What a run by one policy met. Spans are those of the policy's files.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The number of objects by the header of the rule's block that judged them.
    judged: BTreeMap<Span, usize>,
    /// For the header of each `where`: how many objects or blocks it was asked about, and how many it let pass.
    wheres: BTreeMap<Span, (usize, usize)>,
    /// By kind of block: the types of resources and data sources that there are, and the names of other objects.
    labels: BTreeSet<(&'static str, SmolStr)>,
}

impl Coverage {
    /// Adds that there is an object of this kind with this type or name.
    pub fn add_label(&mut self, kind: &'static str, label: &str) {
        let key = (kind, SmolStr::new(label));
        if !self.labels.contains(&key) {
            self.labels.insert(key);
        }
    }

    /// Adds that a block of a rule judged an object.
    pub fn add_judged(&mut self, block: Span) {
        *self.judged.entry(block).or_default() += 1;
    }

    /// Adds how often each `where` was asked, and how often it let an object pass.
    pub fn add_wheres(&mut self, wheres: BTreeMap<Span, (usize, usize)>) {
        for (span, (asked, passed)) in wheres {
            let known = self.wheres.entry(span).or_default();
            *known = (known.0 + asked, known.1 + passed);
        }
    }

    /// Adds what another run of the same policy was about.
    pub fn join(&mut self, other: Coverage) {
        for (span, number) in other.judged {
            *self.judged.entry(span).or_default() += number;
        }
        self.add_wheres(other.wheres);
        self.labels.extend(other.labels);
    }

    /// Whether a block of a rule judged an object.
    pub fn is_judged(&self, block: Span) -> bool {
        self.judged.contains_key(&block)
    }

    /// How many objects or blocks a `where` was asked about if it let none of them pass.
    pub fn closed_where(&self, header: Span) -> Option<usize> {
        match self.wheres.get(&header) {
            Some((asked @ 1.., 0)) => Some(*asked),
            _ => None,
        }
    }

    /// The types or names of the objects of a kind.
    pub fn labels(&self, kind: &'static str) -> impl Iterator<Item = &SmolStr> {
        self.labels.iter().filter(move |it| it.0 == kind).map(|it| &it.1)
    }
}
