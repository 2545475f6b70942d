//! What rules speak of, so that nothing else of a plan is read.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::language::{BlockKind, BlockPattern, Label, Policy};

/// The types of resources and of data sources that rules speak of, and their arguments.
#[derive(Default)]
pub struct Asked {
    types: Vec<(BlockKind, Label, Names)>,
    /// Of the types that were asked for.
    known: RefCell<Known>,
}

type Known = HashMap<(bool, SmolStr), Option<Rc<Names>>>;

/// Arguments that rules speak of.
#[derive(Clone, Debug)]
pub(super) enum Names {
    All,
    These(BTreeSet<SmolStr>),
}

impl Asked {
    pub fn new(policy: &Policy) -> Asked {
        Asked::by_all([policy])
    }

    /// What one or another of the policies speaks of.
    pub fn by_all<'p>(policies: impl IntoIterator<Item = &'p Policy>) -> Asked {
        let mut asked = Asked::default();
        policies.into_iter().for_each(|it| asked.add(it));
        asked
    }

    fn add(&mut self, policy: &Policy) {
        let has_links = policy.rules.iter().any(|it| !it.needs.is_empty());
        let has_links = has_links || !policy.referred.is_empty();
        for rule in &policy.rules {
            let targets = rule.demands.iter().map(|it| &it.target);
            for target in targets.chain(rule.needs.iter().flatten()) {
                let mut names = Names::These(BTreeSet::new());
                names.add_pattern(&target.pattern);
                if has_links {
                    // By which constants refer to an object.
                    names.add("id");
                }
                for label in &target.labels {
                    self.types.push((target.kind, label.clone(), names.clone()));
                }
            }
        }
        let referred = policy.referred.iter();
        self.types.extend(referred.map(|(kind, label)| (*kind, label.clone(), Names::All)));
    }

    /// The arguments of a type that rules speak of; `None` where they do not speak of the type.
    pub(super) fn names(&self, is_data: bool, ty: &SmolStr) -> Option<Rc<Names>> {
        let key = (is_data, ty.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let wanted = if is_data { BlockKind::Data } else { BlockKind::Resource };
        let of_type = self.types.iter().filter(|it| it.0 == wanted && it.1.matches(ty));
        let names = of_type.map(|it| it.2.clone()).reduce(Names::and).map(Rc::new);
        self.known.borrow_mut().insert(key, names.clone());
        names
    }
}

impl Names {
    pub fn has(&self, name: &str) -> bool {
        match self {
            Names::All => true,
            Names::These(all) => all.contains(name),
        }
    }

    fn add(&mut self, name: &str) {
        if let Names::These(all) = self {
            all.insert(name.into());
        }
    }

    fn add_pattern(&mut self, pattern: &BlockPattern) {
        let members = pattern.members.iter().map(|it| &it.name);
        let blocks = pattern.blocks.iter().map(|it| &it.name);
        match &pattern.mentions {
            None => *self = Names::All,
            Some(mentions) => members.chain(blocks).chain(mentions).for_each(|it| self.add(it)),
        }
        pattern.filter.iter().for_each(|it| self.add_pattern(it));
    }

    fn and(self, other: Names) -> Names {
        match (self, other) {
            (Names::These(mut one), Names::These(other)) => {
                one.extend(other);
                Names::These(one)
            }
            _ => Names::All,
        }
    }
}
