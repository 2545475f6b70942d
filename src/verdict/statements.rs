//! `moved` blocks against each other, in all modules of the tree.

use std::collections::HashMap;

use smol_str::SmolStr;

use super::members::Members;
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, rules},
    module::{Address, AddressKind, Move},
    syntax::analysis::Key,
};

/// One end of a statement, as an address from the root module.
#[derive(Clone, PartialEq, Eq, Hash)]
struct End {
    is_module: bool,
    /// Whether the address names a single instance, which may be the one without a key.
    is_instance: bool,
    names: Vec<(SmolStr, Option<Key>)>,
}

struct Statement<'m> {
    place: usize,
    block: &'m Move,
    from: End,
    to: End,
}

/// Errors for statements that move one object to two places, or two objects to one place, and for
/// statements that lead back to where they begin.
pub(super) fn check(members: &Members<'_>) -> Diagnostics {
    let statements = statements(members);
    let mut found = Vec::new();
    let (mut froms, mut tos) = (HashMap::new(), HashMap::new());
    for it in &statements {
        let first_from = froms.entry(&it.from).or_insert(it);
        let first_to = tos.entry(&it.to).or_insert(it);
        let detail = if first_from.to != it.to {
            "Another block says that the same object moved elsewhere."
        } else if first_to.from != it.from {
            "Another block says that another object moved there."
        } else {
            continue;
        };
        let problem = Diagnostic::new(&rules::INVALID_MOVE, "Ambiguous move statements");
        let problem = problem.detail(detail).at(Role::Declaration, it.block.span);
        found.push(members.own(it.place, problem));
    }
    if found.is_empty() {
        found.extend(cycle(members, &statements));
    }
    found
}

/// The first statement of a chain that leads back to itself. Since no end moves to two places, each is in
/// at most one chain. An instance counts as another end than the whole that holds it.
fn cycle(members: &Members<'_>, statements: &[Statement<'_>]) -> Option<Diagnostic> {
    let next: HashMap<&End, &Statement<'_>> = statements.iter().map(|it| (&it.from, it)).collect();
    for start in statements {
        let mut at = start;
        // A chain cannot be longer than the list of statements.
        for _ in 0..statements.len() {
            let Some(step) = next.get(&at.to) else { break };
            if step.from == start.from {
                let problem =
                    Diagnostic::new(&rules::INVALID_MOVE, "Cyclic dependency in move statements");
                let detail = "The moved blocks lead back to where this one begins.";
                let problem = problem.detail(detail).at(Role::Declaration, start.block.span);
                return Some(members.own(start.place, problem));
            }
            at = step;
        }
    }
    None
}

/// The statements of the modules that surely have one instance.
fn statements<'m>(members: &Members<'m>) -> Vec<Statement<'m>> {
    let mut found = Vec::new();
    for place in 0..members.len() {
        let Some(prefix) = prefix(members, place) else { continue };
        for it in &members.get(place).module.moves {
            let last = |address: &Address| address.names.last().is_some_and(|it| it.1.is_some());
            let is_instance = last(&it.from) || last(&it.to);
            let end = |it: &Address| End {
                is_module: it.kind == AddressKind::Module,
                is_instance,
                names: prefix.iter().cloned().chain(it.names.iter().cloned()).collect(),
            };
            found.push(Statement { place, block: it, from: end(&it.from), to: end(&it.to) });
        }
    }
    found
}

/// The calls that lead to a module; `None` where one of them may not have exactly one instance.
fn prefix(members: &Members<'_>, mut place: usize) -> Option<Vec<(SmolStr, Option<Key>)>> {
    let mut names = Vec::new();
    while let Some((caller, call)) = members.get(place).caller {
        if call.repetition.expr().is_some() {
            return None;
        }
        names.push((call.name.clone(), None));
        place = caller;
    }
    names.reverse();
    Some(names)
}
