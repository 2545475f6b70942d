//! `moved` blocks against each other, in all modules of the tree.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{instance::Kept, members::Members};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::analysis::ConstantIndex;
use module::{Address, AddressKind, Move};
use tf_value::quoted;

/// One end of a statement, as an address from the root module, or from a module that may have any number of
/// instances.
#[derive(Clone, PartialEq, Eq, Hash)]
struct End {
    is_module: bool,
    /// Whether the address names a single instance, which may be the one without a key.
    is_instance: bool,
    names: Vec<Name>,
}

/// A name in an address, with its key. A call is one name; a resource is two: its type, and its own name with
/// the key.
pub(super) type Name = (SmolStr, Option<ConstantIndex>);

/// The most modules around an end that are looked at.
const DEEPEST: usize = 64;

impl End {
    /// The ends that contain it: the whole, if it is an instance, and each module around it, as a whole and as
    /// an instance.
    fn around(&self) -> Vec<End> {
        let whole = |names: &[Name], is_module: bool| {
            let mut names = names.to_vec();
            names.iter_mut().rev().take(1).for_each(|it| it.1 = None);
            End { is_module, is_instance: false, names }
        };
        let own = self.is_instance.then(|| whole(&self.names, self.is_module));
        // A resource has two names, its type and its own.
        let modules = self.names.len() - if self.is_module { 1 } else { 2 };
        let around = (1..=modules.min(DEEPEST)).flat_map(|count| {
            let names = &self.names[..count];
            let instance = End { is_module: true, is_instance: true, names: names.to_vec() };
            [whole(names, true), instance]
        });
        own.into_iter().chain(around).collect()
    }
}

/// The address, as it is written.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = self.names.len().saturating_sub(if self.is_module { 0 } else { 2 });
        let mut dot = "";
        for (at, (name, key)) in self.names.iter().enumerate() {
            // A number is the index of a module, and replaces the calls that lead there.
            if name.starts_with(|it: char| it.is_ascii_digit()) {
                continue;
            }
            let module = if at < calls { "module." } else { "" };
            write!(f, "{dot}{module}{name}")?;
            match key {
                Some(ConstantIndex::String(it)) => write!(f, "[{}]", quoted(it))?,
                Some(ConstantIndex::Number(it)) => write!(f, "[{it}]")?,
                None => (),
            }
            dot = ".";
        }
        Ok(())
    }
}

struct Statement<'m> {
    index: usize,
    block: &'m Move,
    from: End,
    to: End,
    /// Whether no call that leads to its module has `count` or `for_each`. Otherwise the module may have no
    /// instance, so that nothing is ambiguous, and its statements are compared with one another only.
    is_single: bool,
}

/// Errors for statements that move one object to two places, or two objects to one place, and for
/// statements that lead back to where they begin.
pub(super) fn check(members: &Members<'_>) -> Diagnostics {
    let statements = statements(members);
    let mut found = ambiguous(members, statements.iter().filter(|it| it.is_single));
    if found.is_empty() {
        found.extend(cycle(members, &statements));
    }
    found
}

/// The same errors for modules with `count` or `for_each` that surely have an instance. Statements of another
/// module that name one of the instances are not compared with these.
pub(super) fn check_repeated(members: &Members<'_>, kept: &[Vec<Kept>]) -> Diagnostics {
    let statements = statements(members);
    let is_there = |index: usize| kept[index].iter().any(Kept::is_certain);
    ambiguous(members, statements.iter().filter(|it| !it.is_single && is_there(it.index)))
}

fn ambiguous<'s, 'm: 's>(
    members: &Members<'_>,
    statements: impl Iterator<Item = &'s Statement<'m>>,
) -> Diagnostics {
    let mut found = Vec::new();
    let (mut froms, mut tos) = (HashMap::new(), HashMap::new());
    for it in statements {
        let first_from = froms.entry(&it.from).or_insert(it);
        let first_to = tos.entry(&it.to).or_insert(it);
        let detail = if first_from.to != it.to {
            "Another moved block moves the same object to another address."
        } else if first_to.from != it.from {
            "Another moved block moves a different object to the same address."
        } else {
            continue;
        };
        let problem = Diagnostic::new(&lints::INVALID_MOVE, "Ambiguous move statements");
        let problem = problem.detail(detail).at(Role::Declaration, it.block.span);
        found.push(members.own(it.index, problem));
    }
    found
}

