//! `moved`, `removed` and `import` blocks against what is declared.

use super::members::Members;
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span},
    module::{Address, AddressKind},
    syntax::analysis::absolute_traversal,
};

/// A `moved` or `removed` block that says of something declared that it is not there any more.
pub const INVALID_MOVE: &str = "invalid-move";

/// What Terraform says of them after its static pass.
pub(super) fn check(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (place, member) in members.iter().enumerate() {
        for it in &member.module.moves {
            // Only instances that nothing declares can have moved away.
            if it.from.has_key {
                continue;
            }
            if let Some((at, span)) = declared(members, place, &it.from) {
                let problem = Diagnostic::error(INVALID_MOVE, "Moved object still exists");
                let detail = "It is declared here, so it has not moved away.";
                let problem = problem.detail(detail).at(Role::Declaration, it.span);
                found.push(with_declaration(members, place, problem, at, span));
            }
        }
        for it in &member.module.removals {
            if let Some((at, span)) = declared(members, place, &it.from) {
                let what = match it.from.kind {
                    AddressKind::Module => "module",
                    AddressKind::Resource | AddressKind::Data => "resource",
                };
                let summary = format!("Removed {what} still exists");
                let problem = Diagnostic::error(INVALID_MOVE, summary);
                let detail = "It is declared here, so it is not removed.";
                let problem = problem.detail(detail).at(Role::Declaration, it.from_span);
                found.push(with_declaration(members, place, problem, at, span));
            }
        }
    }
    found
}

/// Imports to what is not declared.
pub(super) fn check_imports(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (place, member) in members.iter().enumerate() {
        for it in &member.module.imports {
            let Some(to) = absolute_traversal(&it.to) else { continue };
            let Some(address) = Address::new(&to, true) else { continue };
            if is_missing(members, place, &address) {
                let summary = "Configuration for import target does not exist";
                let problem = Diagnostic::error(crate::eval::UNDECLARED_REFERENCE, summary);
                let detail = "Nothing is declared at the address that it is imported to.";
                let problem = problem.detail(detail).at(Role::Declaration, it.to.span);
                found.push(members.own(place, problem));
            }
        }
    }
    found
}

fn with_declaration(
    members: &Members<'_>,
    place: usize,
    problem: Diagnostic,
    at: usize,
    span: Span,
) -> Diagnostic {
    let problem = members.own(place, problem);
    let span = span.shifted(members.get(at).shift);
    problem.at_with(Role::Declaration, span, "declared here")
}

/// Where an address is declared: the module's place in the tree, and the declaration.
fn declared(members: &Members<'_>, from: usize, address: &Address) -> Option<(usize, Span)> {
    let (place, rest) = follow(members, from, address)?;
    let module = members.get(place).module;
    match (address.kind, rest) {
        (AddressKind::Module, [(call, _)]) => Some((place, module.calls.get(call)?.span)),
        (AddressKind::Resource, [(ty, _), (name, _)]) => {
            Some((place, module.resources.get(&(ty.clone(), name.clone()))?.span))
        }
        _ => None,
    }
}

/// Whether nothing is declared at the address of a resource, as far as its modules are here.
fn is_missing(members: &Members<'_>, from: usize, address: &Address) -> bool {
    match follow(members, from, address) {
        Some((_, [_, _])) => declared(members, from, address).is_none(),
        // A call on the way is not declared, or leads nowhere.
        _ => false,
    }
}

type Names = [(smol_str::SmolStr, Option<crate::syntax::analysis::Key>)];

/// Goes through the calls of an address: the module in which its last names are, and these.
fn follow<'a>(
    members: &Members<'_>,
    from: usize,
    address: &'a Address,
) -> Option<(usize, &'a Names)> {
    let last = if address.kind == AddressKind::Module { 1 } else { 2 };
    let calls = address.names.len().checked_sub(last)?;
    let mut place = from;
    for (call, _) in &address.names[..calls] {
        place = members.called(place, call)?;
    }
    Some((place, &address.names[calls..]))
}
