//! The types and arguments that rules mention, so that nothing else of a plan is read.

use std::{cell::RefCell, rc::Rc};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::language::{BlockKind, BlockPattern, LabelPattern, Policy};

/// The types of resources and data sources that rules mention, and their arguments.
#[derive(Default)]
pub struct Asked {
    types: Vec<(BlockKind, LabelPattern, Names)>,
    /// Earlier answers of `names`, by kind and type.
    known: RefCell<Known>,
}

type Known = HashMap<(bool, SmolStr), Option<Rc<Names>>>;

/// The arguments of a type of resource or data source: those that rules mention, and others that objects of the
/// type have.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// `None` if rules ask for all arguments.
    asked: Option<HashSet<SmolStr>>,
    /// Arguments that the plan has and no rule mentions. A misspelt name in a rule may mean one of these.
    others: RefCell<HashSet<SmolStr>>,
}

impl Asked {
    pub fn new(policy: &Policy) -> Asked {
        Asked::by_all([policy])
    }

    /// Everything that at least one of the policies mentions.
    pub fn by_all<'p>(policies: impl IntoIterator<Item = &'p Policy>) -> Asked {
        let mut asked = Asked::default();
        policies.into_iter().for_each(|it| asked.add(it));
        asked
    }

    fn add(&mut self, policy: &Policy) {
        let has_links = policy.rules.iter().any(|it| !it.needs.is_empty());
        let has_links = has_links || !policy.referred.is_empty();
        for rule in &policy.rules {
            for conditions in rule.demands.iter().filter_map(|it| it.conditions.as_ref()) {
                let related = conditions.related().iter();
                self.types
                    .extend(related.map(|(kind, label)| (*kind, label.clone(), Names::all())));
            }
            let targets = rule.demands.iter().map(|it| &it.target);
            for target in targets.chain(rule.needs.iter().flatten()) {
                let mut names = Names { asked: Some(HashSet::default()), ..Names::all() };
                names.add_pattern(&target.pattern);
                if has_links {
                    // A constant such as `"vpc-1"` refers to an object by its `id`.
                    names.add("id");
                }
                for label in &target.labels {
                    self.types.push((target.kind, label.clone(), names.clone()));
                }
            }
        }
        for count in policy.rules.iter().flat_map(|it| &it.counts) {
            let mut names = Names { asked: Some(HashSet::default()), ..Names::all() };
            count.filter.iter().for_each(|it| names.add_pattern(it));
            for label in &count.labels {
                self.types.push((count.kind, label.clone(), names.clone()));
            }
        }
        let referred = policy.referred.iter();
        self.types.extend(referred.map(|(kind, label)| (*kind, label.clone(), Names::all())));
    }

    /// The arguments of a type that rules mention; `None` if no rule mentions the type.
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
    pub fn all() -> Names {
        Names { asked: None, others: RefCell::default() }
    }

    /// The name of an argument if rules mention it; any other name is remembered for [`Names::others`].
    pub fn asked(&self, name: &str) -> Option<SmolStr> {
        let Some(asked) = &self.asked else { return Some(name.into()) };
        let found = asked.get(name).cloned();
        if found.is_none() && !self.others.borrow().contains(name) {
            self.others.borrow_mut().insert(name.into());
        }
        found
    }

    /// The names that objects of the type have and no rule mentions, sorted.
    pub fn others(&self) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = self.others.borrow().iter().cloned().collect();
        names.sort();
        names
    }

    fn add(&mut self, name: &str) {
        if let Some(all) = &mut self.asked {
            all.insert(name.into());
        }
    }

    fn add_pattern(&mut self, pattern: &BlockPattern) {
        let members = pattern.members.iter().map(|it| &it.name);
        let blocks = pattern.blocks.iter().map(|it| &it.name);
        match &pattern.mentions {
            None => self.asked = None,
            Some(mentions) => members.chain(blocks).chain(mentions).for_each(|it| self.add(it)),
        }
        pattern.filter.iter().for_each(|it| self.add_pattern(it));
    }

    fn and(self, other: Names) -> Names {
        let asked = self.asked.zip(other.asked).map(|(mut one, other)| {
            one.extend(other);
            one
        });
        Names { asked, ..Names::all() }
    }
}