/// The first statement that must come both before and after another. A statement comes after those whose `to`
/// is its `from`, or holds one of its ends, and before those whose `from` holds one of its ends (observed:
/// Terraform says the same of 4,035 pairs and triples of statements).
fn cycle(members: &Members<'_>, statements: &[Statement<'_>]) -> Option<Diagnostic> {
    let mut written: IndexMap<(&End, &End), (&Statement<'_>, usize)> = IndexMap::new();
    for it in statements {
        written.entry((&it.from, &it.to)).or_insert((it, 0)).1 += 1;
    }
    let mut order = Order::default();
    for (at, (it, count)) in written.values().enumerate() {
        let own = Stop::Statement(at);
        order.add(own.clone(), Stop::To(it.to.clone()));
        order.add(Stop::From(it.from.clone()), own.clone());
        order.add(Stop::To(it.from.clone()), own.clone());
        for around in it.from.around().into_iter().chain(it.to.around()) {
            // A statement comes neither before nor after itself, unless it is written twice.
            if around != it.to || *count > 1 {
                order.add(Stop::To(around.clone()), own.clone());
            }
            if around != it.from || *count > 1 {
                order.add(own.clone(), Stop::From(around));
            }
        }
    }
    let stuck = order.stuck();
    let is_stuck = |at: &usize| stuck.contains(&Stop::Statement(*at));
    let (start, _) = written[(0..written.len()).find(is_stuck)?];
    let problem = Diagnostic::new(&lints::INVALID_MOVE, "Cyclic dependency in move statements");
    let all: Vec<_> = written.values().map(|(it, _)| *it).collect();
    let first = all.iter().position(|it| std::ptr::eq(*it, start))?;
    let steps: Vec<String> = order
        .chain(&Stop::Statement(first), &stuck)
        .into_iter()
        .map(|it| format!("{} -> {}", all[it].from, all[it].to))
        .collect();
    let detail = format!(
        "The chained move statements form a cycle, so there is no final location to move objects \
         to: {}.",
        steps.join(", ")
    );
    let problem = problem.detail(detail).at(Role::Declaration, start.block.span);
    Some(members.own(start.index, problem))
}

/// A node of the order: a statement, or an end. With nodes for ends, many statements that share an end need no
/// edge for each pair.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Stop {
    Statement(usize),
    From(End),
    To(End),
}

/// The order: for each stop, the stops that come next, and those that come before.
#[derive(Default)]
struct Order {
    next: HashMap<Stop, Vec<Stop>>,
    back: HashMap<Stop, Vec<Stop>>,
}

impl Order {
    fn add(&mut self, first: Stop, second: Stop) {
        self.back.entry(second.clone()).or_default().push(first.clone());
        self.next.entry(first).or_default().push(second);
    }

    /// The statements of the cycle that the way from a stop leads into, beginning with the first one.
    fn chain(&self, from: &Stop, stuck: &HashSet<&Stop>) -> Vec<usize> {
        let mut way: Vec<&Stop> = Vec::new();
        let mut next = Some(from);
        while let Some(it) = next {
            if let Some(begin) = way.iter().position(|other| *other == it) {
                way.drain(..begin);
                break;
            }
            way.push(it);
            let after = self.next.get(it).into_iter().flatten();
            next = after.filter(|it| stuck.contains(it)).min_by_key(|it| match it {
                Stop::Statement(at) => *at,
                Stop::From(_) | Stop::To(_) => usize::MAX,
            });
        }
        let mut cycle: Vec<usize> = way
            .into_iter()
            .filter_map(|it| match it {
                Stop::Statement(at) => Some(*at),
                Stop::From(_) | Stop::To(_) => None,
            })
            .collect();
        let first = cycle.iter().enumerate().min_by_key(|(_, at)| **at).map_or(0, |(it, _)| it);
        cycle.rotate_left(first);
        cycle
    }

    /// The stops in a cycle, or between two cycles.
    fn stuck(&self) -> HashSet<&Stop> {
        let mut left: HashSet<&Stop> = self.next.keys().chain(self.back.keys()).collect();
        for (into, out) in [(&self.back, &self.next), (&self.next, &self.back)] {
            let mut count: HashMap<&Stop, usize> = HashMap::new();
            for it in &left {
                let others = into.get(it).into_iter().flatten();
                count.insert(it, others.filter(|other| left.contains(other)).count());
            }
            let mut free: Vec<&Stop> =
                count.iter().filter(|(_, others)| **others == 0).map(|(it, _)| *it).collect();
            while let Some(it) = free.pop() {
                left.remove(it);
                for other in out.get(it).into_iter().flatten() {
                    if let Some(others) = count.get_mut(other) {
                        *others -= 1;
                        if *others == 0 {
                            free.push(other);
                        }
                    }
                }
            }
        }
        left
    }
}

fn statements<'m>(members: &Members<'m>) -> Vec<Statement<'m>> {
    let mut found = Vec::new();
    for index in 0..members.len() {
        let calls = calls(members, index);
        let is_single = calls.is_some();
        // The index replaces the calls: no call has a number as its name.
        let calls = calls.unwrap_or_else(|| vec![(index.to_string().into(), None)]);
        for it in &members.get(index).module.moves {
            let is_instance = super::moves::is_of_instance(it);
            let end = |it: &Address| End {
                is_module: it.kind == AddressKind::Module,
                is_instance,
                names: calls.iter().cloned().chain(it.names.iter().cloned()).collect(),
            };
            let (from, to) = (end(&it.from), end(&it.to));
            found.push(Statement { index, block: it, from, to, is_single });
        }
    }
    found
}

/// Whether a module has exactly one instance, whatever the values are.
pub(super) fn is_single(members: &Members<'_>, index: usize) -> bool {
    calls(members, index).is_some()
}

/// The calls that lead to a module; `None` where one of them may not have exactly one instance.
fn calls(members: &Members<'_>, mut index: usize) -> Option<Vec<Name>> {
    let mut names = Vec::new();
    while let Some((caller, call)) = members.get(index).caller {
        if !call.repetition.is_single() {
            return None;
        }
        names.push((call.name.clone(), None));
        index = caller;
    }
    names.reverse();
    Some(names)
}
